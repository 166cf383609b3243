import Glibc
import Logging
import NIOCore
import NIOPosix
import Observability
import ServiceKit
import ServiceLifecycle

/// Accepts connections until a graceful shutdown, then waits until the open HTTP connections, but not the WebSockets, have ended.
///
/// Hummingbird's own server can only bind an address; this one can also use a socket that is already open.
struct HTTPServer: Service {
    /// One connection per turn of the event loop, so the frames of live sockets wait for at most one connection setup. Accepting more per turn does
    /// not shorten a storm of thousands of connections, because most of the work is the setup.
    private static let acceptsPerRead: UInt = 1
    /// Maximum number of event loops that accept connections, each for itself: handing a connection to another loop takes a sixth of the time for a
    /// new WebSocket. If there are more loops, one accepts the connections for all of them, since each new connection would otherwise wake every idle
    /// loop.
    ///
    /// A loop may be woken for a connection that another loop has accepted in the meantime. NIO tolerates this, but asserts in debug builds that it
    /// does not happen.
    #if DEBUG
        private static let maxAcceptingLoops = 1
    #else
        private static let maxAcceptingLoops = 8
    #endif
    /// Sizes of a connection's receive buffer, which NIO keeps as long as the connection is open. A short request fits into the initial size; for a
    /// longer one, the size doubles with each full read.
    private static let receiveBuffer = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 256, maximum: 65_536)

    let place: ListeningPlace
    let name: ListenerName
    let handover: ListenerHandover
    let connections: EdgeChannel
    let limits: ConnectionLimits
    let trustedProxies: TrustedProxies
    let refusals: Labeled<ConnectionRefusal, Counter>
    /// Maximum number of connections waiting to be accepted.
    let backlog: Int32
    let group: any EventLoopGroup
    let logger: Logger
    /// Called once the server is listening.
    let onRunning: @Sendable (any Channel) async -> Void

    func run() async throws {
        let loops = Array(group.makeIterator())
        let allAccept = loops.count <= Self.maxAcceptingLoops
        let open = OpenConnections(
            limits: limits, trustedProxies: trustedProxies, balance: LoopBalance(allAccept ? loops : []))
        let listeners = try await listen(allAccept ? loops.map { ($0, $0) } : [(loops[0], group)], open)
        let listener = listeners[0]
        EventLoopFuture.andAllComplete(listeners.map(\.closeFuture), on: listener.eventLoop)
            .whenComplete { _ in open.listenerClosed() }
        // NIO closes a listener after an unknown error of accept(2). The others would then wait for its loop to catch up, so they stop too.
        for listener in listeners { listener.closeFuture.whenComplete { _ in Self.stop(listeners) } }
        await handover.offer(name, listener)
        await withGracefulShutdownHandler {
            await onRunning(listener)
            await withTaskCancellationHandler {
                await open.ended()
            } onCancel: {
                for listener in listeners { listener.close(promise: nil) }
                open.closeAll()
            }
        } onGracefulShutdown: {
            connections.rules.feed.aborted.serverStops()
            Self.stop(listeners)
        }
    }

    private static func stop(_ listeners: [any Channel]) {
        for listener in listeners { listener.triggerUserOutboundEvent(AcceptingHandler.Stop(), promise: nil) }
    }

    /// Listens on one socket, from which each of the loops accepts connections for its group.
    private func listen(
        _ loops: [(accepting: any EventLoop, serving: any EventLoopGroup)], _ open: OpenConnections
    ) async throws -> [any Channel] {
        let refusals = ConnectionRefusals(counter: refusals, logger: logger)
        var listeners: [any Channel] = []
        do {
            for loop in loops {
                let bootstrap = bootstrap(on: loop.accepting, serving: loop.serving, open, refusals)
                if let first = listeners.first {
                    let copy = try await first.duplicateDescriptor()
                    listeners.append(try await taken(copy) { try await bootstrap.withBoundSocket(copy).get() })
                } else {
                    listeners.append(try await firstListener(bootstrap))
                }
            }
        } catch {
            for listener in listeners { listener.close(promise: nil) }
            throw error
        }
        return listeners
    }

    private func firstListener(_ bootstrap: ServerBootstrap) async throws -> any Channel {
        switch place {
        case .address(let host, let port):
            try await listening(at: host, port) { try await bootstrap.bind(host: host, port: port).get() }
        case .passed(let descriptor, _):
            try await taken(descriptor) { try await bootstrap.withBoundSocket(descriptor).get() }
        }
    }

    private func bootstrap(
        on loop: any EventLoop, serving group: any EventLoopGroup, _ open: OpenConnections,
        _ refusals: ConnectionRefusals
    ) -> ServerBootstrap {
        ServerBootstrap(group: loop, childGroup: group)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: Self.acceptsPerRead)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: Self.receiveBuffer)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptingHandler(
                            open, refusals: refusals,
                            leavesBacklog: { place.leavesBacklog || handover.isDone }))
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try connections.setup(channel, open) }
            }
    }

    /// Sets the backlog again: NIO has set that of a passed socket to 128, regardless of what the socket unit specifies.
    private func taken<Listener>(_ descriptor: CInt, _ bind: () async throws -> Listener) async throws -> Listener {
        let listener = try await bind()
        if Glibc.listen(descriptor, backlog) != 0 {
            logger.warning("cannot raise the listen backlog", metadata: ["errno": "\(errno)"])
        }
        return listener
    }

    /// Adds the address to a failure to listen. Throws `SettingsError` if the settings must be changed, `StartFailure` if the port is in use; logs
    /// and rethrows any other error.
    private func listening<Listener>(
        at host: String, _ port: Int, _ bind: () async throws -> Listener
    ) async throws -> Listener {
        do {
            return try await bind()
        } catch {
            if (error as? IOError)?.errnoCode == EADDRINUSE {
                throw StartFailure(
                    "port \(port) of \(host) is in use by another process, which `ss -ltnp sport = :\(port)` shows: "
                        + "stop it, or set \(name.portSetting)")
            }
            if let fault = ListeningFault(error) {
                throw SettingsError.unusableAddress(address: "\(host):\(port)", reason: fault.reason)
            }
            logger.critical("cannot listen", metadata: ["address": "\(host):\(port)", "error": "\(error)"])
            throw error
        }
    }
}

/// Where a listener's connections come from.
enum ListeningPlace: Sendable, Equatable {
    /// An address to bind; port 0 selects any free port.
    case address(host: String, port: Int)
    /// A socket that is already listening: either opened by the service manager, which keeps a copy (sd_listen_fds(3)), or taken over from
    /// the previous process, which keeps none.
    case passed(descriptor: CInt, isKept: Bool = true)

    /// Whether connections in the backlog are left to the next process.
    var leavesBacklog: Bool { if case .passed(_, isKept: true) = self { true } else { false } }
}

/// Why an address cannot be used until its setting is corrected. Other failures may be temporary, for example an address in use, an interface that is
/// not up yet, or a name server that does not respond. After such a failure, the service manager restarts the process.
enum ListeningFault: Equatable {
    case unknownHost
    case notAllowed

    init?(_ error: any Error) {
        switch error {
        case is SocketAddressError: self = .unknownHost
        case let error as SocketAddressError.UnknownHost where error.errorCode != EAI_AGAIN: self = .unknownHost
        case let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM: self = .notAllowed
        default: return nil
        }
    }

    /// The reason as shown in the startup error.
    var reason: String {
        switch self {
        case .unknownHost: "unknown host"
        case .notAllowed: "this user is not permitted to listen there"
        }
    }
}
