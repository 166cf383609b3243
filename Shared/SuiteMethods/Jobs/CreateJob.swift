package import BookstrackContract
import JSONRPC

/// Starts a job whose items fit one frame. Answered by progress-host.
///
/// Application errors: `JOB_EXISTS` with `details{jobId, status}` when the jobId is taken by another body or the caller has no right to a
/// further token, `SERVICE_UNAVAILABLE` when storage refuses.
package enum CreateJob: RPCMethod {
    package typealias Result = CreatedJob
    package static let name = "jobs.create"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(10)

    package struct Parameters: Codable, Sendable {
        /// The client's own, or a new one.
        package var jobId: JobID
        /// The job's kind.
        package var pipeline: Pipeline
        /// SHA-256 of the canonical items, in hex: equal digests are equal bodies (http-api.md "Starting a job").
        package var digest: String
        /// In the order of the request.
        package var items: [BookQuery]
        /// Where the start came from.
        package var origin: JobOrigin

        package init(
            jobId: JobID, pipeline: Pipeline, digest: String, items: [BookQuery], origin: JobOrigin = .peer
        ) {
            self.jobId = jobId
            self.pipeline = pipeline
            self.digest = digest
            self.items = items
            self.origin = origin
        }
    }
}
