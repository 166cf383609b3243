/// A message that nobody answers.
package protocol RPCNotification: Sendable {
    associatedtype Parameters: Codable & Sendable
    /// The name on the wire.
    static var name: String { get }
}
