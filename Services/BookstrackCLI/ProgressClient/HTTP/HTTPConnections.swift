import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// The connections of an `HTTPClient`: idle ones are kept for the next request.
final class HTTPConnections: Sendable {
    private struct State {
        var idle: [any Channel] = []
        var isShutDown = false
    }

    private let address: ServerAddress
    private let group: any EventLoopGroup
    private let limits: HTTPClientLimits
    private let traffic: TrafficCounter?
    private let state = NIOLockedValueBox(State())

    init(address: ServerAddress, group: any EventLoopGroup, limits: HTTPClientLimits, traffic: TrafficCounter?) {
        self.address = address
        self.group = group
        self.limits = limits
        self.traffic = traffic
    }

    /// A connection that was kept and is still open.
    func takeIdle() -> (any Channel)? {
        state.withLockedValue { state in
            while let channel = state.idle.popLast() {
                if channel.isActive { return channel }
            }
            return nil
        }
    }

    func open() async throws -> any Channel {
        let (limit, traffic) = (limits.maximumAnswerBytes, traffic)
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(.seconds(5))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let traffic { try pipeline.addHandler(TrafficHandler(traffic)) }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(HTTPExchangeHandler(limit: limit))
                }
            }
        do {
            return try await bootstrap.connect(host: address.host, port: address.port).get()
        } catch {
            throw ClientFailure.unreachable(address: "\(address)", reason: ConnectReason.text(error))
        }
    }

    /// Takes back a connection that can carry another request; the oldest one goes when there are too many.
    func keep(_ channel: any Channel) {
        let surplus: (any Channel)? = state.withLockedValue { state in
            guard !state.isShutDown else { return channel }
            state.idle.append(channel)
            return state.idle.count > limits.maximumIdleConnections ? state.idle.removeFirst() : nil
        }
        surplus?.close(promise: nil)
    }

    func shutdown() async {
        let idle = state.withLockedValue { state in
            state.isShutDown = true
            defer { state.idle = [] }
            return state.idle
        }
        for channel in idle { try? await channel.close() }
    }
}
