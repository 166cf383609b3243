import Logging
import NIOConcurrencyHelpers
import NIOCore
import Observability

/// Maximum numbers of connections on a listener.
struct ConnectionLimits: Sendable, Equatable {
    /// Maximum number of connections in total, including sockets.
    var total: Int
    /// Maximum number of HTTP connections per client address, or per /64 for IPv6 addresses. Event streams do not count.
    var perAddress: Int

    init(total: Int, perAddress: Int) {
        self.total = total
        // At most three quarters, so that a single address cannot take all connections.
        self.perAddress = min(perAddress, max(1, total - total / 4))
    }
}

/// The open connections of one listener, from the moment they are accepted.
final class OpenConnections: Sendable {
    private enum Use {
        /// No handler serves the connection yet.
        case none
        case requests
        /// The connection carries an event stream. Like sockets, streams have limits of their own (``SocketLimiter``); unlike for sockets,
        /// ``OpenConnections/ended()`` waits for them.
        case stream
        /// The connection is a WebSocket, which ``SocketLimiter`` counts.
        case socket
    }

    private struct Connection {
        let channel: any Channel
        /// The client; nil for a trusted proxy, whose connections belong to many clients.
        let client: ClientNetwork?
        var use = Use.none
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var balance: LoopBalance
        var unserved = 0
        /// Number of HTTP connections, including event streams but not sockets.
        var http = 0
        /// Number of tasks that answer requests.
        var tasks = 0
        var listens = true
        /// Numbers of HTTP connections by client, excluding event streams.
        var clients: [ClientNetwork: Int] = [:]
        /// Resumed when ``isOver`` becomes true.
        var waiters: [CheckedContinuation<Void, Never>] = []

        var isOver: Bool { !listens && http == 0 && tasks == 0 }

        mutating func count(_ connection: Connection, by change: Int) {
            if connection.use == .none { unserved += change }
            if connection.use != .socket { http += change }
            guard let client = connection.client, connection.use == .none || connection.use == .requests else { return }
            let count = clients[client, default: 0] + change
            clients[client] = count > 0 ? count : nil
        }
    }

    private let limits: ConnectionLimits
    private let trustedProxies: TrustedProxies
    private let state: NIOLockedValueBox<State>

    init(limits: ConnectionLimits, trustedProxies: TrustedProxies, balance: LoopBalance = LoopBalance([])) {
        self.limits = limits
        self.trustedProxies = trustedProxies
        state = NIOLockedValueBox(State(balance: balance))
    }

    /// See ``LoopBalance/mayAccept(on:orElse:)``.
    func mayAccept(on eventLoop: any EventLoop, orElse resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLockedValue { $0.balance.mayAccept(on: eventLoop, orElse: resume) }
    }

    /// Admits an accepted connection, which then counts until it closes. Returns the reason if it must be refused instead; nil if it is admitted.
    func enter(_ channel: any Channel) -> ConnectionRefusal? {
        let address = ClientAddress(channel.remoteAddress)
        let client = trustedProxies.trusts(address) ? nil : ClientNetwork(address)
        var resumed: [@Sendable () -> Void] = []
        let refusal: ConnectionRefusal? = state.withLockedValue { state in
            guard state.connections.count < limits.total else { return .total }
            if let client, state.clients[client, default: 0] >= limits.perAddress { return .address }
            let connection = Connection(channel: channel, client: client)
            state.connections[ObjectIdentifier(channel)] = connection
            state.count(connection, by: 1)
            resumed = state.balance.count(channel.eventLoop, by: 1)
            return nil
        }
        for resume in resumed { resume() }
        guard refusal == nil else { return refusal }
        channel.closeFuture.whenComplete { _ in self.leave(channel) }
        return nil
    }

    private func leave(_ channel: any Channel) {
        var resumed: [@Sendable () -> Void] = []
        update { state in
            guard let gone = state.connections.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            state.count(gone, by: -1)
            resumed = state.balance.count(channel.eventLoop, by: -1)
        }
        for resume in resumed { resume() }
    }

    /// Records that a handler now serves this connection.
    func serve(_ channel: any Channel) { change(channel, to: .requests) }

