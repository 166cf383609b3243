/// 200 of `GET /health` (http-api.md "Readiness").
public struct HealthReport: Codable, Sendable, Equatable {
    /// "ok".
    public var status: String
    /// The service that answers.
    public var worker: String
    /// The suite's version.
    public var version: String
    /// The routes that the service serves.
    public var endpoints: [String]

    /// Makes a report.
    public init(status: String, worker: String, version: String, endpoints: [String]) {
        self.status = status
        self.worker = worker
        self.version = version
        self.endpoints = endpoints
    }
}

/// Answer of `GET /health/ready`; the admin listener adds `dependencies` (http-api.md "Readiness").
public struct ReadinessReport: Codable, Sendable, Equatable {
    /// One thing the process needs.
    public struct Dependency: Codable, Sendable, Equatable {
        /// For example "progress-host" or "storage".
        public var name: String
        /// Whether it can serve.
        public var status: ReadinessStatus
        /// Why, in words.
        public var reason: String

        /// Makes an entry.
        public init(name: String, status: ReadinessStatus, reason: String) {
            self.name = name
            self.status = status
            self.reason = reason
        }
    }

    /// The overall status.
    public var status: ReadinessStatus
    /// One entry per dependency; only in the admin listener's answer.
    public var dependencies: [Dependency]?

    /// Makes a report.
    public init(status: ReadinessStatus, dependencies: [Dependency]? = nil) {
        self.status = status
        self.dependencies = dependencies
    }
}

/// Whether a process can serve (http-api.md "Readiness").
public enum ReadinessStatus: String, Codable, Sendable {
    case ready
    case degraded
    case unavailable
}
