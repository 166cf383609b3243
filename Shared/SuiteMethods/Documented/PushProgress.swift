package import BookstrackContract
package import JSONRPC

/// `pushProgress(jobId, …)` of v1, answered by progress-host, and forwarded by api-proxy as `pushJobProgress`.
///
/// From outside the engine it changes the status text only; counts come from items (Services/README.md "JSON-RPC").
/// Application errors: `NOT_FOUND`, `INVALID_REQUEST` when the job is over.
package enum PushProgress: RPCMethod {
    package typealias Result = Nothing
    package static let name = "pushProgress"
    /// The name api-proxy answers to.
    package static let proxyName = "pushJobProgress"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The job.
        package var jobId: JobID
        /// v1's `currentStatus`; the newer `status` is read when it is absent.
        package var currentStatus: String?
        /// The newer name of the same text.
        package var status: String?

        package init(jobId: JobID, status: String) {
            self.jobId = jobId
            self.status = status
        }

        /// The text to show.
        package var text: String? { currentStatus ?? status }
    }
}
