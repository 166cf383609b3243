/// Answer of `GET /health/ready`; the admin listener adds `dependencies` (http-api.md "Readiness").
public struct ReadinessReport: Codable, Sendable, Equatable {
    /// One thing the process needs.
    public struct Dependency: Codable, Sendable, Equatable {
        /// For example "progress-host" or "storage".
        public var name: String
        /// How fit it is.
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

    /// The whole.
    public var status: ReadinessStatus
    /// The parts.
    public var dependencies: [Dependency]?

    /// Makes a report.
    public init(status: ReadinessStatus, dependencies: [Dependency]? = nil) {
        self.status = status
        self.dependencies = dependencies
    }
}
