import NIOCore
import ServiceLifecycle

/// The listener for clients, which ends when its sockets have been closed too: the server waits for HTTP only.
struct PublicListener<Server: Service>: Service {
    /// Longest wait for the peers' close frames; operations.md leaves 10 s for everything.
    private static var socketsLimit: TimeAmount { .seconds(5) }

    let server: Server
    let census: SocketCensus
    let eventLoop: any EventLoop
    /// Done before the server listens.
    let rehearse: @Sendable () async -> Void

    func run() async throws {
        await rehearse()
        try await server.run()
        await census.emptied(within: Self.socketsLimit, on: eventLoop)
    }
}
