/// The part of a transfer that a time-out ended.
package enum TransferPhase: String, Hashable, Sendable {
    /// Resolving the name, connecting, TLS.
    case connect
    /// Waiting for the first byte of the answer.
    case firstByte = "first_byte"
    /// Receiving the answer.
    case total
}
