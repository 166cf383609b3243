import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// One stream of server-sent events, on the HTTP connection of its request: what progress-host delivers goes to its client.
final class EventStream: Watcher {
    var codec: FrameCodec { appEvents == nil ? .eventStream : .frame }
    /// Reconnections after a stop are spread over this time, in milliseconds.
    private static let restartPause = 1_000...5_000
    /// The same after an overload.
    private static let overloadPause = 30_000...40_000

    let id: SocketID
    let request: SocketRequest
    let shard: SocketShard
    var state: WatcherState
    /// Nil once the stream is over.
    private var exchange: LoopExchange?
    private var heartbeat: Scheduled<Void>?
    /// Nil before the answer begins.
    private var openedAt: NIODeadline?
    /// Makes events of shipped apps; nil of a stream that sends the frames themselves.
    private var appEvents: AppEvents?
    /// When a stream of shipped apps sent its last event.
    private var lastEventAt = NIODeadline.uptimeNanoseconds(0)

    /// Nil until the answer has begun, so that what arrives early waits.
    var channel: (any Channel)? { openedAt == nil ? nil : exchange?.channel }

    init(
        id: SocketID, request: SocketRequest, place: SocketLimiter.Place, shard: SocketShard, exchange: LoopExchange,
        shape: EventStreamShape = .frames
    ) {
        self.id = id
        self.request = request.withoutToken
        self.shard = shard
        self.exchange = exchange
        appEvents = shape == .shippedApps ? AppEvents(request.jobId) : nil
        state = WatcherState(place: place)
    }

    /// Begins the answer. `fields` are those that only this stream has.
    func begin(_ fields: HTTPFields) {
        guard let exchange, state.phase != .closed else { return }
        var head: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store",
            // nginx would collect events otherwise.
            .known("X-Accel-Buffering"): "no",
        ]
        head.append(contentsOf: fields)
        let isHead = exchange.head.method == .HEAD
        exchange.begin(head, isStream: !isHead)
        guard !isHead else {
            leaveExchange()?.end()
            return leave()
        }
        try? exchange.channel.syncOptions?.setOption(
            .writeBufferWaterMark, value: .init(low: 16_384, high: 32_768))
        openedAt = exchange.eventLoop.now
        lastEventAt = exchange.eventLoop.now
        if appEvents != nil { write(AppEvents.beginning) }
        shard.metrics.streams.streamOpened()
        shard.tell(.streamOpened, of: self)
        planHeartbeat()
        if case .draining = state.phase { watchDraining() }
        drain()
    }

    private func planHeartbeat() {
        heartbeat = shard.eventLoop.assumeIsolated().scheduleTask(in: shard.timeouts.streamHeartbeat) { [weak self] in
            guard let self, state.phase == .open else { return }
            if endsIdle() { return }
            // A client that has yet to take what was written before needs no further sign.
            if takesMore { write(EventStreamText.heartbeat) }
            planHeartbeat()
        }
    }

    /// Ends a stream of shipped apps that has been idle for too long. The job goes on.
    private func endsIdle() -> Bool {
        guard let appEvents, let exchange, exchange.eventLoop.now - lastEventAt >= shard.timeouts.streamIdle else {
            return false
        }
        write(appEvents.timeout)
        close(.normal, reason: "idle")
        return true
    }

    private func leaveExchange() -> LoopExchange? {
        defer { exchange = nil }
        heartbeat?.cancel()
        heartbeat = nil
        return exchange
    }
}

// MARK: To the client

extension EventStream {
    func write(_ bytes: ByteBuffer, _ kind: SocketDelivery.Kind) {
        guard appEvents != nil else { return write(bytes) }
        guard let exchange, let event = appEvents?.event(of: bytes) else { return }
        lastEventAt = exchange.eventLoop.now
        write(event)
    }

    private func write(_ bytes: ByteBuffer) {
        exchange?.write([bytes], promise: nil, flushes: false)
        shard.flushSoon(self)
    }

    func flush() {
        state.isDirty = false
        exchange?.channel.flush()
    }

    /// Ends the body. The connection can take further requests, unless the server stops.
    func sendEnd(_ code: CloseCode, reason: String) {
        switch code {
        case .serviceRestart: write(EventStreamText.retry(milliseconds: .random(in: Self.restartPause)))
        case .tryAgainLater: write(EventStreamText.retry(milliseconds: .random(in: Self.overloadPause)))
        default: break
        }
        ended(code)
        leaveExchange()?.end(last: code == .serviceRestart)
        leave()
    }

    /// Ends the connection, so that the client does not take the stream for whole.
    func drainTimedOut() {
        guard case .draining = state.phase else { return }
        channel?.close(promise: nil)
    }

    /// The connection is over, or nothing was answered.
    func end() {
        guard state.phase != .closed else { return }
        ended(nil)
        _ = leaveExchange()
        leave()
    }

    private func ended(_ code: CloseCode?) {
        guard let openedAt, let exchange else { return }
        shard.metrics.streams.streamEnded(code, after: exchange.eventLoop.now - openedAt)
        shard.tell(.streamClosed, of: self, result: "\(code?.rawValue ?? 1006)")
    }
}
