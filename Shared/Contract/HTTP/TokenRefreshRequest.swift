/// Body of `POST /api/token/refresh` (http-api.md "Routes", websocket.md "Tokens").
public struct TokenRefreshRequest: Codable, Sendable {
    /// The job.
    public var jobId: JobID
    /// The token that is about to expire.
    public var oldToken: String

    /// Makes a request.
    public init(jobId: JobID, oldToken: String) {
        self.jobId = jobId
        self.oldToken = oldToken
    }
}
