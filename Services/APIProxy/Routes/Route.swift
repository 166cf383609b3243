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
    /// What the router calls; nil where ``loopHandler`` answers every request.
    var handler: Handler?
    /// What is asked first; with GET it answers HEAD too.
    var loopHandler: LoopHandler?

    init(
        _ method: HTTPRequest.Method, _ path: String, limit: RequestClass = .ordinary, _ handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.limit = limit
        self.handler = handler
    }

    /// A GET route whose requests are all answered on their event loop.
    init(onLoop path: String, limit: RequestClass, _ handler: @escaping LoopHandler) {
        method = .get
        self.path = path
        self.limit = limit
        loopHandler = handler
    }
}
