/// 200 of `GET /health` (http-api.md "Readiness").
public struct HealthReport: Codable, Sendable, Equatable {
    /// "ok".
    public var status: String
    /// The service that answers.
    public var worker: String
    /// The suite's version.
    public var version: String
    /// Routes that are served.
    public var endpoints: [String]

    /// Makes a report.
    public init(status: String, worker: String, version: String, endpoints: [String]) {
        self.status = status
        self.worker = worker
        self.version = version
        self.endpoints = endpoints
    }
}
