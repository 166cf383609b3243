import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The answer that carries an event stream: its head, the heartbeat and the end (streams.md "Server-sent events").
///
/// Confined to the channel's event loop.
final class EventStreamBody {
    /// Reconnections after a stop are spread over this time, in milliseconds.
    private static let restartPause = 1_000...5_000
    /// The same after an overload.
    private static let overloadPause = 30_000...40_000

    private let shard: SocketShard
    /// Nil once the stream is over.
    private var exchange: LoopExchange?
    private var heartbeat: Scheduled<Void>?
    /// Nil before the answer begins.
    private var openedAt: NIODeadline?

    init(_ exchange: LoopExchange, _ shard: SocketShard) {
        self.exchange = exchange
        self.shard = shard
    }

    /// Nil until the answer has begun, so that what arrives early waits.
    var channel: (any Channel)? { openedAt == nil ? nil : exchange?.channel }
    var now: NIODeadline { shard.eventLoop.now }

    /// Begins the answer; returns false if the request wants the head only, after which the stream is over. `fields` are those that only this
    /// stream has.
    func begin(_ fields: HTTPFields) -> Bool {
        guard let exchange else { return false }
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
            return false
        }
        try? exchange.channel.syncOptions?.setOption(
            .writeBufferWaterMark, value: .init(low: 16_384, high: 32_768))
        openedAt = now
        shard.metrics.streams.streamOpened()
        return true
    }

    /// Calls `beat` at each heartbeat, until it returns false or the stream is over.
    func planHeartbeat(_ beat: @escaping () -> Bool) {
        heartbeat = shard.eventLoop.assumeIsolated().scheduleTask(in: shard.timeouts.streamHeartbeat) { [weak self] in
            guard let self, beat() else { return }
            // A client that has yet to take what was written before needs no further sign.
            if takesMore {
                write(EventStreamText.heartbeat)
                flush()
            }
            planHeartbeat(beat)
        }
    }

    private var takesMore: Bool {
        flush()
        return channel?.isWritable == true
    }

    /// Adds to the body, to be flushed by ``flush()``.
    func write(_ bytes: ByteBuffer) { exchange?.write([bytes], promise: nil, flushes: false) }

    func flush() { exchange?.channel.flush() }

    /// Ends the body; after an overload or for a restart, tells the client when to come back. The connection can take further requests,
    /// unless the server stops.
    func end(_ code: CloseCode) {
        switch code {
        case .serviceRestart: write(EventStreamText.retry(milliseconds: .random(in: Self.restartPause)))
        case .tryAgainLater: write(EventStreamText.retry(milliseconds: .random(in: Self.overloadPause)))
        default: break
        }
        count(code)
        leaveExchange()?.end(last: code == .serviceRestart)
    }

    /// The connection is over, or nothing was answered.
    func abandon() {
        count(nil)
        _ = leaveExchange()
    }

    private func count(_ code: CloseCode?) {
        guard let openedAt, exchange != nil else { return }
        shard.metrics.streams.streamEnded(code, after: now - openedAt)
    }

    private func leaveExchange() -> LoopExchange? {
        defer { exchange = nil }
        heartbeat?.cancel()
        heartbeat = nil
        return exchange
    }
}
