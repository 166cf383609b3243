/// The envelope of every frame from the server about a job, except in the v1 dialect (websocket.md "Frames").
public struct ServerFrame<Payload: FramePayload>: Codable, Sendable, Equatable {
    /// The same text as `payload.type`.
    public var type: FrameType
    /// Identifier of the followed job.
    public var jobId: JobID
    /// The job's kind.
    public var pipeline: Pipeline
    /// When the frame was created, in milliseconds since 1970.
    public var timestamp: Int64
    /// Always "1.0.0".
    public var version: String
    /// Sequence number of the job event. A frame that is not an event has the number of the last event on its connection; before the first event,
    /// this is 0 or the number specified by `since=`.
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

/// The `type` of a frame from the server, and `ready`, which only clients send (websocket.md "Frames"). A frame that is stored and replayed also has
/// an `EventKind` in progress-host.
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
    case batchInit = "batch-init"
    case batchProgress = "batch-progress"
    case batchComplete = "batch-complete"
    case batchCanceling = "batch-canceling"
    case resultsUpdated = "results_updated"
}

/// The payload of a `ServerFrame`. It repeats the frame's type, because older decoders read the type there.
public protocol FramePayload: Codable, Sendable, Equatable {
    /// The frame's type.
    var type: FrameType { get }
}

/// `ready_ack`: the response to a client's `ready` (websocket.md "Payloads").
public struct ReadyAckPayload: FramePayload {
    /// Always `ready_ack`.
    public var type: FrameType
    /// The server's time, in milliseconds since 1970.
    public var timestamp: Int64

    /// Creates a payload.
    public init(timestamp: Int64) {
        type = .readyAck
        self.timestamp = timestamp
    }
}

/// `ping`: the server checks whether the client is alive (websocket.md "Heartbeat").
public struct PingPayload: FramePayload {
    /// Always `ping`.
    public var type: FrameType
    /// The server's time, in milliseconds since 1970.
    public var timestamp: Int64

    /// Creates a payload.
    public init(timestamp: Int64) {
        type = .ping
        self.timestamp = timestamp
    }
}

/// `pong`: the response to a client's `ping` (websocket.md "Payloads").
public struct PongPayload: FramePayload {
    /// Always `pong`.
    public var type: FrameType
    /// The server's time, in milliseconds since 1970.
    public var timestamp: Int64
    /// The `clientTime` of the ping, echoed; absent if it had none.
    public var clientTime: Int64?
    /// The server's time minus the client's, in milliseconds; may be negative if the clocks differ. Absent if the client sent no time, or one so far
    /// off that the difference overflows.
    public var latency: Int64?

    /// Creates a payload.
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

/// `results_updated`: the results of an ended job have improved (websocket.md "Following the results"). The frame is not a job event.
public struct ResultsUpdatedPayload: FramePayload {
    /// Always `results_updated`.
    public var type: FrameType
    /// See `EnrichmentResults.resultsRevision`.
    public var resultsRevision: Int
    /// Number of rows improved in this round.
    public var improved: Int
    /// A sentence for users.
    public var message: String

    /// Creates a payload.
    public init(resultsRevision: Int, improved: Int) {
        type = .resultsUpdated
        self.resultsRevision = resultsRevision
        self.improved = improved
        message = StatusText.moreMetadata(books: improved)
    }
}

/// WebSocket close codes used by the server (RFC 6455 §7.4.1, websocket.md "Close codes").
public enum CloseCode: UInt16, Codable, Sendable, CaseIterable {
    /// The job was completed and its last frame was written, or its results are no longer followed.
    case normal = 1000
    /// The job was cancelled.
    case goingAway = 1001
    /// The client sent a malformed message.
    case protocolError = 1002
    /// The client sent text that is not valid UTF-8.
    case invalidPayload = 1007
    /// The token was revoked, there is no such job, the client flooded the server with messages, or it violated another policy.
    case policyViolation = 1008
    /// The client sent a message that is too large.
    case messageTooBig = 1009
    /// The job failed or is no longer stored, or there was an internal error.
    case internalError = 1011
    /// The server is restarting, or an operator closed the connection: reconnect after a delay with jitter.
    case serviceRestart = 1012
    /// The connection cannot continue at the moment, for example because of overload or a slow or silent client: reconnect after 30 s.
    case tryAgainLater = 1013
}
