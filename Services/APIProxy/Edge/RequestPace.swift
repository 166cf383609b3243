import NIOCore

/// How long a request may take to arrive (spec/07 "Body limits"): its head 15 s, its body 30 s and one more per MiB.
struct RequestPace {
    static let headLimit = TimeAmount.seconds(15)
    static let bodyLimit = TimeAmount.seconds(30)
    static let bodyLimitPerMebibyte = TimeAmount.seconds(1)

    /// The part that is late.
    enum Late: String, Equatable { case head, body }

    private enum Phase: Equatable {
        /// Between requests; keep-alive has its own limit.
        case idle
        /// A head is expected; `begun` when bytes of it have come.
        case head(since: NIODeadline, begun: Bool)
        case body(since: NIODeadline, bytes: Int)
    }

    private var phase: Phase

    /// The first head is expected from `now` on: a client that connects and says nothing is not waited for.
    init(connectedAt now: NIODeadline) { phase = .head(since: now, begun: false) }

    /// Whether a head is expected and has not ended.
    private var isInHead: Bool { if case .head = phase { true } else { false } }

    /// Whether bytes of a head have come, but not all of it.
    var headHasBegun: Bool { if case .head(_, begun: true) = phase { true } else { false } }

    /// Whether a request's head has come and its end has not.
    var isInBody: Bool { if case .body = phase { true } else { false } }

    /// Bytes of whatever part have come.
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
    mutating func endArrived() { phase = .idle }

    /// When to look again; nil between requests.
    var deadline: NIODeadline? {
        switch phase {
        case .idle: nil
        case .head(let since, _): since + Self.headLimit
        case .body(let since, let bytes):
            since + Self.bodyLimit + Self.bodyLimitPerMebibyte * (bytes >> 20)
        }
    }

    /// The part that should be complete by now. It is reported once.
    mutating func late(at now: NIODeadline) -> Late? {
        guard let deadline, deadline <= now else { return nil }
        defer { phase = .idle }
        return isInHead ? .head : .body
    }
}
