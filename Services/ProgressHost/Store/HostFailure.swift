import BookstrackContract

/// Why the host refuses or fails a call. Turned into RPC errors in `HostFailure+RPC`, and nowhere else.
enum HostFailure: Error, Sendable, Equatable {
    /// Unknown job, missing or wrong token: one case for all three, so that none can be told from another (websocket.md "Upgrade").
    case unauthorized
    case tokenExpired
    case tokenRefreshTooEarly(seconds: Int)
    /// The jobId is taken by another body, or the caller has no right to a token of the job.
    case jobExists(JobID, JobStatus)
    /// Results that are not there yet.
    case resultsNotReady(JobID, JobStatus)
    /// No such job, or its results were removed; results live for `life` after a job's end.
    case noResults(JobID, life: Duration)
    case noJob(JobID)
    case jobIsOver(JobID)
    case invalidRequest(String)
    /// The job's failed items were tried again a moment ago.
    case retriedTooOften(seconds: Int)
    case tooManyDrafts
    case noDraft
    /// The caller has given up before its turn came; nothing was done.
    case givenUp
    /// SQLite cannot write: full disk, read-only, I/O error. The text says which.
    case storage(String)
}
