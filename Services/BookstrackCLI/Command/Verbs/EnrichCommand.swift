import ArgumentParser
import BookstrackClient
import BookstrackContract
import Foundation
import Observability

/// `bookstrack enrich FILE|ISBN…`
struct EnrichCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrich",
        abstract: "Look up the metadata of books.",
        discussion: """
            A FILE is a list of ISBNs, one per line, with comments after #, or any file that bookstrack import reads: the exports of reading \
            apps, and tables in any language. - is standard input.

            The whole list is submitted before any progress is shown; from then on the jobs do not depend on this command, and Ctrl-C \
            only stops watching. Books that could not be submitted are kept for 7 days: the same command, or --resume, submits the rest \
            and submits no book twice. Once a list has been submitted completely, submitting it again starts new jobs.

            Progress goes to standard error, the books to standard output.
            """)

    @Argument(help: ArgumentHelp("Files and ISBNs.", valueName: "file|isbn"), completion: .file())
    var books: [String] = []

    @OptionGroup var server: ServerOptions

    @Option(
        help: ArgumentHelp(
            "Submit the rest of an unfinished list, to the same server unless --url is given.", valueName: "list"))
    var resume: String?

    @Option(help: ArgumentHelp("Maximum books per job (default: the server's limit).", valueName: "count"))
    var batchSize = EnrichRun.maxBatchBooks

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard books.isEmpty != (resume == nil) else {
            throw ValidationError(books.isEmpty ? "Give a file or an ISBN." : "--resume cannot be combined with books.")
        }
        guard (1...EnrichRun.maxBatchBooks).contains(batchSize) else {
            throw ValidationError("--batch-size must be from 1 to \(EnrichRun.maxBatchBooks).")
        }
    }

    func run() async throws {
        try await runVerb {
            let progress = ProgressOutput.standard(json: false)
            let runState = RunState()
            let interrupt = InterruptHandler { runState.interruptMessage }
            defer { withExtendedLifetime(interrupt) {} }
            let list = try self.list(progress)
            let client = try server.client(progress, resumed: list.address)
            let outcome = await EnrichRun(client: client, output: progress).run(list, runState)
            return try await report(outcome, ResultsFetch(client: client, output: progress))
        }
    }

    private func list(_ progress: ProgressOutput) throws -> BookSubmission {
        let root = URL(filePath: SavedTokens.standard.folder).appending(path: "lists")
        if let resume { return try BookSubmission(resuming: resume, in: root) }
        let address = try server.address()
        let list = try BookList(arguments: books)
        guard !list.books.isEmpty else { throw CommandFailure(.badInput, "the list contains no books") }
        if let notice = list.notice { progress.note(notice) }
        return try BookSubmission(list.books, to: address, size: batchSize, in: root) { progress.note($0) }
    }

    /// Prints the results, and messages about missing ones.
    private func report(_ outcome: EnrichRun.Outcome, _ reading: ResultsFetch) async throws -> ExitStatus {
        var report = ResultsReport(output.format, write: output.write)
        let jobs = try await reading.read(outcome.jobs, into: &report)
        let later = await reading.laterRetries(of: jobs)
        if !jobs.isEmpty || output.format == .json {
            try report.finish { summary in
                summary.notSubmitted = outcome.unsent?.count ?? 0
                summary.resume = outcome.resume
                summary.laterRetries = later
            }
        }
        for job in jobs {
            if let failure = job.failure {
                reading.output.note("Job \(job.job): \(failure.message)")
            } else if job.status == .failed {
                reading.output.note("Job \(job.job) failed: \(job.message)")
            }
        }
        if let later { reading.output.note(ResultsFetch.notice(later, of: jobs, now: Activity.now)) }
        guard let unsent = outcome.unsent else { return jobs.exitStatus }
        throw CommandFailure(unsent.failure.status, EnrichRun.notice(outcome))
    }
}
