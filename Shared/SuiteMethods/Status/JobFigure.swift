package import BookstrackContract

/// One job, as `bookstrack status` lists it.
package struct JobFigure: Codable, Sendable, Equatable {
    /// The job.
    package var jobId: JobID
    /// Its state.
    package var status: JobStatus
    /// Items that have their outcome.
    package var processed: Int
    /// Those of the processed that failed.
    package var failed: Int
    /// Items in all.
    package var total: Int
    /// Milliseconds since 1970.
    package var createdAt: Int64
    /// Milliseconds since 1970; nil while the job is open.
    package var endedAt: Int64?

    package init(
        jobId: JobID, status: JobStatus, processed: Int, failed: Int, total: Int, createdAt: Int64, endedAt: Int64?
    ) {
        self.jobId = jobId
        self.status = status
        self.processed = processed
        self.failed = failed
        self.total = total
        self.createdAt = createdAt
        self.endedAt = endedAt
    }
}
