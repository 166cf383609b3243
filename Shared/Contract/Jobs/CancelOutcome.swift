/// `data` of `DELETE /v1/jobs/{jobId}` and the cancel aliases (spec/07).
public struct CancelOutcome: Codable, Sendable, Equatable {
    /// What the cancel threw away.
    public struct Cleanup: Codable, Sendable, Equatable {
        /// Items that will not be done.
        public var itemsDiscarded: Int
        /// Uploaded files removed.
        public var uploadsDeleted: Int

        /// Makes a clean-up report.
        public init(itemsDiscarded: Int, uploadsDeleted: Int) {
            self.itemsDiscarded = itemsDiscarded
            self.uploadsDeleted = uploadsDeleted
        }
    }

    /// The job.
    public var jobId: JobID
    /// Its state now: `cancelled`, or the state in which it had already ended.
    public var status: JobStatus
    /// A sentence for people.
    public var message: String
    /// What the cancel threw away.
    public var cleanup: Cleanup

    /// Makes an outcome.
    public init(jobId: JobID, status: JobStatus, message: String, cleanup: Cleanup) {
        self.jobId = jobId
        self.status = status
        self.message = message
        self.cleanup = cleanup
    }
}
