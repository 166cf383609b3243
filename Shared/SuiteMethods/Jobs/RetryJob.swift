package import BookstrackContract
import JSONRPC

/// Tries a finished job's failed items again now (`POST /v1/jobs/{jobId}/retry`).
///
/// Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`, `RATE_LIMIT_EXCEEDED` within a minute of the last retry of the job,
/// `SERVICE_UNAVAILABLE`.
package enum RetryJob: RPCMethod {
    package typealias Parameters = JobAccess
    package typealias Result = RetryOutcome
    package static let name = "jobs.retry"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
}
