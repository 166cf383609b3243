import Foundation
import JSONRPC
import Logging
import NIOPosix
import Observability
import SuiteMethods

/// Answers `tail.subscribe` on a socket, and sends what a test wants.
struct FakeTailService {
    struct Subscription: Sendable {
        let parameters: SubscribeToTail.Parameters
        let connection: RPCConnection

        func send(_ events: [TailEvent], dropped: Int = 0) {
            connection.notify(TailEvents.self, .init(events: events, dropped: dropped))
        }
    }

    private let server: RPCServer
    /// Who follows, in the order of their coming.
    let subscriptions: Mailbox<Subscription>

    init(_ service: ServiceName, at path: String, pid: Int32) async throws {
        let subscriptions = Mailbox<Subscription>()
        var router = RPCRouter()
        router.handleInline(SubscribeToTail.self) { parameters, connection, reply in
            reply.succeed(.init(service: service, version: "1.4.0", pid: pid))
            subscriptions.put(Subscription(parameters: parameters, connection: connection))
        }
        try await self.init(at: path, router, subscriptions)
    }

    init(at path: String, _ router: RPCRouter, _ subscriptions: Mailbox<Subscription> = Mailbox()) async throws {
        server = try await RPCServer.bind(
            path: path, router: router, allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        self.subscriptions = subscriptions
    }

    func stop() async { await server.shutdown() }
}
