import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Makes a connection and upgrades it (RFC 6455 §4.1).
struct SocketConnector {
    private enum Upgrade: Sendable {
        case upgraded(ProgressSocket)
        /// The answer is still on its way: NIO hands its parts over only once the upgrade has been given up.
        case refused(EventLoopFuture<HTTPAnswer>)
    }

    let address: ServerAddress
    let path: String
    let options: SocketOptions
    let group: any EventLoopGroup
    let traffic: TrafficCounter?

    func connect() async throws(ClientFailure) -> ProgressSocket {
        traffic?.add(requests: 1)
        do {
            switch try await negotiate() {
            case .upgraded(let socket): return socket
            case .refused(let answer): throw ClientFailure.upgradeRefused(try await answer.get())
            }
        } catch {
            throw ClientFailure(error)
        }
    }

    private func negotiate() async throws -> Upgrade {
        let result: EventLoopFuture<Upgrade>
        do {
            result = try await ClientBootstrap(group: group)
                .connectTimeout(.seconds(5))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try prepare(channel) }
                }
        } catch {
            throw ClientFailure.unreachable(address: "\(address)", reason: ConnectReason.text(error))
        }
        return try await result.get()
    }

    private func prepare(_ channel: any Channel) throws -> EventLoopFuture<Upgrade> {
        if let traffic { try channel.pipeline.syncOperations.addHandler(TrafficHandler(traffic)) }
        let guardian = UpgradeGuard(limit: TimeAmount(options.timeout))
        try channel.pipeline.syncOperations.addHandler(guardian)
        let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(
            maxFrameSize: options.maximumMessageBytes, enableAutomaticErrorHandling: false
        ) { channel, head in
            channel.eventLoop.makeCompletedFuture { .upgraded(try open(channel, head)) }
        }
        let upgrade = NIOTypedHTTPClientUpgradeConfiguration<Upgrade>(
            upgradeRequestHead: requestHead, upgraders: [upgrader]
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                let refusal = RefusalHandler(channel.eventLoop.makePromise())
                try channel.pipeline.syncOperations.addHandler(refusal)
                return .refused(refusal.answer)
            }
        }
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
        // Frames may come in one segment with the 101.
        configuration.leftOverBytesStrategy = .forwardBytes
        let outcome = try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: configuration)
        outcome.assumeIsolated().whenComplete { _ in guardian.finish(channel) }
        return outcome.flatMapErrorThrowing { _ in throw ClientFailure.closedEarly }
    }

    private func open(_ channel: any Channel, _ head: HTTPResponseHead) throws -> ProgressSocket {
        let bound = options.maximumWaitingEvents
        let producer = NIOAsyncSequenceProducer.makeSequence(
            elementType: SocketEvent.self,
            backPressureStrategy: NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
                lowWatermark: bound / 2, highWatermark: bound),
            finishOnDeinit: false, delegate: ReadResumption(channel: channel))
        do {
            try addHandlers(to: channel, source: producer.source)
        } catch {
            producer.source.finish()
            throw error
        }
        return ProgressSocket(upgrade: head, events: producer.sequence, channel: channel)
    }

    private func addHandlers(to channel: any Channel, source: ProgressSocket.Events.Source) throws {
        let pipeline = channel.pipeline.syncOperations
        if let limit = options.silenceLimit {
            try pipeline.addHandler(IdleStateHandler(readTimeout: TimeAmount(limit)))
        }
        try pipeline.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1_024,
                maxAccumulatedFrameSize: options.maximumMessageBytes))
        try pipeline.addHandler(SocketHandler(source: source, answersPings: options.answersPings))
    }

    private var requestHead: HTTPRequestHead {
        var headers = options.headers
        headers.replaceOrAdd(name: "Host", value: address.hostHeader)
        if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: "bookstrack") }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: address.basePath + path, headers: headers)
    }
}
