import JSONRPC
import Logging
import NIOCore
import NIOPosix
import Observability
import SuiteFixture
import SuiteMethods
import Synchronization

/// A follower that takes what comes and does nothing with it, so that only the service's side is measured.
final class CountingFollower: Sendable {
    private let client: RPCClient
    private let running: Task<Void, Never>
    private let received: Received

    private final class Received: Sendable {
        let bytes = Atomic<Int>(0)
    }

    /// Follows everything.
    init(_ service: ServiceInstance, in runtimeDirectory: String) async throws {
        let received = Received()
        self.received = received
        var router = RPCRouter()
        router.onRaw(TailEvents.name) { raw, _ in received.bytes.add(raw.readableBytes, ordering: .relaxed) }
        client = RPCClient(
            path: "\(runtimeDirectory)/\(service.socketName)", router: router,
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "follower") { _ in SwiftLogNoOpLogHandler() }, pingInterval: nil)
        running = Task { [client] in await client.run() }
        try await client.waitUntilConnected(within: .seconds(10))
        _ = try await client.call(SubscribeToTail.self, .init(filter: TailFilter(), replay: nil))
    }

    /// Bytes of events so far.
    var bytes: Int { received.bytes.load(ordering: .relaxed) }

    func leave() async {
        await client.shutdown()
        await running.value
    }
}
