import BookstrackContract
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle
import SuiteMethods

/// The connection to progress-host. It is re-established automatically, and all live sockets are resumed each time (Services/README.md rule 5).
final class HostLink: Sendable {
    let client: RPCClient
    private let hub: SocketHub
    /// Number of handshakes. It shows whether a socket was admitted during a handshake and must therefore be resumed.
    private let handshakes: NIOLockedValueBox<Int>
    private let resume: @Sendable ([ResumeSockets.LiveSocket], RPCConnection) async throws -> Void

    /// - Parameter resumePage: Maximum number of sockets in one `ResumeSockets`.
    init(path: String, hub: SocketHub, resumePage: Int, group: any EventLoopGroup, logger: Logger) {
        let resume = Self.resume(in: hub, page: resumePage)
        self.resume = resume
        let handshakes = NIOLockedValueBox(0)
        self.handshakes = handshakes
        self.hub = hub
        client = RPCClient(
            path: path, router: Self.router(hub, logger), group: group, logger: logger,
            onConnect: { connection in
                handshakes.withLockedValue { $0 += 1 }
                try await resume(try await hub.liveSockets(), connection)
            },
            onDisconnect: { _ in hub.detach() })
    }

    /// Connects, and reconnects if the connection drops, until the client's `shutdown()`.
    func run() async { await client.run() }

    /// Asks progress-host whether a socket may be opened. Calls `markLive` and `complete` on `eventLoop`; on success, the socket is live and known to
    /// progress-host.
    func admit(
        _ socket: SocketID, _ request: SocketRequest, on eventLoop: any EventLoop,
        markLive: @escaping @Sendable (OpenSocket.Result) -> Void,
        completing complete: @escaping @Sendable (Result<OpenSocket.Result, any Error>) -> Void
    ) {
        let before = handshakes.withLockedValue { $0 }
        client.call(OpenSocket.self, .init(socket: socket, request: request)) { outcome in
            eventLoop.runOrExecute {
                switch outcome {
                case .failure(let error): complete(.failure(error))
                case .success(let result):
                    markLive(result)
                    guard self.handshakes.withLockedValue({ $0 }) != before else {
                        return complete(.success(result))
                    }
                    self.resumeAgain(socket, on: eventLoop) { complete($0.map { result }) }
                }
            }
        }
    }

    /// Resumes the socket again: the progress-host that admitted it has stopped, and the handshake with its successor may have happened before the
    /// socket was live.
    private func resumeAgain(
        _ socket: SocketID, on eventLoop: any EventLoop,
        _ complete: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        Task {
            let outcome: Result<Void, any Error>
            do {
                try await client.waitUntilConnected(within: OpenSocket.deadline)
                guard let connection = client.connection else { throw RPCError.notConnected }
                let live = try await hub.liveSockets().filter { $0.socket == socket }
                outcome = .success(try await resume(live, connection))
            } catch {
                outcome = .failure(error)
            }
            eventLoop.execute { complete(outcome) }
        }
    }

    /// The notifications from progress-host to this process.
    static func router(_ hub: SocketHub, _ logger: Logger) -> RPCRouter {
        var router = RPCRouter()
        router.onRaw(SocketDelivery.name) { raw, _ in
            guard let delivery = SocketDelivery(raw: raw) else {
                logger.error("delivery does not have the documented shape", metadata: ["bytes": "\(raw.readableBytes)"])
                return
            }
            hub.deliver(delivery)
        }
        router.on(SocketSpeaksV1.self) { notice, _ in hub.noteV1(notice.socket) }
        router.on(CloseSockets.self) { closing, _ in hub.close(closing) }
        return router
    }

    private static func resume(
        in hub: SocketHub, page: Int
    ) -> @Sendable ([ResumeSockets.LiveSocket], RPCConnection) async throws -> Void {
        { sockets, connection in
            for start in stride(from: 0, to: sockets.count, by: page) {
                let some = Array(sockets[start..<min(start + page, sockets.count)])
                _ = try await connection.call(ResumeSockets.self, .init(sockets: some))
            }
            hub.attach(connection, resumed: sockets.map(\.socket))
        }
    }
}

extension EventLoop {
    /// Runs `body` on this event loop, immediately if it is the current one.
    func runOrExecute(_ body: @escaping @Sendable () -> Void) {
        if inEventLoop { body() } else { execute(body) }
    }
}

/// Keeps an RPC client connected while the process is running.
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
