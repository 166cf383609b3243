import BookstrackContract
import Foundation

/// Decides how a job is followed: which events are new, when to ping, and when and how to reconnect.
///
/// A value with no clock, network access or randomness of its own: the caller reports events and performs the returned actions.
struct EventFollower {
    /// How to connect.
    struct Attempt: Equatable {
        let transport: EventTransport
        /// The sequence number of the last known event; 0 to begin with the first event, nil to begin with the current state.
        let since: Int?
        /// Whether an earlier attempt received a message.
        let isReconnect: Bool
        /// Whether to continue after the last event, for improved results.
        let followsResults: Bool
    }

    /// How to react to a message.
    enum Reception: Equatable {
        /// Deliver a new event.
        case deliver(JobEvent)
        /// Deliver the last event, then end; nil if it was delivered before.
        case finish(JobEvent?)
        /// Answer the server's ping.
        case answerPing
        /// The client's ping was answered after this time.
        case roundTrip(Duration)
        /// Do nothing.
        case ignore
        /// The job has ended: read its state, and report its results if they have improved.
        case compareResults
        /// Events are missing: reconnect and request them.
        case fetchGap
        /// The job can no longer be followed: end with the error.
        case fail(BookstrackError)
    }

    /// Why a connection ended or was never established.
    enum Loss: Equatable {
        /// The last event was received.
        case finished
        /// Events are missing.
        case gap
        /// The server closed the WebSocket with a code (RFC 6455 §7.4).
        case closed(code: Int)
        /// The server ended an event stream and may have asked the client to reconnect after this time.
        case ended(retry: Duration?)
        /// Nothing arrived for too long.
        case silent
        /// The transport failed.
        case failed(TransportFailure)
        /// The server sent something that is not a valid frame.
        case malformed(BookstrackError)
        /// The job can no longer be followed.
        case rejected(BookstrackError)
    }

    /// What to do after a connection is lost.
    enum Next: Equatable {
        case retry(after: Duration, because: BookstrackError)
        case finish
        case fail(BookstrackError)
    }

    /// What to do after a ping interval.
    enum Tick: Equatable {
        case ping
        case giveUp
    }

    private let policy: FollowPolicy
    private let random: @Sendable (ClosedRange<Double>) -> Double

    private var lastSeq: Int?
    /// Whether gaps between events are expected on this connection, because it polls, because it began with the current state, or because the server
    /// no longer stores the events before the end of the job.
    private var mayJump = false
    /// The last event before a gap that was already requested once. If the gap is still there, it was not caused by the connection.
    private var askedAfter: Int?
    /// Index of the current transport in `policy.transports`.
    private var place = 0
    /// The transports before this index are ruled out permanently.
    private var firstPlace = 0
    private var hasConnected = false
    private var attemptsHere = 0
    /// Number of consecutive attempts without a new event.
    private var failures = 0
    private var pauses = 0
    private var hasHeard = false
    private var hasDelivered = false
    /// Whether the server reported on this connection that the job has ended.
    private var isOver = false
    private let followsResults: Bool
    /// Whether the consumer has the last event, so only improved results can follow.
    private(set) var awaitsResults = false
    /// The newest results revision that was reported; nil if none was.
    private var toldRevision: Int?
    /// The first results revision that was read after the end of the job; nil if none was.
    private var endRevision: Int?
    private var pings = 0
    private var pingSent: Duration?

    /// `random` returns a random number in the given range.
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

    /// Whether anything has arrived on this connection.
    var isHeard: Bool { hasHeard }

