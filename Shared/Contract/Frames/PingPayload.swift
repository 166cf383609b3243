/// `ping`: the server asks for a sign of life (websocket.md "Heartbeat").
public struct PingPayload: FramePayload {
    /// Always `ping`.
    public var type: FrameType
    /// Milliseconds since 1970.
    public var timestamp: Int64

    /// Makes a payload.
    public init(timestamp: Int64) {
        type = .ping
        self.timestamp = timestamp
    }
}
