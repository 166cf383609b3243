package import BookstrackContract
import JSONRPC

/// `enrichBatch(jobId, workIds, options)` of v1, answered by enrichment-worker: starts a job whose items are `workIds`.
///
/// Application errors: those of `CreateJob`, `INVALID_REQUEST` for an empty or too long list.
package enum EnrichBatch: RPCMethod {
    package typealias Result = CreatedJob
    package static let name = "enrichBatch"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(15)

    package struct Parameters: Codable, Sendable {
        package var jobId: JobID
        package var workIds: [String]
        package var options: Options?

        package init(jobId: JobID, workIds: [String], options: Options? = nil) {
            self.jobId = jobId
            self.workIds = workIds
            self.options = options
        }
    }

    /// v1 documents the parameter without naming members; none is read.
    package struct Options: Codable, Sendable {
        package init() {}
    }
}
