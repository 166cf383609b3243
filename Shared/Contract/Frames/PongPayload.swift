/// `pong`: the answer to a client's `ping` (websocket.md "Payloads").
public struct PongPayload: FramePayload {
    /// Always `pong`.
    public var type: FrameType
    /// Milliseconds since 1970.
    public var timestamp: Int64
    /// The client's own time, echoed.
    public var clientTime: Int64?
    /// Milliseconds between the client's time and the server's; may be negative when the clocks differ. Absent when the client's
    /// time is no sensible number.
    public var latency: Int64?

    /// Makes a payload.
    public init(timestamp: Int64, clientTime: Int64?) {
        type = .pong
        self.timestamp = timestamp
        self.clientTime = clientTime
        latency = clientTime.flatMap { clientTime in
            let (latency, overflow) = timestamp.subtractingReportingOverflow(clientTime)
            return overflow ? nil : latency
        }
    }
}
