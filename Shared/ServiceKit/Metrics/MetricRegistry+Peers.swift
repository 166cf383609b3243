package import JSONRPC
package import Observability
package import SuiteMethods

extension MetricRegistry {
    /// Declares whether this process is connected to those that it needs.
    ///
    /// - Parameter peers: Those that there are at the moment of a reading.
    package func declarePeers(_ peers: @escaping @Sendable () -> [(instance: ServiceInstance, client: RPCClient)]) {
        families("bookstrack_rpc_peer_connected") {
            [
                MetricFamily(
                    .gauge, "bookstrack_rpc_peer_connected",
                    help: "Whether there is a connection to the process: 1 or 0.",
                    peers().map { peer in
                        (
                            labels: [Sample.Label("peer", peer.instance.name)],
                            value: peer.client.isConnected ? 1 : 0
                        )
                    })
            ]
        }
    }
}
