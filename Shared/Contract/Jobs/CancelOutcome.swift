/// `data` of `DELETE /v1/jobs/{jobId}` and the cancel aliases (http-api.md "Job state").
public struct CancelOutcome: Codable, Sendable, Equatable {
    /// What the cancel threw away.
    public struct Cleanup: Codable, Sendable, Equatable {
        /// Items that will not be done.
        public var itemsDiscarded: Int
        /// Uploaded files removed.
        public var uploadsDeleted: Int
        /// The same number under the name that the shipped apps need.
        public var r2ObjectsDeleted: Int
        /// Whether cached rows of the job were removed; the shipped apps need it. Always false: rows live with their job.
        public var kvCacheCleared: Bool

        /// Makes a clean-up report.
        public init(itemsDiscarded: Int, uploadsDeleted: Int) {
            self.itemsDiscarded = itemsDiscarded
            self.uploadsDeleted = uploadsDeleted
            r2ObjectsDeleted = uploadsDeleted
            kvCacheCleared = false
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
