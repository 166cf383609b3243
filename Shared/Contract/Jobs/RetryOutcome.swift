/// `data` of `POST /v1/jobs/{jobId}/retry` (http-api.md "Job state").
public struct RetryOutcome: Codable, Sendable, Equatable {
    /// The job.
    public var jobId: JobID
    /// Its state, which a retry does not change.
    public var status: JobStatus
    /// Failed items that are tried again now.
    public var retrying: Int

    /// Makes an outcome.
    public init(jobId: JobID, status: JobStatus, retrying: Int) {
        self.jobId = jobId
        self.status = status
        self.retrying = retrying
    }
}
