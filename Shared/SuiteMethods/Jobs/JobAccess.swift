package import BookstrackContract

/// A job and the token that proves the right to it; `token` is nil only on the routes where a job's identifier may do instead
/// (websocket.md "Cancelling").
package struct JobAccess: Codable, Sendable {
    /// The job.
    package var jobId: JobID
    /// The token.
    package var token: String?

    package init(jobId: JobID, token: String?) {
        self.jobId = jobId
        self.token = token
    }
}
