import ArgumentParser
import ProgressClient

/// What the verbs of `bookstrack search` have in common.
protocol SearchVerb: AsyncParsableCommand {
    var server: ServerOptions { get }
    var output: SearchOutput { get }

    /// Carries out the verb's searches.
    func report(_ run: SearchRun) async throws -> SearchReport
}

extension SearchVerb {
    func run() async throws {
        try await runVerb {
            let client = HTTPClient(address: try server.address())
            let run = SearchRun(calls: SearchCalls(api: APIClient(client)), form: output.form)
            let report = try await report(run)
            await client.shutdown()
            report.write(output.output)
            return report.status
        }
    }

    /// Throws `ValidationError` unless the limit is nil or within the range.
    static func check(_ limit: Int?, in range: ClosedRange<Int>) throws {
        guard limit.map(range.contains) ?? true else {
            throw ValidationError("--limit must be from \(range.lowerBound) to \(range.upperBound).")
        }
    }
}
