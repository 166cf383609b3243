import BookstrackContract
import Foundation
import ProgressClient

/// Sends books in batches through the public API, watches each job to its end, and collects the results.
struct EnrichRun {
    /// Longest `Retry-After` that is waited for.
    private static let longestWait = 120
    /// Waits in a row before a busy server is given up.
    private static let waitLimit = 5

    let api: APIClient
    let output: ProgressOutput
    let tokens: TokenStore

    /// What all batches together came to.
    struct Outcome {
        var count: ProgressCount
        var results: [EnrichmentResults] = []
        var failure: String?

        var books: [EnrichedBook] { results.flatMap(\.enrichedBooks) }
    }

    func run(_ books: [BookQuery], batchSize: Int) async throws -> Outcome {
        var outcome = Outcome(count: ProgressCount(total: books.count))
        for start in stride(from: 0, to: books.count, by: batchSize) {
            let batch = Array(books[start..<min(start + batchSize, books.count)])
            let job = try await self.start(batch)
            output.show(outcome.count)
            defer { output.finish() }
            let interrupt = InterruptHandler { WatchRun.leaving(job.jobId) }
            defer { interrupt.cancel() }
            let watch = WatchRun(address: api.http.address, job: job.jobId, token: job.token, output: output)
            switch try await watch.run(&outcome.count) {
            case .completed: break
            case .failed(let payload): outcome.failure = payload.userMessage
            case .cancelled: outcome.failure = "the job was cancelled"
            }
            if outcome.failure != nil { return outcome }
            outcome.results.append(try await api.results(of: job.jobId))
        }
        return outcome
    }

    /// Starts a job under an identifier of its own, so that a repeated start is the same job (spec/02).
    private func start(_ batch: [BookQuery]) async throws -> StartedJob {
        let request = EnrichmentBatchRequest(jobId: .random(), books: batch)
        for waits in 0... {
            do {
                let job = try await api.start(request)
                try tokens.keep(
                    .init(
                        jobId: job.jobId, token: job.token, url: "\(api.http.address)",
                        startedAt: Date.now.ISO8601Format()))
                return job
            } catch let refusal as APIRefusal {
                guard let seconds = refusal.retryAfterSeconds, seconds <= Self.longestWait, waits < Self.waitLimit
                else { throw refusal }
                output.note("The server is busy; trying again in \(seconds) s.")
                try await Task.sleep(for: .seconds(max(1, seconds)))
            }
        }
        throw ClientFailure.timedOut
    }
}
