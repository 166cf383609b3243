import BookstrackContract
import Foundation

/// Decides how a job is followed: which events are new, when to ping, when and how to connect again.
///
/// A value without clock, network and chance: the caller tells what happened and does what it answers.
struct EventFollower {
    /// How to connect.
    struct Attempt: Equatable {
        let transport: EventTransport
        /// The number of the last event that is known; nil to begin with the current state.
        let since: Int?
        /// Whether the job was followed before.
        let isReconnect: Bool
    }

    /// What a message means.
    enum Reception: Equatable {
        /// An event that was not seen before.
        case deliver(JobEvent)
        /// The last event; nil if it was seen before.
        case finish(JobEvent?)
        /// The server asks for a sign of life.
        case answerPing
        /// A ping was answered after this time.
        case roundTrip(Duration)
        /// Nothing to do.
        case ignore
        /// Events are missing: connect again and ask for them.
        case fetchGap
    }

    /// Why a connection is over, or never came to be.
    enum Loss: Equatable {
        /// The last event was received.
        case finished
        /// Events are missing.
        case gap
        /// The server closed with a code of RFC 6455 §7.4.
        case closed(code: Int)
        /// The server ended an event stream and asked to come back after this time.
        case ended(retry: Duration?)
        /// Nothing came for too long.
        case silent
        /// The transport failed.
        case failed(TransportFailure)
        /// The server sent what is no frame.
        case malformed(BookstrackError)
    }

    /// What follows a loss.
    enum Next: Equatable {
        case retry(after: Duration, because: BookstrackError)
        case finish
        case fail(BookstrackError)
    }

    /// What is due on a connection.
    enum Tick: Equatable {
        case ping
        case giveUp
    }

    private let policy: FollowPolicy
    private let random: @Sendable (ClosedRange<Double>) -> Double

    private var lastSeq: Int?
    /// Events may be left out on this connection: it began with the current state, or polls.
    private var mayJump = false
    /// The last event before a gap that was asked for once; if it is still there, it is not the connection's fault.
    private var askedAfter: Int?
    /// Place in `policy.transports`.
    private var place = 0
    /// Places before this one were refused for good.
    private var firstPlace = 0
    private var hasConnected = false
    private var attemptsHere = 0
    private var pauses = 0
    private var hasHeard = false
    private var hasDelivered = false
    /// Whether the server said on this connection that the job has ended.
    private var isOver = false
    private var pings = 0
    private var pingSent: Duration?

    /// `random` gives a number in a range.
    init(
        from position: EventPosition, policy: FollowPolicy,
        random: @escaping @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) {
        self.policy = policy
        self.random = random
        switch position {
        case .start: lastSeq = 0
        case .now: lastSeq = nil
        case .after(let seq): lastSeq = seq
        }
    }

    /// Begins an attempt.
    mutating func attempt() -> Attempt {
        (hasHeard, hasDelivered, isOver, pings, pingSent) = (false, false, false, 0, nil)
        let transport = policy.transports[place]
        mayJump = lastSeq == nil || transport == .polling
        return Attempt(transport: transport, since: lastSeq, isReconnect: hasConnected)
    }

    /// Whether anything came on this connection.
    var isHeard: Bool { hasHeard }

    /// Takes a message that came at `uptime`.
    mutating func take(_ message: ServerMessage, at uptime: Duration) -> Reception {
        (hasHeard, hasConnected, pings) = (true, true, 0)
        switch message {
        case .other: return .ignore
        case .ping: return .answerPing
        case .pong:
            guard let sent = pingSent else { return .ignore }
            pingSent = nil
            return .roundTrip(uptime - sent)
        case .reconnected(let seq, let payload): return take(payload, seq: seq)
        case .event(let event): return take(event)
        }
    }

    private mutating func take(_ payload: ReconnectedPayload, seq: Int) -> Reception {
        isOver = payload.status.isTerminal
        if lastSeq == nil || payload.recovered { return .ignore }
        // The events in between are no longer stored: the rest follows this state.
        lastSeq = seq
        hasDelivered = true
        return .ignore
    }

    private mutating func take(_ event: JobEvent) -> Reception {
        if let lastSeq {
            if event.seq <= lastSeq { return event.isLast ? .finish(nil) : .ignore }
            if event.seq > lastSeq + 1, !mayJump, askedAfter != lastSeq {
                askedAfter = lastSeq
                return .fetchGap
            }
        }
        lastSeq = event.seq
        hasDelivered = true
        return event.isLast ? .finish(event) : .deliver(event)
    }

