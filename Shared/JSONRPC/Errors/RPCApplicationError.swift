package import NIOCore

/// What a handler throws to answer an error that its callers know by name.
///
/// Becomes `{"code":-32000,"message":…,"data":{"code":"NOT_FOUND","details":{…},"retryAfterSeconds":…}}`.
package struct RPCApplicationError: Error, Equatable, Sendable {
    /// A sentence for people.
    package var message: String
    /// The stable code and what belongs to it.
    package var detail: RPCErrorDetail

    /// - Parameters:
    ///   - code: The stable string, "NOT_FOUND".
    ///   - message: A sentence for people.
    ///   - details: A raw JSON object.
    ///   - retryAfterSeconds: When another try may succeed.
    package init(code: String, message: String, details: ByteBuffer? = nil, retryAfterSeconds: Int? = nil) {
        self.message = message
        detail = RPCErrorDetail(code: code, details: details, retryAfterSeconds: retryAfterSeconds)
    }
}
