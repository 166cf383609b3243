import BookstrackContract
import Hummingbird
import SuiteMethods

/// `POST /v1/enrichment/batch` and its aliases.
struct BatchRoutes: Sendable {
    let starter: JobStarter
    let bodies: JSONBodies
    let limits: BatchLimits

    var routes: [Route] {
        [
            Route(.post, "/v1/enrichment/batch", limit: .start) { .envelope(.accepted, try await start($0), $1) },
            Route(.post, "/api/enrichment/batch", limit: .start) { .envelope(.accepted, try await start($0), $1) },
            Route(.post, "/api/enrichment/start", limit: .start) { request, context in
                let job = try await start(request)
                var response = Response.json(
                    .accepted, LegacyStartAnswer(data: job, metadata: context.exchange.metadata))
                response.headers.append(contentsOf: Self.deprecation)
                return response
            },
        ]
    }

    private static let deprecation = Deprecation(successor: "/v1/enrichment/batch").fields

    private func start(_ request: Request) async throws -> StartedJob {
        let batch = try await bodies.read(request) { try BatchRequest(body: $0, limits: limits) }
        let job = try await starter.start(batch.jobId, items: batch.items)
        return StartedJob(
            jobId: job.jobId, token: job.token, status: job.status, totalCount: job.totalCount,
            estimate: DurationEstimate(books: job.totalCount))
    }
}
