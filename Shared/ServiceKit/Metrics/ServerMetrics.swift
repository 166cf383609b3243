package import JSONRPC
import NIOConcurrencyHelpers
package import Observability
package import SuiteMethods

/// What is measured of the socket that a service listens on: its peers, and every request that it answers.
package final class ServerMetrics: RPCObserver {
    package let service: ServiceName
    package let registry: MetricRegistry
    private let methods: [String: RPCMethodLabel]
    private let durations: Labelled<LabelPair<RPCMethodLabel, RPCOutcomeLabel>, Histogram>
    private let server = NIOLockedValueBox<RPCServer?>(nil)

    package init(_ service: ServiceName, _ registry: MetricRegistry) {
        self.service = service
        self.registry = registry
        methods = RPCMethodLabel.table(of: MethodList.names(answeredBy: service))
        durations = registry.histograms(
            "bookstrack_rpc_request_duration_seconds", help: "Time to answer a request of another process.",
            by: LabelPair<RPCMethodLabel, RPCOutcomeLabel>.self, .answers)
        registry.gauge("bookstrack_rpc_connections_open", help: "Peers that are connected to the process's socket.") {
            [server] in server.withLockedValue { $0 }.map { Double($0.connectionCount) }
        }
        registry.gauge("bookstrack_rpc_outbound_bytes", help: "Bytes that wait to be written to connected peers.") {
            [server] in server.withLockedValue { $0 }.map { Double($0.bufferedBytes) }
        }
    }

    /// Shows `server` from here on.
    package func follow(_ server: RPCServer) { self.server.withLockedValue { $0 = server } }

    package func answered(_ request: AnsweredRequest) {
        let labels = LabelPair(methods[request.method] ?? .unknown, RPCOutcomeLabel(request.outcome))
        durations[labels].observe(request.activity.elapsed)
    }
}
