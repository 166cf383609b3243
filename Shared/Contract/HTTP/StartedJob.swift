/// `data` of the 202 that starts a batch enrichment (http-api.md "Starting a job").
public struct StartedJob: Codable, Sendable, Equatable {
    /// Always true; older clients read it here.
    public var success: Bool
    /// The job.
    public var jobId: JobID
    /// The job's token.
    public var token: String
    /// The same token under the name older clients read.
    public var authToken: String
    /// State when the answer was made.
    public var status: JobStatus
    /// Always 0 for a new job.
    public var processedCount: Int
    /// Items in all.
    public var totalCount: Int
    /// The same as `totalCount`.
    public var totalBooks: Int
    /// A range in words, for example "1-5s".
    public var estimatedTime: String
    /// Milliseconds.
    public var estimatedDuration: Int
    /// Where to watch.
    public var websocketUrl: String
    /// Where to read the results.
    public var resultsUrl: String

    /// Makes an answer.
    public init(jobId: JobID, token: String, status: JobStatus, totalCount: Int, estimate: DurationEstimate) {
        success = true
        self.jobId = jobId
        self.token = token
        authToken = token
        self.status = status
        processedCount = 0
        self.totalCount = totalCount
        totalBooks = totalCount
        estimatedTime = estimate.text
        estimatedDuration = estimate.milliseconds
        websocketUrl = APIPath.websocket(jobId)
        resultsUrl = APIPath.results(jobId)
    }
}
