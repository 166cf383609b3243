import ArgumentParser
import BookstrackContract
import ProgressClient

/// `bookstrack cancel JOB`
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a job; unfinished items are discarded.")

    @Argument(help: "Job ID, or its first eight characters.", completion: JobCompletion.kind)
    var job: JobReference

    @OptionGroup var options: APIOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let job = try await job.job()
            let outcome = try await options.callAPI(of: job) { try await $0.cancel(job, token: options.token(of: job)) }
            let table = TextTable(
                columns: [.init("Job"), .init("Status"), .init("Items discarded", .figure)],
                rows: [[outcome.jobId.text, outcome.status.rawValue, "\(outcome.cleanup.itemsDiscarded)"]])
            try output.show(csv: table, document: outcome) { _ in outcome.message + "\n" }
            return .success
        }
    }
}
