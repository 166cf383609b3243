package import BookstrackContract
package import JSONRPC

/// How a process is, with a reason per dependency. Answered by every service (http-api.md "Readiness").
package enum HealthCheck: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.health"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(2)

    package struct Result: Codable, Sendable {
        /// Who answers.
        package var service: ServiceName
        /// Version of its program.
        package var version: String
        /// How fit it is, and what it lacks.
        package var readiness: ReadinessReport

        package init(service: ServiceName, version: String, readiness: ReadinessReport) {
            self.service = service
            self.version = version
            self.readiness = readiness
        }
    }
}
