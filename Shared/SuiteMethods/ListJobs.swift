package import BookstrackContract
import JSONRPC

/// Lists jobs, newest first unless they are selected by identifier. They are read outside the engine and, without a search, from an index, so the
/// cost of a page does not depend on the number of jobs.
///
/// Application errors: `INVALID_REQUEST`, `SERVICE_UNAVAILABLE`.
package enum ListJobs: RPCMethod {
    package static let name = "jobs.list"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Maximum number of jobs per page.
    package static let maxPageSize = 200

    /// The position between two jobs at which one page ends and the next begins. Later changes do not move a job to a different page.
    package struct Cursor: Codable, Sendable, Equatable {
        /// When the last job on the page was created, in milliseconds since 1970; 0 in a search.
        package var createdAt: Int64
        /// That job's number in the database; in a search, the number below which it continues.
        package var number: Int64

        package init(createdAt: Int64, number: Int64) {
            self.createdAt = createdAt
            self.number = number
        }
    }

    package struct Parameters: Codable, Sendable {
        /// Only jobs in one of these states; empty for all.
        package var statuses: [JobStatus] = []
        /// Only jobs of these kinds; empty for all.
        package var pipelines: [Pipeline] = []
        /// Only jobs created at or after this time, in milliseconds since 1970.
        package var createdFrom: Int64?
        /// Only jobs created before this time, in milliseconds since 1970.
        package var createdBefore: Int64?
        /// Only jobs whose identifier begins with this text, sorted by identifier on a single page. All other criteria are then ignored, except that
        /// ``search`` takes precedence.
        package var prefix: String?
        /// Text to search for: selects jobs whose identifier begins with the text and jobs started by a request that has the text as its identifier.
        /// If there are none, selects jobs with a book whose requested title contains the text (ASCII letters match in either case). The search
        /// through titles is limited in time. A nil or blank text means no search.
        package var search: String?
        /// Number of jobs per page, from 1 to ``ListJobs/maxPageSize``.
        package var limit: Int
        /// Where the page begins; nil for the first one.
        package var cursor: Cursor?

        package init(limit: Int = 20) { self.limit = limit }
    }

    package struct Result: Codable, Sendable {
        /// The jobs, newest first; jobs selected by identifier are sorted by it, and come before those selected by request.
        package var jobs: [ListedJob]
        /// Where the next page begins; nil after the last job.
        package var next: Cursor?
        /// Whether a search reached its time limit before every title was compared; `next` continues from there.
        package var partial: Bool?

        package init(jobs: [ListedJob], next: Cursor?, partial: Bool? = nil) {
            self.jobs = jobs
            self.next = next
            self.partial = partial
        }
    }
}

/// A job as shown in lists. Times are milliseconds since 1970.
package struct ListedJob: Codable, Sendable, Equatable {
    /// The job's identifier.
    package var jobId: JobID
    /// The job's kind.
    package var pipeline: Pipeline
    /// What triggered the job; absent in responses from earlier versions.
    package var source: JobSource?
    /// The priority set when the job was started or later by an operator; nil if the size of the job determines it.
    package var priority: JobPriority?
    /// Identifier of the request that started the job; nil if unknown.
    package var requestId: String?
    /// The job's state.
    package var status: JobStatus
    /// Counts of the job's items or, for an import, of its rows.
    package var counts: JobCounts
    /// When the job was accepted.
    package var createdAt: Int64
    /// When a worker first claimed the job's items, file or photos.
    package var startedAt: Int64?
    /// When the job ended; nil while it is open.
    package var endedAt: Int64?
    /// When the job's results are deleted; nil while it is open.
    package var expiresAt: Int64?

    package init(
        jobId: JobID, pipeline: Pipeline, status: JobStatus, counts: JobCounts, createdAt: Int64, startedAt: Int64?,
        endedAt: Int64?, expiresAt: Int64?, source: JobSource? = nil
    ) {
        self.jobId = jobId
        self.pipeline = pipeline
        self.status = status
        self.counts = counts
        self.createdAt = createdAt
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.expiresAt = expiresAt
        self.source = source
    }
}
