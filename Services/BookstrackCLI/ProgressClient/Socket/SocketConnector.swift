import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Makes a connection and upgrades it (RFC 6455 §4.1).
struct SocketConnector {
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
        let outcome: EventLoopFuture<Upgrade>
        do {
            outcome = try await ClientBootstrap(group: group)
                .connectTimeout(.seconds(5))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try prepare(channel) }
                }
        } catch {
            throw ClientFailure.unreachable(address: "\(address)", reason: ConnectReason.text(error))
        }
        return try await outcome.get()
    }

    private func prepare(_ channel: any Channel) throws -> EventLoopFuture<Upgrade> {
        let outcome = channel.eventLoop.makePromise(of: Upgrade.self)
        let pipeline = channel.pipeline.syncOperations
        if let traffic { try pipeline.addHandler(TrafficHandler(traffic)) }
        try pipeline.addHandler(
            UpgradeHandler(request: requestHead, limit: TimeAmount(options.timeout), outcome: outcome, open: open))
        return outcome.futureResult
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
        try pipeline.addHandler(WebSocketFrameEncoder())
        try pipeline.addHandler(
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: options.maximumMessageBytes)))
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
