package import BookstrackContract
import JSONRPC

/// A job's state (`GET /v1/jobs/{jobId}`). Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`.
package enum ReadJobState: RPCMethod {
    package typealias Parameters = JobAccess
    package typealias Result = JobState
    package static let name = "jobs.state"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
}
