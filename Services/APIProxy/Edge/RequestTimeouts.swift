import NIOCore
import NIOHTTP1
import ServiceKit

/// Timeouts of a connection's requests (http-api.md "Validation"): 15 s for a head, 30 s plus 1 s per MiB for a body, and 60 s between two
/// requests.
struct RequestTimeouts {
    static let headLimit = TimeAmount.seconds(15)
    static let bodyLimit = TimeAmount.seconds(30)
    static let bodyLimitPerMebibyte = TimeAmount.seconds(1)
    static let idleLimit = TimeAmount.seconds(60)

    /// The part of a request that is late, or `idle` if the next request is late.
    enum Late: String, Equatable { case head, body, idle }

    private enum Phase: Equatable {
        /// The connection is between two requests.
        case idle(since: NIODeadline)
        /// A head is expected; `begun` is true once some of its bytes have arrived.
        case head(since: NIODeadline, begun: Bool)
        case body(since: NIODeadline, bytes: Int)
    }

    private var phase: Phase

    /// Starts the timeout for the first head, so a client that connects and sends nothing gets no extra time.
    init(connectedAt now: NIODeadline) { phase = .head(since: now, begun: false) }

    /// Whether a head is expected or incomplete.
    private var isInHead: Bool { if case .head = phase { true } else { false } }

    /// Whether part of a head has arrived.
    var headHasBegun: Bool { if case .head(_, begun: true) = phase { true } else { false } }

    /// Whether a request's head has arrived, but not its end.
    var isInBody: Bool { if case .body = phase { true } else { false } }

    /// Records the arrival of bytes, before they are decoded.
    mutating func bytesArrived(at now: NIODeadline) {
        switch phase {
        case .idle: phase = .head(since: now, begun: true)
        case .head(let since, _): phase = .head(since: since, begun: true)
        case .body: break
        }
    }

    mutating func headArrived(at now: NIODeadline) { phase = .body(since: now, bytes: 0) }

    mutating func bodyArrived(_ count: Int) {
        if case .body(let since, let bytes) = phase { phase = .body(since: since, bytes: bytes + count) }
    }

    /// Records that the request is complete. The timeout for the next head does not start here, even if some of its bytes have already arrived.
    mutating func endArrived(at now: NIODeadline) { phase = .idle(since: now) }

    /// Records that a response has been written: if no other request is arriving, the timeout for the next one starts now.
    mutating func answered(at now: NIODeadline) {
        if case .idle = phase { phase = .idle(since: now) }
    }

    /// When to call ``late(at:)`` next.
    var deadline: NIODeadline {
        switch phase {
        case .idle(let since): since + Self.idleLimit
        case .head(let since, _): since + Self.headLimit
        case .body(let since, let bytes):
            since + Self.bodyLimit + Self.bodyLimitPerMebibyte * (bytes >> 20)
        }
    }

    /// The part whose timeout has expired; nil if there is none. Each timeout is reported once.
    mutating func late(at now: NIODeadline) -> Late? {
        guard deadline <= now else { return nil }
        defer { phase = .idle(since: now) }
        return isInHead ? .head : isInBody ? .body : .idle
    }
}

/// Timeout for a client that does not read a response (http-api.md "Validation"): 60 s without taking any of its bytes.
///
/// It is checked whenever a timeout of ``RequestTimeouts`` expires, so a connection may remain open for up to twice as long.
struct UnreadTimeout {
    static let limit = TimeAmount.seconds(60)

    private var last: (taken: Int, at: NIODeadline)?

    /// Records that the client has read enough for more to be written.
    mutating func clientReads() { last = nil }

    /// Whether the client has taken nothing for ``limit``. Call this only while nothing more can be written.
    ///
    /// - Parameter taken: Number of bytes that the client has taken, counted from any fixed moment.
    mutating func hasExpired(taken: Int, at now: NIODeadline) -> Bool {
        if let last, last.taken == taken { return now - last.at >= Self.limit }
        last = (taken, now)
        return false
    }
}

extension HTTPConnection {
    /// Called when bytes have arrived, before the decoder sees them.
    func bytesArrived() {
        guard let context else { return }
        timeouts.bytesArrived(at: context.eventLoop.now)
    }

    /// Called after ``bytesArrived()``, once the decoder has seen the bytes.
    func bytesDecoded() {
        if timer.map({ timeouts.deadline < $0.deadline }) == true { stopWatching() }
        watchTimeouts()
    }

