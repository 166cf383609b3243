import BookstrackContract
import HTTPTypes
import Hummingbird
import SuiteMethods

/// `POST /v1/enrichment/batch` and its aliases.
struct BatchRoutes: Sendable {
    let starter: JobStarter
    let bodies: JSONBodies
    let limits: BatchLimits
    let trustedProxies: TrustedProxies

    var routes: [Route] {
        [
            Route(.post, "/v1/enrichment/batch", limit: .start) { .envelope(.accepted, try await start($0, $1), $1) },
            Route(.post, "/api/enrichment/batch", limit: .start) { .envelope(.accepted, try await start($0, $1), $1) },
            Route(.post, "/api/enrichment/start", limit: .start) { request, context in
                let job = try await start(request, context)
                var response = Response.json(
                    .accepted, LegacyStartAnswer(data: job, metadata: context.exchange.metadata))
                response.headers.append(contentsOf: Self.deprecation)
                return response
            },
        ]
    }

    private static let deprecation = Deprecation(successor: "/v1/enrichment/batch").fields

    private func start(_ request: Request, _ context: ProxyContext) async throws -> StartedJob {
        let batch = try await bodies.read(request) { try BatchRequest(body: $0, limits: limits) }
        let job = try await starter.start(
            batch.jobId, items: batch.items, origin: origin(of: request, context, batch))
        return StartedJob(
            jobId: job.jobId, token: job.token, status: job.status, totalCount: job.totalCount,
            estimate: DurationEstimate(books: job.totalCount))
    }

    /// Shares are counted by address, like limits: a token cannot be told from an invented one before progress-host has seen it.
    private func origin(of request: Request, _ context: ProxyContext, _ batch: BatchRequest) -> JobOrigin {
        let isShippedApp = request.headers[Self.clientVersion]?.hasPrefix("ios-") == true
        return JobOrigin(
            client: trustedProxies.clientAddress(peer: context.peer, fields: request.headers).limitKey,
            shownToken: BearerToken.read(request.headers[.authorization]) ?? batch.token,
            priority: batch.priority, completionBooks: isShippedApp ? .enriched : .none)
    }

    private static let clientVersion = HTTPField.Name.known("X-Client-Version")
}
