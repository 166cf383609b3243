/// Why a connection failed.
package enum ConnectionFault: String, Hashable, Sendable, CaseIterable {
    /// The name did not resolve.
    case name = "dns"
    /// No connection could be opened, for example because it was refused, or because the process at a Unix socket belongs to another user.
    case unreachable
    /// TLS could not be established, for example because the certificate is not trusted.
    case tls
    /// The connection to or through the proxy failed.
    case proxy
    /// The connection broke before the response was complete.
    case broken = "connection"

    /// The failure as a clause for operators.
    package var words: String {
        switch self {
        case .name: "its host name does not resolve"
        case .unreachable: "it cannot be reached"
        case .tls: "the TLS handshake fails"
        case .proxy: "the proxy fails"
        case .broken: "the connection drops"
        }
    }
}

/// Why a transfer has no complete response. A response with a status of 4xx or 5xx can be complete.
package enum TransferError: Error, Hashable, Sendable {
    /// One of the ``TransferTimeouts`` expired, or ``TransferRequest/deadline`` passed, during this phase.
    case timedOut(TransferPhase)
    /// There was no connection, or it broke before the response was complete. `reason` is a technical message, usually from libcurl.
    case connectionFailed(ConnectionFault, reason: String)
    /// The host resolves to an address to which this request must not be sent (``HopTrust/foreign``, ``TransferRequest/address``), or a proxy would
    /// have to resolve a name that is not public.
    case privateAddress
    /// The head or body exceeds ``TransferLimits`` or ``TransferRequest/answerLimit``.
    case tooLarge
    /// The response is not valid HTTP, or its encoding is broken.
    case malformedAnswer(reason: String)
    /// libcurl refused the request, or the request body could not be read.
    case invalidRequest(reason: String)
    /// The engine's queue is full, the request waited in it for too long (``TransferRequest/deadline``), or there is no memory for a transfer.
    case saturated
    /// The calling task was cancelled.
    case cancelled
    /// The engine was shut down, or could not be started.
    case stopped

    /// A stable name for logs and metrics.
    package var code: String {
        switch self {
        case .timedOut(let phase): "timeout_\(phase.rawValue)"
        case .connectionFailed(let fault, _): "connection_failed_\(fault.rawValue)"
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

/// The phase that a transfer is in, or in which it timed out.
package enum TransferPhase: String, Hashable, Sendable {
    /// Resolving the name, connecting, TLS.
    case connect
    /// Sending the request and waiting for the first byte of the response.
    case firstByte = "first_byte"
    /// Receiving the response.
    case total
}
