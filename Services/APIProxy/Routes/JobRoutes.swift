import BookstrackContract
import HTTPTypes
import Hummingbird
import JSONRPC
import Observability
import SuiteMethods

/// A job's state, its cancel and its retry. All need the job's token (spec/07 "HTTP").
struct JobRoutes: Sendable {
    let host: RPCClient
    let bodies: JSONBodies
    /// `BOOKSTRACK_LEGACY_TOKENLESS`: the `/api/*` cancel accepts the bare jobId.
    let allowsTokenless: Bool

    var routes: [Route] {
        [
            Route(.get, "/v1/jobs/{jobId}", limit: .jobReading) { request, context in
                let access = try Self.access(request, context)
                return .envelope(.ok, try await host.call(ReadJobState.self, access), context)
            },
            Route(.delete, "/v1/jobs/{jobId}") { request, context in
                let access = try Self.access(request, context)
                return .envelope(.ok, try await host.call(CancelJob.self, access), context)
            },
            Route(.post, "/v1/jobs/{jobId}/retry") { request, context in
                let body = try await bodies.readIfPresent(request) { try JobAccessBody($0) }
                let access = try Self.access(request, context, body: body)
                return .envelope(.accepted, try await host.call(RetryJob.self, access), context)
            },
            Route(.post, "/api/enrichment/cancel") { request, context in
                let body = try await bodies.read(request) { try JobAccessBody($0) }
                guard let jobId = body.jobId else { throw APIFailure.invalid("jobId", "is missing") }
                context.exchange.activity.concern(job: jobId.text)
                let token = BearerToken.read(request.headers[.authorization]) ?? body.token
                let access = JobAccess(jobId: jobId, token: token ?? (allowsTokenless ? nil : ""))
                return .envelope(.ok, try await host.call(CancelJob.self, access), context)
            },
        ]
    }

    /// A missing token is asked about like a wrong one, so that both take the same work.
    private static func access(
        _ request: Request, _ context: ProxyContext, body: JobAccessBody? = nil
    ) throws(APIFailure) -> JobAccess {
        let token = BearerToken.read(request.headers[.authorization]) ?? body?.token
        return JobAccess(jobId: try context.jobId(), token: token ?? "")
    }
}

extension ProxyContext {
    /// The `{jobId}` of the path. Throws 400 when it cannot be one.
    func jobId() throws(APIFailure) -> JobID {
        guard let jobId = parameters.get("jobId").flatMap({ JobID($0) }) else {
            throw .invalid("jobId", "must be 8 to 64 characters of A-Z a-z 0-9 _ -")
        }
        exchange.activity.concern(job: jobId.text)
        return jobId
    }
}
