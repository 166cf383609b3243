/// Names of the suite's Unix sockets inside the runtime directory (spec/01 "JSON-RPC").
package enum ServiceName: String, Codable, Sendable, CaseIterable {
    case apiProxy = "api-proxy"
    case progressHost = "progress-host"
    case enrichmentWorker = "enrichment-worker"

    /// File name of the socket the service listens on.
    package var socketName: String { rawValue + ".sock" }
}
