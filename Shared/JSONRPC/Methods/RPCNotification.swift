/// A message without an answer.
package protocol RPCNotification: Sendable {
    associatedtype Parameters: Codable & Sendable
    /// The name on the wire.
    static var name: String { get }
}
