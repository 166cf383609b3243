/// The 200 response of `GET /health` (http-api.md "Readiness").
public struct HealthReport: Codable, Sendable, Equatable {
    /// Always "ok".
    public var status: String
    /// Name of the responding service.
    public var worker: String
    /// The suite's version.
    public var version: String
    /// The routes of the service, for example "GET /v1/jobs/{jobId}".
    public var endpoints: [String]

    /// Creates a report.
    public init(status: String, worker: String, version: String, endpoints: [String]) {
        self.status = status
        self.worker = worker
        self.version = version
        self.endpoints = endpoints
    }
}

/// Response of `GET /health/ready`; the admin listener adds `dependencies` (http-api.md "Readiness").
public struct ReadinessReport: Codable, Sendable, Equatable {
    /// A dependency of the process.
    public struct Dependency: Codable, Sendable, Equatable {
        /// The name, for example "progress-host" or "storage".
        public var name: String
        /// Whether the dependency is available.
        public var status: ReadinessStatus
        /// Why the dependency has this status, in words.
        public var reason: String

        /// Creates an entry.
        public init(name: String, status: ReadinessStatus, reason: String) {
            self.name = name
            self.status = status
            self.reason = reason
        }
    }

    /// The overall status.
    public var status: ReadinessStatus
    /// One entry per dependency; absent in the public listener's response.
    public var dependencies: [Dependency]?

    /// Creates a report.
    public init(status: ReadinessStatus, dependencies: [Dependency]? = nil) {
        self.status = status
        self.dependencies = dependencies
    }
}

/// Whether a process can serve requests (http-api.md "Readiness").
public enum ReadinessStatus: String, Codable, Sendable {
    case ready
    case degraded
    case unavailable
}