    /// Records that the connection is now a socket.
    func endHTTP(_ channel: any Channel) { change(channel, to: .socket) }

    /// Records that the connection is now an event stream.
    func beginStream(_ channel: any Channel) { change(channel, to: .stream) }

    /// Records that the connection's event stream has ended. From then on, the connection counts against its client again, even if the client has
    /// reached its limit in the meantime.
    func endStream(_ channel: any Channel) { change(channel, to: .requests) }

    private func change(_ channel: any Channel, to use: Use) {
        update { state in
            guard var connection = state.connections[ObjectIdentifier(channel)] else { return }
            state.count(connection, by: -1)
            connection.use = use
            state.connections[ObjectIdentifier(channel)] = connection
            state.count(connection, by: 1)
        }
    }

    /// Records the start of a task that answers a connection's requests; it may outlive the connection.
    func taskBegins() { update { $0.tasks += 1 } }

    func taskEnded() { update { $0.tasks -= 1 } }

    private func update(_ body: (inout State) -> Void) {
        let waiters = state.withLockedValue { state in
            body(&state)
            guard state.isOver else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Whether any accepted connection is not served yet.
    var isAnyUnserved: Bool { state.withLockedValue { $0.unserved > 0 } }

    /// Call when the listener no longer accepts connections; notifies each open connection that the server is stopping.
    func listenerClosed() {
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        update { $0.listens = false }
    }

    /// Waits until the listener is closed, every HTTP connection has ended, and all requests are done.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLockedValue { state in
                if !state.isOver { state.waiters.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// Ends every connection immediately. Each one is first notified that the server is stopping: otherwise, a half-closed connection would take this
    /// for its router's close, and wait until its client has read everything.
    func closeAll() {
        for channel in channels {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            channel.close(promise: nil)
        }
    }

    private var channels: [any Channel] { state.withLockedValue { $0.connections.values.map(\.channel) } }
}

/// Why a connection is refused or, for `descriptors`, has to wait in the kernel.
enum ConnectionRefusal: String, MetricLabel {
    /// There are too many connections in total.
    case total
    /// There are too many connections from the client's address.
    case address
    /// No file descriptors or kernel memory are left.
    case descriptors

    static let labelName = "reason"

    /// The log message.
    fileprivate var sentence: Logger.Message {
        switch self {
        case .total: "too many connections are open; new ones are refused"
        case .address: "one address has too many connections; new ones are refused"
        case .descriptors: "no file descriptors or kernel memory are left; new connections must wait"
        }
    }

    /// The complete response on a connection that is accepted only to be refused; not used for ``descriptors``, where connections wait in the kernel.
    /// It needs no parser, pipeline or allocation.
    var answer: StaticString {
        switch self {
        case .total, .descriptors:
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        case .address:
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        }
    }
}

/// Counts the refused connections of a listener, and logs them at most once per interval, because refusing connections must stay cheap.
final class ConnectionRefusals: Sendable {
    static let interval = TimeAmount.seconds(10)

    private struct State {
        var nextLine = NIODeadline.uptimeNanoseconds(0)
        /// Refusals since the last log line.
        var count = 0
    }

    private let counter: Labeled<ConnectionRefusal, Counter>
    private let logger: Logger
    private let state = NIOLockedValueBox(State())

    init(counter: Labeled<ConnectionRefusal, Counter>, logger: Logger) {
        self.counter = counter
        self.logger = logger
    }

    /// - Parameter peer: The client's address; nil if the connection could not be accepted.
    func note(_ refusal: ConnectionRefusal, of peer: SocketAddress?, at now: NIODeadline) {
        counter[refusal].add()
        let refused: Int? = state.withLockedValue { state in
            state.count += 1
            guard now >= state.nextLine else { return nil }
            state.nextLine = now + Self.interval
            defer { state.count = 0 }
            return state.count
        }
        guard let refused else { return }
        var metadata: Logger.Metadata = ["reason": "\(refusal.rawValue)", "refused": "\(refused)"]
        if let address = ClientAddress(peer).text { metadata["address"] = "\(address)" }
        logger.warning("\(refusal.sentence)", metadata: metadata)
    }
}
