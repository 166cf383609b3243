import BookstrackContract
import HTTPTypes
import Hummingbird
import JSON
import JSONRPC
import Observability
import SuiteMethods

/// Cancelling and retrying jobs. All of these routes require the job's token (http-api.md "Job state"), except that the cancel routes of the shipped
/// apps need none if the jobId is a version 4 UUID or `BOOKSTRACK_LEGACY_TOKENLESS` is on (websocket.md "Cancelling").
struct JobRoutes: Sendable {
    let host: RPCClient
    let bodies: JSONBodies

    var routes: [Route] {
        [
            Route(.delete, "/v1/jobs/{jobId}") { request, context in
                let outcome = try await call(CancelJob.self, request, context)
                return .envelope(.ok, outcome, context)
            },
            Route(.post, "/v1/jobs/{jobId}/retry") { request, context in
                let body = try await bodies.readIfPresent(request, context) { try JobAccessBody($0) }
                let outcome = try await call(RetryJob.self, request, context, body: body)
                return .envelope(.accepted, outcome, context)
            },
            cancelByBody("/api/enrichment/cancel"),
            cancelByBody("/api/scan-bookshelf/cancel"),
            Route(.post, "/v1/csv/cancel/{jobId}") { request, context in
                let body = try await bodies.readIfPresent(request, context) { try JobAccessBody($0) }
                return try await cancel(try context.jobId(), body, request, context)
            },
        ]
    }

    /// A cancel route whose body specifies the job.
    private func cancelByBody(_ path: String) -> Route {
        Route(.post, path) { request, context in
            let body = try await bodies.read(request, context) { try JobAccessBody($0) }
            guard let jobId = body.jobId else { throw APIFailure.invalid("jobId", "is missing") }
            context.exchange.activity.concern(job: jobId.text)
            return try await cancel(jobId, body, request, context)
        }
    }

    private func cancel(
        _ jobId: JobID, _ body: JobAccessBody?, _ request: Request, _ context: ProxyContext
    ) async throws -> Response {
        let token = BearerToken.read(request.headers[.authorization]) ?? body?.token
        let outcome = try await host.call(CancelJob.self, JobAccess(jobId: jobId, token: token))
        return .envelope(.ok, outcome, context)
    }

    private func call<Method: RPCMethod>(
        _ method: Method.Type, _ request: Request, _ context: ProxyContext, body: JobAccessBody? = nil
    ) async throws -> Method.Result where Method.Parameters == JobAccess {
        let token = BearerToken.read(request.headers[.authorization]) ?? body?.token
        return try await host.call(method, of: try context.jobId(), token: token)
    }
}

extension RPCClient {
    /// Makes a call that requires the job's token. A missing token takes the same path as a wrong one, so the response time reveals nothing; only the
    /// error message differs.
    func call<Method: RPCMethod>(
        _ method: Method.Type, of jobId: JobID, token: String?
    ) async throws -> Method.Result where Method.Parameters == JobAccess {
        do {
            return try await call(method, JobAccess(jobId: jobId, token: token ?? ""))
        } catch {
            throw error.refusal(of: token)
        }
    }
}

extension RPCError {
    /// The error of a call that requires the job's token. If the client has sent none, the error says what to send.
    func refusal(of token: String?) -> any Error {
        token == nil && applicationCode == APIErrorCode.unauthorized.rawValue ? APIFailure.tokenMissing : self
    }
}

extension ProxyContext {
    /// The `{jobId}` of the path. Throws 400 if it is not a valid identifier.
    func jobId() throws(APIFailure) -> JobID {
        guard let jobId = parameters.get("jobId").flatMap({ JobID($0) }) else {
            throw .invalid("jobId", JobID.rule())
        }
        exchange.activity.concern(job: jobId.text)
        return jobId
    }
}

/// `POST /api/token/refresh` and its alias; the 200 response has no envelope (http-api.md "Envelope").
struct TokenRoutes: Sendable {
    let host: RPCClient
    let bodies: JSONBodies

    var routes: [Route] {
        ["/api/token/refresh", "/v1/token/refresh"].map { path in
            Route(.post, path) { request, context in
                let body = try await bodies.read(request, context) { try Self.parse($0) }
                context.exchange.activity.concern(job: body.jobId.text)
                return .json(.ok, try await host.call(RefreshToken.self, body))
            }
        }
    }

    private static func parse(_ bytes: [UInt8]) throws -> TokenRefreshRequest {
        var jobId: JobID?
        var oldToken: String?
        try JSONReader.readBody(bytes) { reader, key in
            switch key {
            case "jobId": jobId = try reader.readJobID(at: key)
            case "oldToken": oldToken = try reader.readText(at: key, limit: JobAccessBody.maxTokenLength)
            default: try reader.skipValue()
            }
        }
        guard let jobId else { throw APIFailure.invalid("jobId", "is missing") }
        guard let oldToken else { throw APIFailure.invalid("oldToken", "is missing") }
        return TokenRefreshRequest(jobId: jobId, oldToken: oldToken)
    }
}

/// Body of a request to cancel or retry a job: `{jobId?, token?}`.
struct JobAccessBody {
    /// Maximum length of a token in a body or message, in characters; progress-host's tokens are shorter.
    static let maxTokenLength = 512

    var jobId: JobID?
    var token: String?

    /// Reads a body. Throws `APIFailure`.
    init(_ bytes: [UInt8]) throws {
        var jobId: JobID?
        var token: String?
        try JSONReader.readBody(bytes) { reader, key in
            switch key {
            case "jobId": jobId = try reader.readJobID(at: key)
            case "token": token = try reader.readText(at: key, limit: Self.maxTokenLength)
            default: try reader.skipValue()
            }
        }
        self.jobId = jobId
        self.token = token
    }
}

/// `Authorization: Bearer …` (RFC 6750 §2.1; the scheme's case does not matter, RFC 9110 §11.1).
enum BearerToken {
    /// The token in a field value; nil if there is none, as with any other scheme.
    static func read(_ field: String?) -> String? {
        guard let parts = field?.split(separator: " ", omittingEmptySubsequences: true), parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return String(parts[1])
    }
}
