package import NIOCore

/// The `data` of an application error: `{"code":"NOT_FOUND","details":{…},"retryAfterSeconds":5}` (Services/README.md "JSON-RPC").
package struct RPCErrorDetail: Equatable, Sendable {
    /// The stable string that maps one to one to HTTP and WebSocket codes.
    package var code: String
    /// A raw JSON object.
    package var details: ByteBuffer?
    /// When another try makes sense; nil when unknown.
    package var retryAfterSeconds: Int?

    package init(code: String, details: ByteBuffer? = nil, retryAfterSeconds: Int? = nil) {
        self.code = code
        self.details = details
        self.retryAfterSeconds = retryAfterSeconds
    }
}
