import JSON
import NIOCore

/// A method: its name and what goes in and out, known to both ends (Services/README.md "JSON-RPC").
package protocol RPCMethod: Sendable {
    associatedtype Parameters: Codable & Sendable
    associatedtype Result: Codable & Sendable
    /// The name on the wire.
    static var name: String { get }
    /// Whether a call that may have been lost may be repeated.
    static var isIdempotent: Bool { get }
    /// How long a caller waits unless it says otherwise; it travels with the call.
    static var deadline: Duration { get }
}

/// A message without an answer.
package protocol RPCNotification: Sendable {
    associatedtype Parameters: Codable & Sendable
    /// The name on the wire.
    static var name: String { get }
}

/// No parameters or no result: `{}` on the wire; any object that arrives in its place is accepted.
package struct Nothing: Codable, Equatable, Sendable {
    package init() {}
}

/// `rpc.ping`: every end answers `{}` at once, before any handler.
enum Ping {
    static let name = "rpc.ping"
    static let body = ByteBuffer(staticString: "{}")
}

/// Tells the peer that an answer is no longer awaited: `$/cancelRequest {"id": 7}`, as the Language Server
/// Protocol does. A late one is not an error.
enum CancelRequest {
    static let name = "$/cancelRequest"

    /// The request's id; nil when the parameters name none.
    static func id(in parameters: ByteBuffer) -> RPCID? {
        guard let envelope = try? EnvelopeScanner.scan(parameters), let slot = envelope.id else { return nil }
        return RPCID(slot, in: parameters)
    }
}
