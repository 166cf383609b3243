/// `reconnected`: the true state for a client that came back (websocket.md "Connection lifetime" and "Payloads").
public struct ReconnectedPayload: FramePayload {
    /// Always `reconnected`.
    public var type: FrameType
    /// From 0 to 1.
    public var progress: Double
    /// The job's state, for example "processing".
    public var status: JobStatus
    /// Items that were done.
    public var processedCount: Int
    /// The same number, for clients that read snake case.
    public var processed_count: Int
    /// Items in all.
    public var totalCount: Int
    /// The same number, for clients that read snake case.
    public var total_count: Int
    /// Milliseconds since 1970 of the newest event.
    public var lastUpdate: Int64
    /// The same number, for clients that read snake case.
    public var last_update: Int64
    /// A sentence for people.
    public var message: String
    /// Whether every event after the asked `since` follows.
    public var recovered: Bool

    /// Makes a payload.
    public init(status: JobStatus, counts: JobCounts, lastUpdate: Int64, message: String, recovered: Bool) {
        type = .reconnected
        progress = counts.progress
        self.status = status
        processedCount = counts.processed
        processed_count = counts.processed
        totalCount = counts.total
        total_count = counts.total
        self.lastUpdate = lastUpdate
        last_update = lastUpdate
        self.message = message
        self.recovered = recovered
    }
}
