/// `type` of a frame in either direction (websocket.md "Frames").
public enum FrameType: String, Codable, Sendable, CaseIterable {
    case jobStarted = "job_started"
    case jobProgress = "job_progress"
    case jobComplete = "job_complete"
    case error
    case ready
    case readyAck = "ready_ack"
    case reconnected
    case ping
    case pong
}
