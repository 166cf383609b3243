import NIOCore

/// Timeouts of a connection's requests (http-api.md "Validation"): 15 s for a head, 30 s and one more per MiB for a body, and 60 s between
/// two requests.
struct RequestTimeouts {
    static let headLimit = TimeAmount.seconds(15)
    static let bodyLimit = TimeAmount.seconds(30)
    static let bodyLimitPerMebibyte = TimeAmount.seconds(1)
    static let idleLimit = TimeAmount.seconds(60)

    /// What is late: a part of a request, or the next request.
    enum Late: String, Equatable { case head, body, idle }

    private enum Phase: Equatable {
        /// Between requests.
        case idle(since: NIODeadline)
        /// A head is expected; `begun` when bytes of it have come.
        case head(since: NIODeadline, begun: Bool)
        case body(since: NIODeadline, bytes: Int)
    }

    private var phase: Phase

    /// The first head is expected from `now` on: the server does not wait for a client that connects and says nothing.
    init(connectedAt now: NIODeadline) { phase = .head(since: now, begun: false) }

    /// Whether a head is expected and has not ended.
    private var isInHead: Bool { if case .head = phase { true } else { false } }

    /// Whether bytes of a head have come, but not all of it.
    var headHasBegun: Bool { if case .head(_, begun: true) = phase { true } else { false } }

    /// Whether a request's head has come and its end has not.
    var isInBody: Bool { if case .body = phase { true } else { false } }

    /// Bytes of any part have arrived.
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

    /// The request is complete. Bytes of a next one may have come already with it.
    mutating func endArrived(at now: NIODeadline) { phase = .idle(since: now) }

    /// An answer has ended, or is still on its way: the timeout of the next request starts now.
    mutating func answered(at now: NIODeadline) {
        if case .idle = phase { phase = .idle(since: now) }
    }

    /// When to look again.
    var deadline: NIODeadline {
        switch phase {
        case .idle(let since): since + Self.idleLimit
        case .head(let since, _): since + Self.headLimit
        case .body(let since, let bytes):
            since + Self.bodyLimit + Self.bodyLimitPerMebibyte * (bytes >> 20)
        }
    }

    /// What should be there by now. It is reported once.
    mutating func late(at now: NIODeadline) -> Late? {
        guard deadline <= now else { return nil }
        defer { phase = .idle(since: now) }
        return isInHead ? .head : isInBody ? .body : .idle
    }
}

/// Timeouts after which the connection of a slow peer is closed.
struct PeerTimeouts: Sendable {
    /// Until it has taken what waits before a close frame.
    var drain = TimeAmount.seconds(5)
    /// Until it answers a close frame that has been written.
    var closeReply = TimeAmount.seconds(2)
    /// Until a request has arrived that was sent before this process was told to stop.
    var lastRequest = TimeAmount.seconds(1)

    /// Bytes per second of the slowest peer that is still served.
    private static let slowestPeer = 32 << 10

    /// `drain` for a peer that also has to take a terminal frame of this many bytes: a shipped app's may be close to 1 MiB.
    func drain(endOf bytes: Int) -> TimeAmount { drain + .milliseconds(Int64(bytes) * 1_000 / Int64(Self.slowestPeer)) }
}
