package import NIOCore
package import NIOHTTP1

/// One request of the API.
package struct HTTPCall: Sendable {
    package var method: HTTPMethod
    /// Path below the server's base path, with the query.
    package var path: String
    package var headers: HTTPHeaders
    package var body: ByteBuffer?
    /// Longest wait for the whole answer.
    package var timeout: Duration

    package init(
        _ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], body: ByteBuffer? = nil,
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }

    /// A plain GET.
    package static func get(_ path: String, timeout: Duration) -> HTTPCall { HTTPCall(.GET, path, timeout: timeout) }

    /// Whether it may be sent again when a kept connection turns out to be closed (RFC 9110 §9.2.2).
    var isIdempotent: Bool { [.GET, .HEAD, .PUT, .DELETE, .OPTIONS].contains(method) }
}
