import BookstrackContract
import JSONRPC
import SuiteMethods

/// The RPC entry points for scans.
extension HostMethods {
    func addScans(to router: inout RPCRouter) {
        handle(BeginScan.self, durable: true, in: &router) { parameters, _, engine, turn in
            try engine.beginScan(parameters, turn)
        }
        handleClaim(ClaimScan.self, in: &router) { $0.scans.claims }
        router.on(ScanProgress.self) { parameters, connection in
            let peer = connection.id
            engine.post { engine, turn in
                try engine.noteScanProgress(parameters, from: peer, turn)
            } refuse: { _ in
                // Renews the lease, so that a worker keeps its step while it waits for storage to accept writes again.
                engine.tell { engine, turn in _ = engine.scans.held(parameters.key, by: peer, turn) }
            }
        }
        handle(RecordPhoto.self, durable: true, in: &router) { parameters, link, engine, turn in
            try engine.recordPhoto(parameters, from: link.id, turn)
        }
    }
}