    func noteProgress(of part: HTTPServerRequestPart, _ now: NIODeadline) {
        switch part {
        case .head: timeouts.headArrived(at: now)
        case .body(let bytes): timeouts.bodyArrived(bytes.readableBytes)
        case .end: timeouts.endArrived(at: now)
        }
    }

    /// Called when an event stream begins. From then on, the connection does not count against its client's limit for HTTP connections. No timeout
    /// applies until the stream ends, because nothing more is read until then.
    func streamBegins() {
        stopWatching()
        if let channel = context?.channel { open.beginStream(channel) }
    }

    /// Called when an event stream ends, before its end is sent.
    func streamEnded() {
        if let channel = context?.channel { open.endStream(channel) }
    }

    private func stopWatching() {
        timer?.task.cancel()
        timer = nil
    }

    /// Watches the timeouts with a single timer. Nearly all requests arrive complete and in time, so the timer is set again only when it fires, when
    /// the rest of a request that has partly arrived is due before then, or after an event stream.
    func watchTimeouts() {
        guard timer == nil, let context else { return }
        let deadline = timeouts.deadline
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
            self?.timer = nil
            self?.checkTimeouts()
        }
        timer = (task, deadline)
    }

    private func checkTimeouts() {
        guard let context else { return }
        let late = timeouts.late(at: context.eventLoop.now)
        if late != nil, clientTakesNothing(context) { return context.close(promise: nil) }
        if let late, case .open = exchanges.phase {
            switch late {
            case .head: fail(.late(late.rawValue), .request(nil), context)
            case .body where loop?.isInBody == true: refuseBody(.late(late.rawValue))
            case .body where servingHandlers != nil: context.fireErrorCaught(APIFailure.late(late.rawValue))
            case .body: return context.close(promise: nil)
            case .idle where exchanges.answersOwed == 0 && context.channel.isWritable:
                return context.close(promise: nil)
            case .idle: break
            }
        }
        watchTimeouts()
    }

    /// Whether a response has been waiting for the client for too long without any of its bytes being taken.
    private func clientTakesNothing(_ context: ChannelHandlerContext) -> Bool {
        guard !context.channel.isWritable || exchanges.isOver,
            let buffered = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        else { return false }
        return unreadTimeout.hasExpired(taken: unreadBytes - buffered, at: context.eventLoop.now)
    }
}

/// Timeouts for clients, searches and the server's shutdown, and the intervals of heartbeats and pings.
struct PeerTimeouts: Sendable {
    /// Time for the client to read the frames queued before a close frame.
    var drain = TimeAmount.seconds(5)
    /// Time for the client to answer a close frame that has been written.
    var closeReply = TimeAmount.seconds(2)
    /// How long to wait for a request that was sent before this process began to stop.
    var lastRequest = TimeAmount.seconds(1)
    /// Time after the server begins to stop until unfinished searches, previews and insights fail with 503.
    var lastSearch = TimeAmount(ServiceMain.gracefulLimit) - .seconds(1)
    /// Time between two heartbeat comments on an event stream (streams.md "Server-sent events").
    var streamHeartbeat = TimeAmount.seconds(15)
    /// Time without events after which a shipped app's stream ends (streams.md "Streams of shipped apps").
    var streamIdle = TimeAmount.minutes(5)
    /// Time for the client of a multi-job WebSocket to specify a job (streams.md "Many jobs on one WebSocket").
    var firstWatch = TimeAmount.seconds(5)
    /// Idle time after which the client of a multi-job WebSocket is pinged (websocket.md "Heartbeat").
    var ping = TimeAmount.seconds(30)
    /// Idle time after which the client of a multi-job WebSocket is disconnected.
    var silence = TimeAmount.seconds(90)

    /// Minimum rate at which a client is expected to read, in bytes per second.
    private static let slowestPeer = 32 << 10

    /// `drain` for a client that also has to read a terminal frame of this many bytes. For a shipped app, that frame may be almost 1 MiB long.
    func drain(endOf bytes: Int) -> TimeAmount { drain + Self.time(toRead: bytes) }

    /// Maximum time in which a client is expected to read this many bytes.
    static func time(toRead bytes: Int) -> TimeAmount { .milliseconds(Int64(bytes) * 1_000 / Int64(slowestPeer)) }
}
