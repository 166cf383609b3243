import ArgumentParser
import BookstrackContract
import ProgressClient

/// `bookstrack results JOB`
struct ResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results", abstract: "Prints the books of a job that is over.")

    @Argument(help: "The job.")
    var job: JobID

    @OptionGroup var options: APIOptions

    @Option(help: "table, json or csv.")
    var format = ResultsFormat.table

    func run() async throws {
        try await runVerb {
            let client = HTTPClient(address: try options.address(of: job))
            let results = try await read(APIClient(client))
            await client.shutdown()
            switch format {
            case .table:
                StandardStreams.writeOutput(
                    ResultsText.table(results.enrichedBooks, width: StandardStreams.outputColumns ?? 120))
            case .json: StandardStreams.writeOutput(try ResultsText.json(results, pretty: true))
            case .csv: StandardStreams.writeOutput(ResultsText.csv(results.enrichedBooks))
            }
            return .success
        }
    }

    private func read(_ api: APIClient) async throws -> EnrichmentResults {
        do {
            return try await api.results(of: job)
        } catch let refusal as APIRefusal where refusal.code == .notFound {
            guard case .text(let status)? = refusal.details["status"] else {
                throw CommandFailure(.unexpectedAnswer, "there is no job \(job), or its results have expired")
            }
            throw CommandFailure(.tryLater, "job \(job) is \(status); watch it with: bookstrack watch \(job)")
        }
    }
}
