package import BookstrackContract
import JSONRPC

/// Cancels a job (`DELETE /v1/jobs/{jobId}` and aliases). Harmless when the job is over.
///
/// Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`, `SERVICE_UNAVAILABLE`.
package enum CancelJob: RPCMethod {
    package typealias Parameters = JobAccess
    package typealias Result = CancelOutcome
    package static let name = "jobs.cancel"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
}

/// Tries a finished job's failed items again now (`POST /v1/jobs/{jobId}/retry`).
///
/// Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`, `SERVICE_UNAVAILABLE`.
package enum RetryJob: RPCMethod {
    package typealias Parameters = JobAccess
    package typealias Result = RetryOutcome
    package static let name = "jobs.retry"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
}

/// Rotates a token in the last 30 minutes of its life (spec/03 "Tokens").
///
/// Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`, `TOKEN_REFRESH_TOO_EARLY` with `details{refreshableInSeconds}`.
package enum RefreshToken: RPCMethod {
    package typealias Parameters = TokenRefreshRequest
    package typealias Result = TokenRefreshed
    package static let name = "tokens.refresh"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)
}
