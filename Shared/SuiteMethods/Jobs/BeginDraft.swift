package import BookstrackContract
import JSONRPC

/// Begins a job whose items cross in pages; a draft lives in memory until it is submitted or its connection closes.
///
/// Application errors: `SERVICE_UNAVAILABLE` when too many drafts are open.
package enum BeginDraft: RPCMethod {
    package static let name = "jobs.draft"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The job that is to be.
        package var jobId: JobID
        /// Its kind.
        package var pipeline: Pipeline
        /// As in ``CreateJob``.
        package var digest: String
        /// How many items will come.
        package var totalCount: Int
        /// Where the start came from.
        package var origin: JobOrigin

        package init(
            jobId: JobID, pipeline: Pipeline, digest: String, totalCount: Int, origin: JobOrigin = .peer
        ) {
            self.jobId = jobId
            self.pipeline = pipeline
            self.digest = digest
            self.totalCount = totalCount
            self.origin = origin
        }
    }

    package struct Result: Codable, Sendable {
        /// Names the draft on this connection.
        package var draftId: Int

        package init(draftId: Int) { self.draftId = draftId }
    }
}
