package import BookstrackContract
import JSONRPC

/// A job and the token that authorizes access to it. `token` is nil only on routes where the job's identifier may suffice (websocket.md
/// "Cancelling").
package struct JobAccess: Codable, Sendable {
    /// Identifier of the job to access.
    package var jobId: JobID
    /// The token as presented by the caller.
    package var token: String?

    package init(jobId: JobID, token: String?) {
        self.jobId = jobId
        self.token = token
    }
}

/// Reads a job's state (`GET /v1/jobs/{jobId}`). Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`, `SERVICE_UNAVAILABLE`.
package enum ReadJobState: RPCMethod {
    package typealias Parameters = JobAccess
    package typealias Result = JobState
    package static let name = "jobs.state"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
}

/// Reads a job's counts and status. A caller needs no token if the job's identifier cannot be guessed or `BOOKSTRACK_LEGACY_TOKENLESS` is on
/// (imports.md "Routes"). Application errors: those of ``ReadJobState``; `NOT_FOUND` for an unknown job if the caller needs no token and sends none.
package enum ReadJobProgress: RPCMethod {
    package typealias Parameters = JobAccess
    package static let name = "jobs.progress"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Result: Codable, Sendable, Equatable {
        /// The job's identifier.
        package var jobId: JobID
        /// The job's kind.
        package var pipeline: Pipeline
        /// The job's state.
        package var status: JobStatus
        /// The completed fraction, from 0 to 1.
        package var progress: Double
        /// Number of finished items; for an import that has not completed, an estimate of the rows read so far.
        package var processedCount: Int
        /// Total number of items; for an import and its linked job, an estimate of the rows until the import has completed.
        package var totalCount: Int

        package init(
            jobId: JobID, pipeline: Pipeline, status: JobStatus, progress: Double, processedCount: Int, totalCount: Int
        ) {
            self.jobId = jobId
            self.pipeline = pipeline
            self.status = status
            self.progress = progress
            self.processedCount = processedCount
            self.totalCount = totalCount
        }
    }
}

/// Cancels a job (`DELETE /v1/jobs/{jobId}` and aliases). Has no effect if the job has ended or is already being cancelled.
///
/// Application errors: those of ``ReadJobProgress``.
package enum CancelJob: RPCMethod {
    package typealias Parameters = JobAccess
    package typealias Result = CancelOutcome
    package static let name = "jobs.cancel"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
}

/// Retries the failed items, except those with an invalid ISBN, and the failed photos of a completed or failed job immediately (`POST
/// /v1/jobs/{jobId}/retry`). Has no effect on other jobs.
///
/// Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`, `JOB_NOT_RETRYABLE` for an import, `RATE_LIMIT_EXCEEDED` within a minute of the last retry of
/// the job, `SERVICE_UNAVAILABLE`.
package enum RetryJob: RPCMethod {
    package typealias Parameters = JobAccess
    package typealias Result = RetryOutcome
    package static let name = "jobs.retry"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
}

/// Rotates a token that expires soon, by default within 30 minutes (websocket.md "Tokens").
///
/// Application errors: `UNAUTHORIZED`; `TOKEN_EXPIRED`; `TOKEN_REFRESH_TOO_EARLY` with `details{refreshableInSeconds}`, also if the job has too many
/// tokens; `SERVICE_UNAVAILABLE`.
package enum RefreshToken: RPCMethod {
    package typealias Parameters = TokenRefreshRequest
    package typealias Result = TokenRefreshed
    package static let name = "tokens.refresh"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)
}
