/// The 200 of `POST /api/token/refresh`: flat, string values only, not enveloped (http-api.md "Routes", websocket.md "Tokens").
public struct TokenRefreshed: Codable, Sendable, Equatable {
    /// The job.
    public var jobId: JobID
    /// The new token.
    public var token: String
    /// The new token under the name older clients read.
    public var newToken: String
    /// ISO 8601 with milliseconds.
    public var expiresAt: String

    /// Makes an answer.
    public init(jobId: JobID, token: String, expiresAt: String) {
        self.jobId = jobId
        self.token = token
        newToken = token
        self.expiresAt = expiresAt
    }
}
