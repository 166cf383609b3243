package import BookstrackContract
package import JSONRPC

/// `closeConnection(jobId, reason)` of v1, answered by progress-host, and forwarded by api-proxy as `closeJobConnection`.
///
/// Closes the job's sockets with 1012 before the terminal event, as after the end otherwise (websocket.md "Close codes").
/// Application errors: `NOT_FOUND`.
package enum CloseConnection: RPCMethod {
    package typealias Result = Nothing
    package static let name = "closeConnection"
    /// The name api-proxy answers to.
    package static let proxyName = "closeJobConnection"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The job whose sockets are closed.
        package var jobId: JobID
        /// For the close frame.
        package var reason: String?

        package init(jobId: JobID, reason: String?) {
            self.jobId = jobId
            self.reason = reason
        }
    }
}
