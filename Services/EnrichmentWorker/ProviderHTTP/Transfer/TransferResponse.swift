package import Foundation

/// A complete answer to a ``TransferRequest``, whatever its status.
package struct TransferResponse: Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The decoded body.
    package let body: Data
    /// The `Retry-After` header as sent.
    package let retryAfter: String?
    /// Where a redirect (301, 302, 303, 307, 308) leads, as an absolute URL.
    package let redirectTarget: String?
    /// Body bytes on the wire, before decoding.
    package let wireBytes: Int
    /// Whether the request went over a connection that an earlier one had opened.
    package let reusedConnection: Bool
}
