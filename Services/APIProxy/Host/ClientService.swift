import JSONRPC
import ServiceLifecycle

/// Keeps an RPC client connected while the process runs.
struct ClientService: Service {
    let client: RPCClient

    func run() async {
        await withGracefulShutdownHandler {
            await client.run()
        } onGracefulShutdown: {
            Task { await client.shutdown() }
        }
    }
}
