import BookstrackContract
import Foundation
import HTTPTypes
import Hummingbird
import SuiteMethods

/// `POST /v1/enrichment/batch` and its aliases.
struct BatchRoutes: Sendable {
    let starter: JobStarter
    let bodies: JSONBodies
    let limits: BatchLimits
    let trustedProxies: TrustedProxies
    /// When the deprecated routes will be removed (`BOOKSTRACK_SUNSET`).
    let sunset: Date

    var routes: [Route] {
        [
            Route(.post, "/v1/enrichment/batch", limit: .start) { .envelope(.accepted, try await start($0, $1), $1) },
            Route(.post, "/api/enrichment/batch", limit: .start) { .envelope(.accepted, try await start($0, $1), $1) },
            Route(.post, "/api/enrichment/start", limit: .start) { request, context in
                // The example in this route's original documentation starts a job named `test`, and clients of the route accept only status 200
                // (http-api.md "Routes").
                let job = try await start(request, context, shortestJobID: JobID.shortest)
                var response = Response.json(
                    .ok, LegacyStartAnswer(data: job, metadata: context.exchange.metadata))
                let deprecation = Deprecation(successor: "/v1/enrichment/batch", sunset: sunset)
                response.headers.append(contentsOf: deprecation.fields())
                return response
            },
        ]
    }

    private func start(
        _ request: Request, _ context: ProxyContext, shortestJobID: Int = JobID.shortestNew
    ) async throws -> StartedJob {
        var limits = limits.limits(ofShippedApp: request.isOfShippedApp)
        limits.shortestJobID = shortestJobID
        let batch = try await bodies.read(request, context) { try BatchRequest(body: $0, limits: limits) }
        let job = try await starter.start(
            batch.jobId, items: batch.items, origin: origin(of: request, context, batch))
        return StartedJob(job)
    }

    /// The origin of a start. Budget shares are counted by address, like limits, because only progress-host can distinguish a valid token from an
    /// invented one.
    private func origin(of request: Request, _ context: ProxyContext, _ batch: BatchRequest) -> JobOrigin {
        return JobOrigin(
            client: trustedProxies.shareKey(peer: context.peer, fields: request.headers),
            shownToken: BearerToken.read(request.headers[.authorization]) ?? batch.token,
            priority: batch.priority, completionBooks: request.isOfShippedApp ? .enriched : .none,
            source: batch.source, callbackURL: batch.callbackURL)
    }
}

extension Request {
    private static let clientVersion = HTTPField.Name.known("X-Client-Version")

    /// Whether the request comes from a shipped app, identified by a client version such as `ios-2.4.0` (websocket.md
    /// "Payloads").
    fileprivate var isOfShippedApp: Bool { headers[Self.clientVersion]?.hasPrefix("ios-") == true }
}

extension StartedJob {
    /// The response to the start of a batch enrichment or of the lookup of one book.
    init(_ job: CreatedJob) {
        self.init(
            jobId: job.jobId, token: job.token, status: job.status, totalCount: job.totalCount,
            estimate: DurationEstimate(books: job.totalCount))
    }
}

/// Response of the deprecated `/api/enrichment/start`: the envelope, with the members of `data` repeated at the top level and `metadata` repeated as
/// `meta` (http-api.md "Envelope").
struct LegacyStartAnswer: Encodable {
    var data: StartedJob
    var metadata: ResponseMetadata

    private enum CodingKeys: String, CodingKey { case data, metadata, meta }

    func encode(to encoder: any Encoder) throws {
        try data.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(data, forKey: .data)
        try container.encode(metadata, forKey: .metadata)
        try container.encode(metadata, forKey: .meta)
    }
}
