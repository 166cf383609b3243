import ArgumentParser
import BookstrackContract
import ProgressClient

/// `bookstrack retry JOB`
struct RetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Try the books of a finished job again that have no result.",
        discussion: """
            The job stays what it is; its results change as books are found. Books that nobody can find, such as those without an ISBN \
            and a title, are not tried.
            """)

    @Argument(help: "The job: its identifier, or the first eight characters of it.", completion: JobCompletion.kind)
    var job: JobReference

    @OptionGroup var options: APIOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let job = try await job.job()
            let client = HTTPClient(address: try options.address(of: job))
            let outcome = try await APIClient(client).retry(job, token: options.token(of: job))
            await client.shutdown()
            let table = TextTable(
                columns: [.init("Job"), .init("Status"), .init("Retrying", .figure)],
                rows: [[outcome.jobId.text, outcome.status.rawValue, "\(outcome.retrying)"]])
            try output.show(csv: table, document: outcome) { _ in Self.text(outcome) + "\n" }
            return .success
        }
    }

    static func text(_ outcome: RetryOutcome) -> String {
        guard outcome.status.isTerminal else {
            return "Job \(outcome.jobId) is \(outcome.status.rawValue); only a job that is over can be retried."
        }
        guard outcome.retrying > 0 else { return "Job \(outcome.jobId) has no book that could be tried again." }
        let books = outcome.retrying == 1 ? "1 book is" : "\(outcome.retrying) books are"
        return "\(books) tried again now. Read the results in a while: bookstrack results \(outcome.jobId.short)"
    }
}
