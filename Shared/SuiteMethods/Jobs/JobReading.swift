package import BookstrackContract
import JSONRPC

/// A job and the token that proves the right to it; `token` is nil only where tokenless access is switched on.
package struct JobAccess: Codable, Sendable {
    package var jobId: JobID
    package var token: String?

    package init(jobId: JobID, token: String?) {
        self.jobId = jobId
        self.token = token
    }
}

/// A job's state (`GET /v1/jobs/{jobId}`). Application errors: `UNAUTHORIZED`, `TOKEN_EXPIRED`.
package enum ReadJobState: RPCMethod {
    package typealias Parameters = JobAccess
    package typealias Result = JobState
    package static let name = "jobs.state"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
}

/// The head of a job's results; rows follow by `ReadResultsPage`.
///
/// Application errors: `NOT_FOUND` with `details{jobId, status}` before the end, `details{jobId, resultsKey, ttl}` when there
/// is no such job or its results were removed.
package enum ReadResults: RPCMethod {
    package static let name = "jobs.results"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        package var jobId: JobID

        package init(jobId: JobID) { self.jobId = jobId }
    }

    package struct Result: Codable, Sendable {
        package var jobId: JobID
        package var resultsRevision: Int
        package var expiresAt: String
        package var successCount: Int
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

/// A page of result rows as raw JSON, called with `callRaw`: the result is `[next, row, row, …]`, where `next` is the cursor
/// of the following page or -1, and each row is an `EnrichedBook`. See `ResultsPage`.
package enum ReadResultsPage {
    package static let name = "jobs.resultsPage"
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        package var jobId: JobID
        package var cursor: Int

        package init(jobId: JobID, cursor: Int) {
            self.jobId = jobId
            self.cursor = cursor
        }
    }
}
