import BookstrackContract
import Foundation
import ProgressClient

/// Sends books in batches through the public API, watches each job to its end, and collects the results.
struct EnrichRun {
    let api: APIClient
    let output: ProgressOutput
    let tokens: TokenStore
    var calls = PatientCalls()

    /// What all batches together came to.
    struct Outcome {
        var count: ProgressCount
        var results: [EnrichmentResults] = []
        /// Why the run ended before its last batch was done.
        var failure: CommandFailure?

        var books: [EnrichedBook] { results.flatMap(\.enrichedBooks) }
    }

    /// Runs batch after batch up to the first that fails; the results before it, and what can be read of it, are kept.
    func run(_ books: [BookQuery], batchSize: Int) async -> Outcome {
        var outcome = Outcome(count: ProgressCount(total: books.count))
        for start in stride(from: 0, to: books.count, by: batchSize) {
            let end = min(start + batchSize, books.count)
            do {
                try await run(Array(books[start..<end]), &outcome)
            } catch {
                let failure = CommandFailure(error)
                let unsent = books.count - end
                outcome.failure = unsent == 0 ? failure : failure.adding("books not sent: \(unsent)")
                break
            }
        }
        return outcome
    }

    private func run(_ batch: [BookQuery], _ outcome: inout Outcome) async throws {
        let job = try await start(batch)
        output.note("Job \(job.jobId), \(batch.count) \(batch.count == 1 ? "book" : "books")")
        keepToken(of: job)
        output.show(outcome.count)
        if let ending = try await watch(job, &outcome) {
            // What was found before such an end is worth having, and why there is none says less than the end itself.
            if let partial = try? await api.results(of: job.jobId) { outcome.results.append(partial) }
            throw CommandFailure(.jobFailed, ending).about(job.jobId)
        }
        do {
            outcome.results.append(try await calls.make(output) { try await api.results(of: job.jobId) })
        } catch {
            throw CommandFailure(error).about(job.jobId)
                .adding("read the results with: bookstrack results \(job.jobId)")
        }
    }

    /// Starts a job under an identifier of its own, so that a repeated start is the same job (spec/02).
    private func start(_ batch: [BookQuery]) async throws -> StartedJob {
        let job = JobID.random()
        do {
            return try await calls.make(output) {
                try await api.start(EnrichmentBatchRequest(jobId: job, books: batch))
            }
        } catch let failure as ClientFailure where failure.mayHaveArrived {
            throw CommandFailure(failure).about(job).adding("it may run; look with: bookstrack results \(job)")
        }
    }

    /// The job runs, and its results need no token: a file that cannot be written is no reason to give up.
    private func keepToken(of job: StartedJob) {
        do {
            try tokens.keep(
                .init(
                    jobId: job.jobId, token: job.token, url: "\(api.http.address)",
                    startedAt: Date.now.ISO8601Format()))
        } catch {
            output.note(Self.warning(of: job, CommandFailure(error)))
        }
    }

    /// Tells the user the token that could not be kept.
    static func warning(of job: StartedJob, _ failure: CommandFailure) -> String {
        "Warning: \(failure.message). To watch or cancel job \(job.jobId) later, add --token \(job.token)"
    }

    /// Watches a job to its end; nil when it was completed, else why it was not.
    private func watch(_ job: StartedJob, _ outcome: inout Outcome) async throws -> String? {
        defer { output.finish() }
        let over = outcome.results.map(\.jobId)
        let interrupt = InterruptHandler { WatchRun.leaving(job.jobId, after: over) }
        defer { interrupt.cancel() }
        let watch = WatchRun(address: api.http.address, job: job.jobId, token: job.token, output: output)
        do {
            switch try await watch.run(&outcome.count) {
            case .completed: return nil
            case .failed(let payload): return payload.userMessage
            case .cancelled: return "it was cancelled"
            }
        } catch {
            throw CommandFailure(error).about(job.jobId).adding("watch it again with: bookstrack watch \(job.jobId)")
        }
    }
}
