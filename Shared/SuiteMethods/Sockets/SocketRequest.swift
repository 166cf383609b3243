package import BookstrackContract

/// What a client asked for when it connected (websocket.md "Upgrade").
package struct SocketRequest: Codable, Sendable {
    /// The job to watch.
    package var jobId: JobID
    /// Nil for a tokenless connection.
    package var token: String?
    /// `reconnect=true`.
    package var reconnect: Bool
    /// `since=SEQ`.
    package var since: Int?
    /// `protocol=1`.
    package var v1: Bool

    package init(jobId: JobID, token: String?, reconnect: Bool, since: Int?, v1: Bool) {
        self.jobId = jobId
        self.token = token
        self.reconnect = reconnect
        self.since = since
        self.v1 = v1
    }
}
