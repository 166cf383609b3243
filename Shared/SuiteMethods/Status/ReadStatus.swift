package import BookstrackContract
package import JSONRPC

/// What a service is doing at the moment (`bookstrack status`). Answered by every service, from memory and without a scan of any table, so
/// that it may be asked every second.
package enum ReadStatus: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "service.status"
    package static let isIdempotent = true
    /// Longer than that of ``HealthCheck``, which api-proxy asks its peers for.
    package static let deadline = Duration.seconds(4)

    package struct Result: Codable, Sendable {
        /// Who answers.
        package var service: ServiceName
        /// Version of its program.
        package var version: String
        /// Its process, by the number that it has in its own namespace.
        package var pid: Int32
        /// Milliseconds since 1970.
        package var startedAt: Int64
        /// How fit it is, and what it lacks.
        package var readiness: ReadinessReport
        /// Of progress-host; nil from others, and while its database cannot be opened.
        package var host: HostFigures?
        /// Of enrichment-worker.
        package var worker: WorkerFigures?
        /// Of api-proxy.
        package var proxy: ProxyFigures?

        package init(
            service: ServiceName, version: String, pid: Int32, startedAt: Int64, readiness: ReadinessReport
        ) {
            self.service = service
            self.version = version
            self.pid = pid
            self.startedAt = startedAt
            self.readiness = readiness
        }
    }
}
