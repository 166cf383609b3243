package import BookstrackContract
import JSONRPC

/// The head of a job's results; rows follow by `ReadResultsPage`.
///
/// Application errors: `NOT_FOUND` with `details{jobId, status}` before the end, `details{jobId, resultsKey, ttl}` when there
/// is no such job or its results were removed.
package enum ReadResults: RPCMethod {
    package static let name = "jobs.results"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        /// The job.
        package var jobId: JobID

        package init(jobId: JobID) { self.jobId = jobId }
    }

    package struct Result: Codable, Sendable {
        package var jobId: JobID
        /// Grows by one with every row that changes after the end.
        package var resultsRevision: Int
        /// When the results are removed, ISO 8601.
        package var expiresAt: String
        /// Items with a result.
        package var successCount: Int
        /// Items without one.
        package var failureCount: Int

        package init(
            jobId: JobID, resultsRevision: Int, expiresAt: String, successCount: Int, failureCount: Int
        ) {
            self.jobId = jobId
            self.resultsRevision = resultsRevision
            self.expiresAt = expiresAt
            self.successCount = successCount
            self.failureCount = failureCount
        }
    }
}
