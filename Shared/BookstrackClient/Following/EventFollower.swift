import BookstrackContract
import Foundation

/// Decides how a job is followed: which events are new, when to ping, when and how to connect again.
///
/// A value without clock, network or randomness: the caller reports events and performs the returned actions.
struct EventFollower {
    /// How to connect.
    struct Attempt: Equatable {
        let transport: EventTransport
        /// The number of the last event that is known; nil to begin with the current state.
        let since: Int?
        /// Whether the job was followed before.
        let isReconnect: Bool
        /// Whether the stream continues after the last event, with improved results.
        let followsResults: Bool
    }

    /// What a message means.
    enum Reception: Equatable {
        /// An event that was not seen before.
        case deliver(JobEvent)
        /// The last event; nil if it was seen before.
        case finish(JobEvent?)
        /// The server requests a sign of life.
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
    /// Attempts in a row that brought nothing.
    private var failures = 0
    private var pauses = 0
    private var hasHeard = false
    private var hasDelivered = false
    /// Whether the server said on this connection that the job has ended.
    private var isOver = false
    private let followsResults: Bool
    /// Whether the last event was delivered, and only better results can follow.
    private(set) var awaitsResults = false
    /// The newest results that were reported.
    private var toldRevision = 0
    /// The results at the end of the job.
    private var endRevision: Int?
    private var pings = 0
    private var pingSent: Duration?

    /// `random` gives a number in a range.
    init(
        from position: EventPosition, policy: FollowPolicy, followsResults: Bool = false,
        random: @escaping @Sendable (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) {
        self.policy = policy
        self.random = random
        self.followsResults = followsResults
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
        return Attempt(
            transport: transport, since: lastSeq, isReconnect: hasConnected, followsResults: followsResults)
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
        case .resultsUpdated(let update): return take(update).map { .deliver($0) } ?? .ignore
        }
    }

    /// Takes what is known of the results after the end of the job: the first time it is what the consumer reads anyway.
    mutating func take(_ update: ResultsUpdate) -> JobEvent? {
        guard awaitsResults, update.resultsRevision > toldRevision else { return nil }
        // An update that was sent is news; a state is only if it differs from the one at the end.
        if update.improved == nil {
            let atEnd = endRevision ?? update.resultsRevision
            endRevision = atEnd
            guard update.resultsRevision > atEnd else { return nil }
        }
        toldRevision = update.resultsRevision
        hasDelivered = true
        return JobEvent(
            jobID: update.jobID, seq: lastSeq ?? 0, date: update.date, content: .resultsUpdated(update))
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
            if event.seq <= lastSeq {
                guard event.isLast else { return .ignore }
                return end(event) ? .ignore : .finish(nil)
            }
            if event.seq > lastSeq + 1, !mayJump, askedAfter != lastSeq {
                askedAfter = lastSeq
                return .fetchGap
            }
        }
        lastSeq = event.seq
        hasDelivered = true
        guard event.isLast else { return .deliver(event) }
        return end(event) ? .deliver(event) : .finish(event)
    }

    /// Takes the end of the job; true if results may still become better (websocket.md "Following the results").
    private mutating func end(_ event: JobEvent) -> Bool {
        guard followsResults, policy.transports[place] != .polling, event.content != .cancelled else { return false }
        awaitsResults = true
        return true
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
        failures += 1
        if hasDelivered { (pauses, attemptsHere, failures) = (0, 0, 0) }
        // Whatever works for a while does not prove that the better transports fail.
        if hasHeard { place = firstPlace }
        let next = next(after: loss)
        if case .retry(_, let error) = next, let limit = policy.attemptLimit, failures > limit { return .fail(error) }
        return next
    }

    private mutating func next(after loss: Loss) -> Next {
        switch loss {
        case .finished: return .finish
        case .gap: return .retry(after: .zero, because: Self.disconnect("events are missing"))
        case .closed(let code): return closed(code)
        // Only a service that stops names a time.
        case .ended(nil) where awaitsResults: return .finish
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
        let reason = CloseCode(rawValue: UInt16(clamping: code))
        let text =
            switch reason {
            case .serviceRestart?: "the server is restarting"
            case .tryAgainLater?: "the server is overloaded"
            default: "the server closed with \(code)"
            }
        let error = Self.disconnect(text)
        switch reason {
        case .policyViolation?:
            return .fail(BookstrackError(.unauthorized, "the server refuses this client (1008)"))
        case .protocolError?, .invalidPayload?, .messageTooBig?:
            return .fail(BookstrackError(.unexpectedAnswer, "the server rejects a message (\(code))"))
        // The server restarts, and all its clients are about to come back.
        case .serviceRestart?: return .retry(after: .seconds(random(0...1)) + policy.firstPause, because: error)
        case .tryAgainLater?: return .retry(after: policy.longestPause + .seconds(random(0...5)), because: error)
        case .normal? where awaitsResults: return .finish
        case .normal?, .goingAway?, .internalError?, nil:
            if isOver, !hasDelivered, !awaitsResults { return .finish }
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
        case .unreachable: if !policy.waitsForServer, !hasConnected { return .fail(error) }
        // Later it is more likely to be the sign-in page of a network than the server.
        case .untrusted: if !hasConnected { return .fail(error) }
        case .timedOut, .lost, .malformed: if !hasHeard { countFailure() }
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
