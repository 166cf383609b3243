package import JSONRPC
package import Observability
package import SuiteMethods

extension MetricRegistry {
    /// Declares whether this process is connected to those that it needs.
    package func declarePeers(_ peers: [(service: ServiceName, client: RPCClient)]) {
        families("bookstrack_rpc_peer_connected") {
            [
                MetricFamily(
                    .gauge, "bookstrack_rpc_peer_connected",
                    help: "Whether there is a connection to the process: 1 or 0.",
                    peers.map { peer in
                        (
                            labels: [Sample.Label("peer", peer.service.rawValue)],
                            value: peer.client.isConnected ? 1 : 0
                        )
                    })
            ]
        }
    }
}
