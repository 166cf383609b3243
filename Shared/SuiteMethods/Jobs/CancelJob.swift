package import BookstrackContract
import JSONRPC

/// Cancels a job (`DELETE /v1/jobs/{jobId}` and aliases). Harmless when the job is over.
///
/// Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`, `SERVICE_UNAVAILABLE`; without a token `NOT_FOUND` for an unknown job.
package enum CancelJob: RPCMethod {
    package typealias Parameters = JobAccess
    package typealias Result = CancelOutcome
    package static let name = "jobs.cancel"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
}
