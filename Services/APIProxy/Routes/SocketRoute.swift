import Hummingbird
import NIOHTTP1

/// `GET /ws/progress` without an upgrade. Upgrades are decided by `ConnectionGate`.
struct SocketRoute: Sendable {
    var routes: [Route] {
        [
            Route(.get, UpgradeRequest.path, limit: .exempt) { request, _ in
                _ = try UpgradeRequest(uri: request.uri.string, headers: HTTPHeaders())
                throw APIFailure.upgradeRequired("Open this path as a WebSocket.")
            }
        ]
    }
}
