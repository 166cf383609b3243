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
