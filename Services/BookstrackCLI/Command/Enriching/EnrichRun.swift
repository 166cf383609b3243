import BookstrackClient
import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import ServiceKit

/// Submits a list of books to the server, then watches the started jobs until the last one has ended.
struct EnrichRun {
    /// Maximum number of books per job, if the server accepts that many (`BOOKSTRACK_MAX_BATCH_BOOKS`).
    static let maxBatchBooks = SettingKey.batchLimit

    let client: BookstrackClient
    let output: ProgressOutput
    var calls = RetryingCalls()

    /// The result of the run.
    struct Outcome {
        /// The started jobs, in the order of the list.
        var jobs: [JobReport] = []
        /// How many books were not submitted, and why; nil if all were submitted.
        var unsent: (count: Int, failure: CommandFailure)?
        /// The command that submits the remaining books; nil if there are none, or if the list is not stored.
        var resume: String?
    }

    /// Submits the list and watches its jobs. Keeps `runState` up to date, for the message that Ctrl-C and SIGTERM print.
    func run(_ list: BookSubmission, _ runState: RunState = RunState()) async -> Outcome {
        var list = list
        var outcome = Outcome()
        if list.isResumed {
            let started = list.batches.count - list.unstarted.count
            output.note("Continuing list \(list.id): \(started) of \(list.batches.count) jobs have been started.")
        }
        runState.update(list)
        let failure = await submit(&list, runState)
        list.endSubmission()
        if let failure {
            outcome.unsent = (list.unstarted.reduce(0) { $0 + $1.count }, failure)
            outcome.resume = list.isKept ? "bookstrack enrich --resume \(list.id)" : nil
            if list.isResumed { output.note(Self.notice(outcome)) }
        }
        let jobs = list.batches.filter(\.isStarted)
        guard !jobs.isEmpty else { return outcome }
        outcome.jobs = await JobsWatch(client: client, output: output).run(
            jobs.map { JobsWatch.Job(id: $0.job, count: $0.count) })
        return outcome
    }

    /// A message about the books that were not submitted.
    static func notice(_ outcome: Outcome) -> String {
        guard let (count, failure) = outcome.unsent else { return "" }
        let books = count == 1 ? "1 book was" : "\(count) books were"
        let cure =
            outcome.resume.map { "Submit the rest with: \($0)" }
            ?? "Run the command again with the rest of the list."
        return "\(books) not submitted: \(failure.message)\n\(cure)"
    }

    /// Starts the jobs that have not been started. Splits them if the server accepts only smaller jobs. If the server refuses one for another lasting
    /// reason, the others are still started; any other failure, for example a limit, ends the submission. Returns a reason why jobs were not started;
    /// nil if all were started.
    private func submit(_ list: inout BookSubmission, _ runState: RunState) async -> CommandFailure? {
        var failure: CommandFailure?
        var refused: Set<JobID> = []
        while let batch = list.unstarted.first(where: { !refused.contains($0.job) }) {
            do {
                try await start(batch)
                output.note("Job \(batch.job), \(CountText.text(batch.count, "book"))")
                list.markStarted(batch.job)
                runState.update(list)
            } catch let refusal as BookstrackError where refusal.serverCode == .batchTooLarge {
                guard let limit = refusal.maxBatchBooks, limit < batch.count else { return CommandFailure(refusal) }
                do { try list.splitUnstarted(size: limit) } catch { return CommandFailure(error) }
            } catch let refusal as BookstrackError where refusal.isRefusal && refusal.reason?.isPassing != true {
                failure = failure ?? CommandFailure(refusal).about(batch.job)
                refused.insert(batch.job)
            } catch {
                return failure ?? CommandFailure(error)
            }
        }
        return failure
    }

    /// Starts a job under its own identifier, so repeating the start request returns the same job (http-api.md "Starting a job"). If an earlier
    /// request started the job but its response was lost, the repetition may be refused with `JOB_EXISTS`; then there is no token.
    private func start(_ batch: BookSubmission.Batch) async throws {
        do {
            _ = try await calls.make(output) { () async throws -> StartedJob in
                try await client.startEnrichment(books: batch.books, jobID: batch.job)
            }
        } catch let refusal as BookstrackError where refusal.serverCode == .jobExists {}
    }
}

/// The state of an `enrich` run, for the message that Ctrl-C and SIGTERM print. Other commands use only ``interruptMessage(to:)``.
final class RunState: Sendable {
    private let list = NIOLockedValueBox<BookSubmission?>(nil)

    func update(_ list: BookSubmission) { self.list.withLockedValue { $0 = list } }

    /// The message after Ctrl-C or SIGTERM: how many books were not submitted, which jobs continue, and how to resume submitting and watching.
    var interruptMessage: String {
        guard let list = list.withLockedValue(\.self) else { return "Nothing was submitted." }
        let unsent = list.unstarted.reduce(0) { $0 + $1.count }
        var lines: [String] = []
        if unsent > 0 {
            lines.append("Not submitted: \(unsent) of \(list.batches.reduce(0) { $0 + $1.count }) books.")
            if list.isKept { lines.append("To continue: bookstrack enrich --resume \(list.id)") }
        }
        let jobs = list.batches.filter(\.isStarted).map(\.job)
        if !jobs.isEmpty { lines.append(Self.interruptMessage(to: jobs)) }
        return lines.joined(separator: "\n")
    }

    /// The message that jobs continue without this process, and how to resume watching them. If there are several, some may have ended.
    static func interruptMessage(to jobs: [JobID]) -> String {
        let names = jobs.map(\.short).joined(separator: " ")
        return """
            \(jobs.count == 1 ? "The job continues" : "Unfinished jobs continue") in the background. \
            To resume watching: bookstrack watch \(names)
            """
    }
}

extension JobID {
    /// Minimum length of an abbreviated job identifier.
    static let shortestName = 8

    /// The identifier as commands show it: the first eight characters if it is random, otherwise all of it.
    var short: String { isRandomUUID ? String(text.prefix(Self.shortestName)) : text }
}
