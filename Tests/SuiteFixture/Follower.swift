import Foundation
import JSONRPC
import Logging
import NIOPosix
package import Observability
package import SuiteMethods

/// A client that follows a service over its socket, like `bookstrack tail`.
package final class Follower: Sendable {
    /// The received pages, in the service's order.
    package let pages: AsyncStream<TailEvents.Parameters>
    private let client: RPCClient
    private let running: Task<Void, Never>

    /// Connects and subscribes. Throws `RPCError`.
    package init(
        _ service: ServiceInstance, in runtimeDirectory: String, filter: TailFilter = TailFilter(),
        replay: SubscribeToTail.Replay? = nil
    ) async throws {
        let (pages, continuation) = AsyncStream.makeStream(of: TailEvents.Parameters.self)
        self.pages = pages
        var router = RPCRouter()
        router.on(TailEvents.self) { parameters, _ in continuation.yield(parameters) }
        client = RPCClient(
            path: "\(runtimeDirectory)/\(service.socketName)", router: router,
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "follower") { _ in SwiftLogNoOpLogHandler() }, pingInterval: nil,
            onDisconnect: { _ in continuation.finish() })
        running = Task { [client] in await client.run() }
        try await client.waitUntilConnected(within: .seconds(10))
        _ = try await client.call(SubscribeToTail.self, .init(filter: filter, replay: replay))
    }

    /// Disconnects; ``pages`` ends.
    package func leave() async {
        await client.shutdown()
        await running.value
    }

    /// Follows until an event satisfies `isLast`, and returns all events up to the end of that event's page, or all
    /// received events if the connection closes first.
    package func events(until isLast: (TailEvent) -> Bool) async -> [TailEvent] {
        var events: [TailEvent] = []
        for await page in pages {
            events += page.events
            if page.events.contains(where: isLast) { break }
        }
        return events
    }
}
