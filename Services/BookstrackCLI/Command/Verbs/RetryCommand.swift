import ArgumentParser
import BookstrackContract
import ProgressClient

/// `bookstrack retry JOB`
struct RetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Retry the books of a finished job that have no result.",
        discussion: """
            The job keeps its status; its results change as books are found. Books that cannot be looked up, such as those with neither an \
            ISBN nor a title, are not retried.
            """)

    @Argument(help: "Job ID, or its first eight characters.", completion: JobCompletion.kind)
    var job: JobReference

    @OptionGroup var options: APIOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let job = try await job.job()
            let outcome = try await options.callAPI(of: job) { try await $0.retry(job, token: options.token(of: job)) }
            let table = TextTable(
                columns: [.init("Job"), .init("Status"), .init("Retrying", .figure)],
                rows: [[outcome.jobId.text, outcome.status.rawValue, "\(outcome.retrying)"]])
            try output.show(csv: table, document: outcome) { _ in Self.text(outcome) + "\n" }
            return .success
        }
    }

    static func text(_ outcome: RetryOutcome) -> String {
        guard outcome.status.isTerminal else {
            return "Job \(outcome.jobId) is \(outcome.status.rawValue); only a finished job can be retried."
        }
        guard outcome.retrying > 0 else { return "Job \(outcome.jobId) has no books to retry." }
        let books = outcome.retrying == 1 ? "1 book is" : "\(outcome.retrying) books are"
        return "\(books) being retried. Read the results later:\nbookstrack results \(outcome.jobId.short)"
    }
}