    /// Processes a message that arrived at `uptime`.
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
        case .rejected(let error): return .fail(error)
        case .resultsUpdated(let update):
            // The server sends an update only after the last event, and does not repeat that event to a client that already has it.
            awaitsResults = awaitsResults || followsResults
            return take(update).map { .deliver($0) } ?? .ignore
        }
    }

    /// Processes the state of a job that has ended; returns an update if the results have improved.
    mutating func take(_ state: JobState, at date: Date) -> JobEvent? {
        // The consumer has the last event, perhaps from an earlier launch of the app.
        if followsResults, [.completed, .failed].contains(state.status), state.lastSeq == lastSeq {
            awaitsResults = true
        }
        return take(ResultsUpdate(state, at: date))
    }

    /// Processes an update of the results after the end of the job; nil if the update contains nothing new, or while ``awaitsResults`` is false.
    /// The first revision that is read from the job's state is not reported unless an earlier revision was reported, because the consumer reads those
    /// results anyway.
    mutating func take(_ update: ResultsUpdate) -> JobEvent? {
        guard awaitsResults, update.resultsRevision > toldRevision ?? 0 else { return nil }
        // An update from the server reports an improvement; a job's state does so only if its revision is higher than the known one.
        if update.improved == nil {
            guard let known = endRevision ?? toldRevision else {
                endRevision = update.resultsRevision
                return nil
            }
            guard update.resultsRevision > known else { return nil }
        }
        toldRevision = update.resultsRevision
        hasDelivered = true
        return JobEvent(
            jobID: update.jobID, seq: lastSeq ?? 0, date: update.date, content: .resultsUpdated(update))
    }

    private mutating func take(_ payload: ReconnectedPayload, seq: Int) -> Reception {
        isOver = payload.status.isTerminal
        if let known = lastSeq, !payload.recovered {
            // The events in between are no longer stored on the server; later events follow this state. After the end of a job, the frame's
            // number may already be that of the last event, which still follows.
            lastSeq = isOver ? min(known, max(seq, 1) - 1) : seq
            mayJump = isOver
            hasDelivered = true
        }
        return isOver && followsResults && !awaitsResults ? .compareResults : .ignore
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

    /// Processes the end of the job; true if improved results are still to be followed (websocket.md "Following the results").
    private mutating func end(_ event: JobEvent) -> Bool {
        guard followsResults, policy.transports[place] != .polling, event.content != .cancelled else { return false }
        awaitsResults = true
        return true
    }

    /// Handles the end of a ping interval on a WebSocket.
    mutating func tick(at uptime: Duration) -> Tick {
        if pings >= policy.missedPongs { return .giveUp }
        pings += 1
        pingSent = uptime
        return .ping
    }

    /// Ends an attempt, and decides what follows.
    mutating func lost(_ loss: Loss) -> Next {
        failures += 1
        if hasDelivered { (pauses, attemptsHere, failures) = (0, 0, 0) }
        // That a fallback transport worked does not prove that the preferred ones would fail now, so they are tried again.
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
        // The server specifies a time only if the client is to reconnect, for example because the service is restarting.
        case .ended(nil) where awaitsResults: return .finish
        case .ended(let retry):
            return pause(because: Self.disconnect("the server ended the stream"), atLeast: retry)
        case .silent:
            countFailure()
            return pause(because: Self.disconnect("the server stopped responding"))
        case .failed(let failure): return failed(failure)
        case .malformed(let error):
            fallBack(permanently: true)
            return pause(because: error)
        case .rejected(let error): return .fail(error)
        }
    }

    private mutating func closed(_ code: Int) -> Next {
        let reason = CloseCode(rawValue: UInt16(clamping: code))
        let text =
            switch reason {
            case .serviceRestart?: "the server is restarting"
            case .tryAgainLater?: "the server asked the client to reconnect later"
            default: "the server closed the connection (\(code))"
            }
        let error = Self.disconnect(text)
        switch reason {
        case .policyViolation?:
            return .fail(BookstrackError(.unauthorized, "the server rejected this client (1008)"))
        case .protocolError?, .invalidPayload?, .messageTooBig?:
            return .fail(BookstrackError(.unexpectedAnswer, "the server rejected a message (\(code))"))
        // The pause is random, because all clients of a restarting server are about to reconnect.
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
            let unsupported = place
            fallBack(permanently: true)
            if place == unsupported { return .fail(error) }
            if place > unsupported { return .retry(after: .zero, because: error) }
        // If there is no network, the transport is not at fault.
        case .unreachable: if !policy.waitsForServer, !hasConnected { return .fail(error) }
        // After an earlier successful connection, the certificate more likely belongs to a network's sign-in page than to the server.
        case .untrusted: if !hasConnected { return .fail(error) }
        case .timedOut, .lost, .malformed: if !hasHeard { countFailure() }
        }
        return pause(because: error)
    }

    private mutating func refused(_ answer: ClientAnswer, _ error: BookstrackError) -> Next {
        // The client already has the last event (streams.md "Server-sent events").
        if answer.status == 204 { return .finish }
        let isOurs = answer.failure != nil
        if answer.status == 401 || (isOurs && !error.isRetryable && answer.status != 426) { return .fail(error) }
        if isOurs && error.isRetryable || answer.retryAfter != nil || answer.status == 429 {
            return pause(because: error, atLeast: answer.retryAfter)
        }
        if answer.status >= 500 {
            countFailure()
        } else {
            // Something between the client and the server blocks this transport.
            fallBack(permanently: true)
        }
        return pause(because: error)
    }

    /// Counts a failed attempt on the current transport; after too many, switches to the next transport.
    private mutating func countFailure() {
        attemptsHere += 1
        if attemptsHere >= policy.attemptsPerTransport { fallBack(permanently: false) }
    }

    /// Switches to the next transport; after the last one, returns to the first one that is not ruled out.
    private mutating func fallBack(permanently isPermanent: Bool) {
        attemptsHere = 0
        let isLast = place + 1 >= policy.transports.count
        place = isLast ? firstPlace : place + 1
        if isPermanent, !isLast { firstPlace = max(firstPlace, place) }
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
