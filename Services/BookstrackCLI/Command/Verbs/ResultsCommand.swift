import ArgumentParser
import BookstrackContract
import ProgressClient

/// `bookstrack results JOB…`
struct ResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results", abstract: "Print the books of jobs that are over.")

    @Argument(
        help: "The jobs: their identifiers, or the first eight characters of them.", completion: JobCompletion.kind)
    var jobs: [JobReference]

    @OptionGroup var options: APIOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            var ids: [JobID] = []
            for job in jobs { ids.append(try await job.job()) }
            guard let first = ids.first else { throw CommandFailure(.usage, "name a job") }
            let client = HTTPClient(address: try options.address(of: first))
            let reading = ResultsReading(api: APIClient(client), output: .standard(json: false))
            var report = ResultsReport(output.format, write: output.write)
            let read = try await reading.read(ids.map { JobReport(job: $0) }, into: &report)
            await client.shutdown()
            // A single job that cannot be read is an error, not an empty report.
            if read.count == 1, let failure = read.first?.failure { throw failure }
            try report.finish()
            for failure in read.compactMap(\.failure) { reading.output.note("bookstrack: \(failure.message)") }
            return read.compactMap(\.failure).first?.status ?? .success
        }
    }
}
