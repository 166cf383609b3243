import ArgumentParser
import BookstrackContract
import ProgressClient

/// `bookstrack cancel JOB`
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a job; unfinished items are discarded.")

    @Argument(help: "The job: its identifier, or the first eight characters of it.", completion: JobCompletion.kind)
    var job: JobReference

    @OptionGroup var options: APIOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let job = try await job.job()
            let client = HTTPClient(address: try options.address(of: job))
            let outcome = try await APIClient(client).cancel(job, token: options.token(of: job))
            await client.shutdown()
            let table = TextTable(
                columns: [.init("Job"), .init("Status"), .init("Items discarded", .figure)],
                rows: [[outcome.jobId.text, outcome.status.rawValue, "\(outcome.cleanup.itemsDiscarded)"]])
            try output.show(csv: table, document: outcome) { _ in outcome.message + "\n" }
            return .success
        }
    }
}
