package import BookstrackContract

/// What a start of a job answers; the job is on disk when it arrives (jobs.md "Durability").
package struct CreatedJob: Codable, Sendable {
    /// The job.
    package var jobId: JobID
    /// A token that works; a repetition of the start gets one more, if it proves its right to it (http-api.md "Starting a job").
    package var token: String
    /// Its state, which for a repeated start may be any.
    package var status: JobStatus
    /// How many items it has.
    package var totalCount: Int

    package init(jobId: JobID, token: String, status: JobStatus, totalCount: Int) {
        self.jobId = jobId
        self.token = token
        self.status = status
        self.totalCount = totalCount
    }
}
