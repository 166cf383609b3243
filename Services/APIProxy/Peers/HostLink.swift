import BookstrackContract
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle
import SuiteMethods

/// A connection to progress-host. It is re-established automatically, and its live sockets are resumed each time (Services/README.md rule 5).
final class HostLink: Sendable {
    let client: RPCClient
    let sockets: LinkedSockets
    /// Number of handshakes. If it changes while a socket is being admitted, the socket must be resumed.
    private let handshakes: NIOLockedValueBox<Int>
    private let resumePage: Int

    /// - Parameter resumePage: Maximum number of sockets in one `ResumeSockets`.
    init(path: String, sockets: LinkedSockets, resumePage: Int, logger: Logger) {
        let handshakes = NIOLockedValueBox(0)
        self.handshakes = handshakes
        self.sockets = sockets
        self.resumePage = resumePage
        client = RPCClient(
            path: path, router: Self.router(sockets, logger), group: sockets.eventLoop, logger: logger,
            onConnect: { connection in
                handshakes.withLockedValue { $0 += 1 }
                try await sockets.resume(try await sockets.live(), on: connection, page: resumePage)
            },
            onDisconnect: { _ in sockets.detach() })
    }

    /// Asks progress-host whether a socket may be opened. On `eventLoop`, calls `markLive` if it may, and `complete` in either case. If `complete`
    /// receives a success whose `isOver` is not true, the socket is live and known to progress-host.
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

    /// Resumes a socket because there was a handshake during its admission, perhaps with another progress-host, and the socket may not have been live
    /// at that time.
    private func resumeAgain(
        _ socket: SocketID, on eventLoop: any EventLoop,
        _ complete: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        Task {
            let outcome: Result<Void, any Error>
            do {
                try await client.waitUntilConnected(within: OpenSocket.deadline)
                guard let connection = client.connection else { throw RPCError.notConnected }
                let live = try await sockets.live().filter { $0.socket == socket }
                outcome = .success(try await sockets.resume(live, on: connection, page: resumePage))
            } catch {
                outcome = .failure(error)
            }
            eventLoop.execute { complete(outcome) }
        }
    }

    /// The notifications from progress-host to this process.
    static func router(_ sockets: LinkedSockets, _ logger: Logger) -> RPCRouter {
        var router = RPCRouter()
        router.onRaw(SocketDelivery.name) { raw, _ in
            guard let delivery = SocketDelivery(raw: raw) else {
                logger.error(
                    "a delivery does not have the documented shape", metadata: ["bytes": "\(raw.readableBytes)"])
                return
            }
            sockets.deliver(delivery)
        }
        router.on(SocketSpeaksV1.self) { notice, _ in sockets.noteV1(notice.socket) }
        router.on(CloseSockets.self) { closing, _ in sockets.close(closing) }
        return router
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
