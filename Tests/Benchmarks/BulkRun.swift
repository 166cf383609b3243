import BookstrackContract
import NIOCore
import ProgressClient
import SuiteFixture

/// One large job through the public API, watched to its end.
struct BulkRun {
    struct Outcome {
        var job: StartedJob
        var succeeded: Int
        var completedAt: ContinuousClock.Instant
    }

    static func run(_ suite: Suite, isbns: [String]) async throws -> Outcome {
        let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
        let socket = try await ProgressSocket.connect(
            to: suite.address, path: "\(job.websocketUrl)&token=\(job.token)")
        try await socket.send(text: #"{"type":"ready"}"#)
        for await event in socket.events {
            guard let message = event.message, case .complete(let payload) = try ProgressFrame(message).content else {
                continue
            }
            return Outcome(job: job, succeeded: payload.successCount, completedAt: .now)
        }
        throw ServiceProcess.Failure(description: "the socket closed before the job was complete")
    }

    /// Waits until every found book has what only the work knows.
    static func waitForWorkFacts(
        _ suite: Suite, _ outcome: Outcome, limit: Duration
    ) async throws -> ContinuousClock.Instant {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            let results = try await suite.api.results(of: outcome.job.jobId)
            let lacking = results.enrichedBooks.filter { $0.success && $0.enriched?.work.firstPublicationYear == nil }
            if lacking.isEmpty { return .now }
            try await Task.sleep(for: .milliseconds(500))
        }
        throw ServiceProcess.Failure(description: "work facts did not arrive within \(limit)")
    }
}
