/// The envelope of every frame the server sends on a progress socket (websocket.md "Frames").
public struct ServerFrame<Payload: FramePayload>: Codable, Sendable, Equatable {
    /// The same text as `payload.type`.
    public var type: FrameType
    /// The job that is watched.
    public var jobId: JobID
    /// The job's kind.
    public var pipeline: Pipeline
    /// Milliseconds since 1970, when the frame was made.
    public var timestamp: Int64
    /// Always "1.0.0".
    public var version: String
    /// Number of the job event. A frame that is no event has that of the last event sent on its connection, 0 before the first, and with
    /// `since=` the given number.
    public var seq: Int
    /// The frame's content.
    public var payload: Payload

    /// Wraps `payload`.
    public init(jobId: JobID, pipeline: Pipeline, timestamp: Int64, seq: Int, payload: Payload) {
        type = payload.type
        self.jobId = jobId
        self.pipeline = pipeline
        self.timestamp = timestamp
        version = "1.0.0"
        self.seq = seq
        self.payload = payload
    }
}
