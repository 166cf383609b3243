/// WebSocket close codes the server uses (RFC 6455 §7.4.1, websocket.md "Close codes").
public enum CloseCode: UInt16, Codable, Sendable, CaseIterable {
    /// The job ended and its terminal frame was written.
    case normal = 1000
    /// The job was cancelled.
    case goingAway = 1001
    /// Malformed client message.
    case protocolError = 1002
    /// Text of the client that is not UTF-8.
    case invalidPayload = 1007
    /// Token revoked, message flood, policy.
    case policyViolation = 1008
    /// Client message too large.
    case messageTooBig = 1009
    /// The job failed, or an internal error.
    case internalError = 1011
    /// This server restarts: reconnect after a jittered delay.
    case serviceRestart = 1012
    /// Overload or slow reader: retry after 30 s.
    case tryAgainLater = 1013
}
