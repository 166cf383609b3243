package import JSONRPC
import NIOConcurrencyHelpers
package import Observability
package import SuiteMethods

/// Metrics of the socket that a service listens on: connected peers and answered requests.
package final class ServerMetrics: RPCObserver {
    package let service: ServiceName
    package let registry: MetricRegistry
    private let methods: [String: RPCMethodLabel]
    private let durations: Labeled<LabelPair<RPCMethodLabel, RPCOutcomeLabel>, Histogram>
    /// The server, which is known only after its metrics are declared.
    private let server = NIOLockedValueBox<RPCServer?>(nil)

    package init(_ service: ServiceName, _ registry: MetricRegistry) {
        self.service = service
        self.registry = registry
        methods = RPCMethodLabel.table(of: MethodList.names(answeredBy: service))
        durations = registry.histograms(
            "bookstrack_rpc_request_duration_seconds", help: "Time to answer a request from another process.",
            by: LabelPair<RPCMethodLabel, RPCOutcomeLabel>.self, .answers)
        registry.gauge("bookstrack_rpc_connections_open", help: "Peers connected to the process's socket.") {
            [server] in server.withLockedValue { $0 }.map { Double($0.connectionCount) }
        }
        registry.gauge("bookstrack_rpc_outbound_bytes", help: "Bytes waiting to be written to connected peers.") {
            [server] in server.withLockedValue { $0 }.map { Double($0.bufferedBytes) }
        }
    }

    /// Sets the server whose connections are measured.
    package func follow(_ server: RPCServer) { self.server.withLockedValue { $0 = server } }

    package func answered(_ request: AnsweredRequest) {
        let labels = LabelPair(methods[request.method] ?? .unknown, RPCOutcomeLabel(request.outcome))
        durations[labels].observe(request.activity.elapsed)
    }
}

/// A method that the process answers. Labels are compared by number, which is faster than by name.
struct RPCMethodLabel: MetricLabels {
    /// The label for calls to methods that do not exist.
    static let unknown = RPCMethodLabel(number: 0, name: "unknown")
    static let names = ["method"]

    let number: Int
    let name: String

    var values: [String] { [name] }
    var positions: [Int] { [number] }

    static func table(of names: [String]) -> [String: RPCMethodLabel] {
        Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, RPCMethodLabel(number: $0 + 1, name: $1)) })
    }

    static func == (left: RPCMethodLabel, right: RPCMethodLabel) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The outcome of a request.
enum RPCOutcomeLabel: String, MetricLabel {
    case succeeded, refused, failed, abandoned

    static let labelName = "outcome"

    init(_ outcome: AnsweredRequest.Outcome) {
        self =
            switch outcome {
            case .succeeded: .succeeded
            case .refused: .refused
            case .failed: .failed
            case .abandoned: .abandoned
            }
    }
}

extension RPCRouter {
    /// Answers `ReadMetrics` with the current metrics, and measures the requests of this router.
    ///
    /// - Parameter refresh: Updates values that are read only on demand, such as health.
    package mutating func answerMetrics(
        from metrics: ServerMetrics, after refresh: @escaping @Sendable () async -> Void = {}
    ) {
        observe(with: metrics)
        handle(ReadMetrics.self) { _, _ in
            await refresh()
            return ReadMetrics.Result(service: metrics.service, families: metrics.registry.families())
        }
    }
}

extension MetricRegistry {
    /// Declares a metric that shows whether this process is connected to its peers.
    ///
    /// - Parameter peers: Returns the peers at the time of a scrape.
    package func declarePeers(_ peers: @escaping @Sendable () -> [(instance: ServiceInstance, isConnected: Bool)]) {
        families("bookstrack_rpc_peer_connected") {
            [
                MetricFamily(
                    .gauge, "bookstrack_rpc_peer_connected",
                    help: "Whether the peer is connected: 1 or 0.",
                    peers().map {
                        (labels: [Sample.Label("peer", $0.instance.name)], value: $0.isConnected ? 1 : 0)
                    })
            ]
        }
    }
}

extension MetricRegistry {
    /// Declares a metric for the sizes of an SQLite database's files (sqlite.org/wal.html).
    ///
    /// - Parameter name: The value of the label `database` for this database.
    package func declareDatabase(_ name: String, at path: String) {
        families("bookstrack_database_bytes") {
            let samples = [("main", path), ("wal", path + "-wal")].compactMap { file, path in
                FileSize.bytes(at: path).map { bytes in
                    (labels: [Sample.Label("database", name), Sample.Label("file", file)], value: Double(bytes))
                }
            }
            return [
                MetricFamily(.gauge, "bookstrack_database_bytes", help: "Sizes of the database's files.", samples)
            ]
        }
    }
}
