import NIOConcurrencyHelpers
import NIOCore

/// How many connections a listener takes.
struct ConnectionLimits: Sendable, Equatable {
    /// All, sockets included.
    var total: Int
    /// Those of one client address that are no sockets; of an IPv6 address, of its /64.
    var perAddress: Int

    init(total: Int, perAddress: Int) {
        self.total = total
        // One address alone never shuts everybody else out.
        self.perAddress = min(perAddress, max(1, total - total / 4))
    }
}

/// The connections of one listener, from the moment the kernel hands them over.
final class OpenConnections: Sendable {
    private struct Connection {
        var channel: any Channel
        /// What it counts under; nil once it is a socket, and for a trusted proxy, whose connections are those of many clients.
        var address: ClientNetwork?
        /// Whether it is not yet with somebody who answers.
        var isUnserved = true
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var unserved = 0
        var addresses: [ClientNetwork: Int] = [:]

        mutating func release(_ address: ClientNetwork?) {
            if let address { addresses.decrement(address) }
        }
    }

    private let limits: ConnectionLimits
    private let trustedProxies: TrustedProxies
    private let state = NIOLockedValueBox(State())

    init(limits: ConnectionLimits, trustedProxies: TrustedProxies) {
        self.limits = limits
        self.trustedProxies = trustedProxies
    }

    /// A connection was accepted; it is forgotten when it closes. Returns why it is not taken, if it is not.
    func enter(_ channel: any Channel) -> ConnectionRefusal? {
        let client = ClientAddress(channel.remoteAddress)
        let address = trustedProxies.trusts(client) ? nil : ClientNetwork(client)
        let refusal: ConnectionRefusal? = state.withLockedValue { state in
            guard state.connections.count < limits.total else { return .total }
            if let address {
                let count = state.addresses[address, default: 0]
                guard count < limits.perAddress else { return .address }
                state.addresses[address] = count + 1
            }
            state.connections[ObjectIdentifier(channel)] = Connection(channel: channel, address: address)
            state.unserved += 1
            return nil
        }
        guard refusal == nil else { return refusal }
        channel.closeFuture.whenComplete { _ in self.leave(channel) }
        return nil
    }

    private func leave(_ channel: any Channel) {
        state.withLockedValue { state in
            guard let gone = state.connections.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            if gone.isUnserved { state.unserved -= 1 }
            state.release(gone.address)
        }
    }

    /// Somebody answers on this connection from here on.
    func serve(_ channel: any Channel) {
        change(channel) { connection, state in
            if connection.isUnserved { state.unserved -= 1 }
            connection.isUnserved = false
        }
    }

    /// The connection is a socket from here on, or it has ended; sockets have limits of their own.
    func endHTTP(_ channel: any Channel) {
        change(channel) { connection, state in
            state.release(connection.address)
            connection.address = nil
        }
    }

    private func change(_ channel: any Channel, _ body: (inout Connection, inout State) -> Void) {
        state.withLockedValue { state in
            guard var connection = state.connections[ObjectIdentifier(channel)] else { return }
            body(&connection, &state)
            state.connections[ObjectIdentifier(channel)] = connection
        }
    }

    /// Whether a connection was accepted that nobody serves yet.
    var isAnyUnserved: Bool { state.withLockedValue { $0.unserved > 0 } }

    /// Tells each connection that the server stops.
    func quiesce() {
        let channels = state.withLockedValue { $0.connections.values.map(\.channel) }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }
}