    /// A ping interval has passed on a WebSocket.
    mutating func tick(at uptime: Duration) -> Tick {
        if pings >= policy.missedPongs { return .giveUp }
        pings += 1
        pingSent = uptime
        return .ping
    }

    /// Ends an attempt.
    mutating func lost(_ loss: Loss) -> Next {
        if hasDelivered { (pauses, attemptsHere) = (0, 0) }
        // Whatever works for a while does not prove that the better transports fail.
        if hasHeard { place = firstPlace }
        switch loss {
        case .finished: return .finish
        case .gap: return .retry(after: .zero, because: Self.disconnect("events are missing"))
        case .closed(let code): return closed(code)
        case .ended(let retry):
            return pause(because: Self.disconnect("the server ended the stream"), atLeast: retry)
        case .silent:
            countFailure()
            return pause(because: Self.disconnect("the server is silent"))
        case .failed(let failure): return failed(failure)
        case .malformed(let error):
            stepDown(forGood: true)
            return pause(because: error)
        }
    }

    private mutating func closed(_ code: Int) -> Next {
        let error = Self.disconnect("the server closed with \(code)")
        switch CloseCode(rawValue: UInt16(clamping: code)) {
        case .policyViolation?:
            return .fail(BookstrackError(.unauthorized, "the server refuses this client (1008)"))
        case .protocolError?, .invalidPayload?, .messageTooBig?:
            return .fail(BookstrackError(.unexpectedAnswer, "the server rejects a message (\(code))"))
        // The server restarts, and all its clients are about to come back.
        case .serviceRestart?: return .retry(after: .seconds(random(0...1)) + policy.firstPause, because: error)
        case .tryAgainLater?: return .retry(after: policy.longestPause + .seconds(random(0...5)), because: error)
        case .normal?, .goingAway?, .internalError?, nil:
            if isOver, !hasDelivered { return .finish }
            if !hasHeard { countFailure() }
            return pause(because: error)
        }
    }

    private mutating func failed(_ failure: TransportFailure) -> Next {
        let error = BookstrackError(failure)
        switch failure {
        case .cancelled: return .finish
        case .refused(let answer): return refused(answer, error)
        case .unsupported:
            guard stepDown(forGood: true) else { return .fail(error) }
            return .retry(after: .zero, because: error)
        // Without a network no transport is to blame.
        case .unreachable: break
        case .timedOut, .lost: if !hasHeard { countFailure() }
        }
        return pause(because: error)
    }

    private mutating func refused(_ answer: ClientAnswer, _ error: BookstrackError) -> Next {
        // The client has the last event (streams.md "Server-sent events").
        if answer.status == 204 { return .finish }
        let isOurs = answer.failure != nil
        if answer.status == 401 || (isOurs && !error.isRetryable && answer.status != 426) { return .fail(error) }
        if isOurs && error.isRetryable || answer.retryAfter != nil || answer.status == 429 {
            return pause(because: error, atLeast: answer.retryAfter)
        }
        if answer.status >= 500 {
            countFailure()
        } else {
            // Something between here and the server does not let this transport through.
            stepDown(forGood: true)
        }
        return pause(because: error)
    }

    /// An attempt that brought nothing.
    private mutating func countFailure() {
        attemptsHere += 1
        if attemptsHere >= policy.attemptsPerTransport { stepDown(forGood: false) }
    }

    /// Goes on with the next transport, after the last one with the first that is allowed.
    @discardableResult
    private mutating func stepDown(forGood: Bool) -> Bool {
        attemptsHere = 0
        let isLast = place + 1 >= policy.transports.count
        place = isLast ? firstPlace : place + 1
        if forGood, !isLast { firstPlace = max(firstPlace, place) }
        return !isLast
    }

    private mutating func pause(because error: BookstrackError, atLeast: Duration? = nil) -> Next {
        let window = min(policy.longestPause.seconds, policy.firstPause.seconds * Double(1 << min(pauses, 10)))
        pauses += 1
        return .retry(after: (atLeast ?? .zero) + .seconds(random(0...window)), because: error)
    }

    private static func disconnect(_ reason: String) -> BookstrackError {
        BookstrackError(.connectionFailed, reason, isRetryable: true)
    }
}
