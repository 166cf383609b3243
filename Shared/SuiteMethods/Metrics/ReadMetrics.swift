package import JSONRPC
package import Observability

/// Everything that a process measures, as of now (metrics.md). Answered by every service.
package enum ReadMetrics: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.metrics"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(2)

    package struct Result: Codable, Sendable {
        /// Who answers.
        package var service: ServiceName
        /// Without the labels `service` and `worker`, which whoever merges several processes adds.
        package var families: [MetricFamily]

        package init(service: ServiceName, families: [MetricFamily]) {
            self.service = service
            self.families = families
        }
    }
}
