/// Why a transfer has no complete answer. A status of 4xx or 5xx is an answer.
package enum TransferError: Error, Hashable, Sendable {
    /// A span of ``TransferTimeouts`` ran out.
    case timedOut(TransferPhase)
    /// The name did not resolve, nobody listened, TLS failed, or the connection broke before the answer was complete.
    /// `reason` is libcurl's own sentence.
    case connectionFailed(reason: String)
    /// The name resolves to an address that ``HopTrust/foreign`` does not allow.
    case privateAddress
    /// The head or body exceeds ``TransferLimits``.
    case tooLarge
    /// The answer is no HTTP, or its encoding is broken.
    case malformedAnswer(reason: String)
    /// The URL or an option was refused before anything was sent.
    case invalidRequest(reason: String)
    /// The engine's queue is full, or the deadline passed in it.
    case saturated
    /// The calling task was cancelled.
    case cancelled
    /// The engine was shut down.
    case stopped

    /// A stable name for logs and metrics.
    package var code: String {
        switch self {
        case .timedOut(let phase): "timeout_\(phase.rawValue)"
        case .connectionFailed: "connection_failed"
        case .privateAddress: "private_address"
        case .tooLarge: "too_large"
        case .malformedAnswer: "malformed_answer"
        case .invalidRequest: "invalid_request"
        case .saturated: "saturated"
        case .cancelled: "cancelled"
        case .stopped: "stopped"
        }
    }
}
