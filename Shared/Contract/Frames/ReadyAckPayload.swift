/// `ready_ack`: the answer to a client's `ready` (websocket.md "Payloads").
public struct ReadyAckPayload: FramePayload {
    /// Always `ready_ack`.
    public var type: FrameType
    /// Milliseconds since 1970.
    public var timestamp: Int64

    /// Makes a payload.
    public init(timestamp: Int64) {
        type = .readyAck
        self.timestamp = timestamp
    }
}
