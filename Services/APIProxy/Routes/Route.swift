import HTTPTypes
import Hummingbird

/// One route of the public or the admin listener.
struct Route: Sendable {
    typealias Handler = @Sendable (Request, ProxyContext) async throws -> Response

    var method: HTTPRequest.Method
    /// A path whose segments in braces match anything.
    var path: String
    /// The limit that its requests count under.
    var limit: RequestClass
    var handler: Handler

    init(
        _ method: HTTPRequest.Method, _ path: String, limit: RequestClass = .ordinary, _ handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.limit = limit
        self.handler = handler
    }
}
