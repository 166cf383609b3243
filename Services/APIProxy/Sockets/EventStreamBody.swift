import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1

/// An event stream, which sends a heartbeat every ``PeerTimeouts/streamHeartbeat``.
protocol HeartbeatStream: AnyObject {
    /// Sends a heartbeat; false if the stream needs no more of them, because it has ended or is ending.
    func sendHeartbeat() -> Bool
}

/// The heartbeats of an event loop's streams. They share a timer, since one for each would take a tenth of a stream's memory.
///
/// Streams that have ended stay until their turn comes.
struct StreamHeartbeats {
    /// In the order in which they are due.
    private var waiting = CircularBuffer<(stream: any HeartbeatStream, at: NIODeadline)>()

    /// When the next stream is due; nil if there is none.
    var next: NIODeadline? { waiting.first?.at }

    mutating func add(_ stream: any HeartbeatStream, at time: NIODeadline) { waiting.append((stream, time)) }

    /// Takes the next stream if it is due.
    mutating func takeDue(at now: NIODeadline) -> (any HeartbeatStream)? {
        guard let first = waiting.first, first.at <= now else { return nil }
        return waiting.removeFirst().stream
    }
}

/// The response that carries an event stream: its head, heartbeats and end (streams.md "Server-sent events").
///
/// Confined to the channel's event loop.
final class EventStreamBody {
    /// Reconnections after a stop are spread over this range of delays, in milliseconds.
    private static let restartPause = 1_000...5_000
    /// Reconnections after an overload are spread over this range of delays, in milliseconds.
    private static let overloadPause = 30_000...40_000

    private let shard: SocketShard
    /// The request and its response; nil once the stream has ended.
    private var exchange: LoopExchange?
    /// When the response began; nil before.
    private var openedAt: NIODeadline?

    init(_ exchange: LoopExchange, _ shard: SocketShard) {
        self.exchange = exchange
        self.shard = shard
    }

    /// Nil until the response has begun, so that early frames wait, and after the end of the stream.
    var channel: (any Channel)? { openedAt == nil ? nil : exchange?.channel }
    var now: NIODeadline { shard.eventLoop.now }

    /// Starts the response. Returns false if the stream has ended, which it does at once if only the head was requested. `fields` are sent in
    /// addition to the header fields of every stream.
    func begin(_ fields: HTTPFields) -> Bool {
        guard let exchange else { return false }
        var head: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store",
            // Otherwise, nginx would buffer events.
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

    /// Writes a heartbeat; false once the stream has ended.
    func sendHeartbeat() -> Bool {
        guard exchange != nil else { return false }
        // A client with many unread bytes needs no heartbeat.
        if takesMore {
            write(EventStreamText.heartbeat)
            flush()
        }
        return true
    }

    private var takesMore: Bool {
        flush()
        return channel?.isWritable == true
    }

    /// Adds to the body, to be flushed by ``flush()``.
    func write(_ bytes: ByteBuffer) { exchange?.write([bytes], promise: nil, flushes: false) }

    func flush() { exchange?.channel.flush() }

    /// Ends the body; after an overload or for a restart, sets the time after which the client reconnects. The connection can carry further requests,
    /// unless the response has `Connection: close` or the server is stopping.
    func end(_ code: CloseCode) {
        switch code {
        case .serviceRestart: write(EventStreamText.retry(milliseconds: .random(in: Self.restartPause)))
        case .tryAgainLater: write(EventStreamText.retry(milliseconds: .random(in: Self.overloadPause)))
        default: break
        }
        count(code)
        leaveExchange()?.end()
    }

    /// Called when the connection has ended, or if no response was started.
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
        return exchange
    }
}
