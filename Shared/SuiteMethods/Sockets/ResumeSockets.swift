package import BookstrackContract
package import JSONRPC

/// Re-attaches live sockets after progress-host or the connection to it was restarted (Services/README.md rule 5). From api-proxy,
/// in pages of at most 2 000.
///
/// The host goes on after `lastSeq` with the stored events, so that clients notice nothing. A socket that cannot be resumed
/// gets a `CloseSockets`.
package enum ResumeSockets: RPCMethod {
    package typealias Result = Nothing
    package static let name = "sockets.resume"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    /// A socket that outlived the connection to progress-host.
    package struct LiveSocket: Codable, Sendable {
        /// The name that the proxy gave it.
        package var socket: SocketID
        /// The job that it watches.
        package var jobId: JobID
        /// As ``OpenSocket`` answered it.
        package var tokenNumber: Int64?
        /// Highest `seq` of a job event that was handed to the socket.
        package var lastSeq: Int
        /// Whether the socket's stream has begun, that is whether any job event or `reconnected` was handed to it.
        package var begun: Bool
        /// Whether it speaks the v1 dialect.
        package var v1: Bool
        /// What the client asked for when it connected, as long as its stream has not begun.
        package var reconnect: Bool
        /// `since=SEQ`, under the same condition.
        package var since: Int?

        package init(
            socket: SocketID, jobId: JobID, tokenNumber: Int64?, lastSeq: Int, begun: Bool, v1: Bool,
            reconnect: Bool, since: Int?
        ) {
            self.socket = socket
            self.jobId = jobId
            self.tokenNumber = tokenNumber
            self.lastSeq = lastSeq
            self.begun = begun
            self.v1 = v1
            self.reconnect = reconnect
            self.since = since
        }
    }

    package struct Parameters: Codable, Sendable {
        /// The page.
        package var sockets: [LiveSocket]

        package init(sockets: [LiveSocket]) { self.sockets = sockets }
    }
}
