import JSON
import NIOCore

/// A method: its name, parameters and result, known to both ends (Services/README.md "JSON-RPC").
package protocol RPCMethod: Sendable {
    associatedtype Parameters: Codable & Sendable
    associatedtype Result: Codable & Sendable
    /// The name on the wire.
    static var name: String { get }
    /// Whether a call may be repeated if it might have been lost.
    static var isIdempotent: Bool { get }
    /// How long a caller waits if it sets no deadline of its own. The deadline is sent with the call.
    static var deadline: Duration { get }
}

/// A message without a response.
package protocol RPCNotification: Sendable {
    associatedtype Parameters: Codable & Sendable
    /// The name on the wire.
    static var name: String { get }
}

/// No parameters or no result. It is sent as `{}`; a received value is not examined.
package struct Nothing: Codable, Equatable, Sendable {
    package init() {}
}

/// `rpc.ping`: either end answers `{}` immediately, without a handler.
enum Ping {
    static let name = "rpc.ping"
    static let body = ByteBuffer(staticString: "{}")
}

/// Notifies the peer that a response is no longer awaited: `$/cancelRequest {"id": 7}`, as in the Language Server Protocol. A late cancellation is
/// not an error.
enum CancelRequest {
    static let name = "$/cancelRequest"

    /// The request's id; nil if the parameters do not contain one.
    static func id(in parameters: ByteBuffer) -> RPCID? {
        guard let envelope = try? EnvelopeScanner.scan(parameters), let slot = envelope.id else { return nil }
        return RPCID(slot, in: parameters)
    }
}
