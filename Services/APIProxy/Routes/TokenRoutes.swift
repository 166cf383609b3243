import BookstrackContract
import Hummingbird
import JSONRPC
import Observability
import SuiteMethods

/// `POST /api/token/refresh` and its alias; the 200 is flat (http-api.md "Envelope").
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
            case "oldToken": oldToken = try reader.readText(at: key, limit: JobAccessBody.longestToken)
            default: try reader.skipValue()
            }
        }
        guard let jobId else { throw APIFailure.invalid("jobId", "is missing") }
        guard let oldToken else { throw APIFailure.invalid("oldToken", "is missing") }
        return TokenRefreshRequest(jobId: jobId, oldToken: oldToken)
    }
}
