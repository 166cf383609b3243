import BookstrackContract
import Foundation
import Testing

@testable import BookstrackClient

/// The decisions made while following a job, without a network, a clock or randomness: every random number is the
/// largest possible one.
@Suite("Following a job: decisions")
struct EventFollowerTests {
    private static let job = JobID.random()

    private var follower: EventFollower { make() }

    private func make(
        from position: EventPosition = .start, followsResults: Bool = false,
        _ change: (inout FollowPolicy) -> Void = { _ in }
    ) -> EventFollower {
        var policy = FollowPolicy()
        change(&policy)
        return EventFollower(from: position, policy: policy, followsResults: followsResults) { $0.upperBound }
    }

    /// Improved results as announced by the server or, if `improved` is nil, as found in the job's state.
    private func update(_ revision: Int, improved: Int? = 1) -> ResultsUpdate {
        ResultsUpdate(
            jobID: Self.job, date: Date(timeIntervalSince1970: 0), resultsRevision: revision, improved: improved,
            message: "")
    }

    private func event(_ seq: Int, _ content: JobEvent.Content? = nil) -> ServerMessage {
        let summary = JobSummary(status: .processing, progress: 0, processedCount: 0, totalCount: 1)
        return .event(
            JobEvent(
                jobID: Self.job, seq: seq, date: Date(timeIntervalSince1970: 0), content: content ?? .state(summary)))
    }

    private func seq(_ reception: EventFollower.Reception) -> Int? {
        switch reception {
        case .deliver(let event): event.seq
        case .finish(let event): event?.seq
        default: nil
        }
    }

    private func reconnected(_ seq: Int, recovered: Bool, status: JobStatus = .processing) -> ServerMessage {
        .reconnected(
            seq: seq,
            ReconnectedPayload(
                status: status, counts: JobCounts(total: 1), lastUpdate: 0, message: "", recovered: recovered))
    }

    private func pause(_ next: EventFollower.Next) -> Duration? {
        if case .retry(let pause, _) = next { pause } else { nil }
    }

    // MARK: Numbers

    @Test(
        "a client requests the events after its position",
        arguments: [(EventPosition.start, 0 as Int?), (.now, nil), (.after(7), 7)])
    func positions(position: EventPosition, since: Int?) {
        var follower = make(from: position)
        let attempt = follower.attempt()
        #expect(attempt.since == since)
        #expect(!attempt.isReconnect)
    }

    @Test("a reconnect requests the events after the last one")
    func reconnect() {
        var follower = follower
        _ = follower.attempt()
        #expect(seq(follower.take(event(1), at: .zero)) == 1)
        #expect(seq(follower.take(event(2), at: .zero)) == 2)
        _ = follower.lost(.closed(code: 1_006))
        let attempt = follower.attempt()
        #expect(attempt.since == 2)
        #expect(attempt.isReconnect)
    }

    @Test("an event that was seen before is not delivered again")
    func duplicates() {
        var follower = make(from: .after(3))
        _ = follower.attempt()
        #expect(follower.take(event(3), at: .zero) == .ignore)
        #expect(seq(follower.take(event(4), at: .zero)) == 4)
    }

    @Test("events in a gap are requested once, and a gap that remains is skipped")
    func gap() {
        var follower = follower
        _ = follower.attempt()
        _ = follower.take(event(1), at: .zero)
        #expect(follower.take(event(5), at: .zero) == .fetchGap)
        #expect(pause(follower.lost(.gap)) == .zero)
        #expect(follower.attempt().since == 1)
        _ = follower.take(reconnected(1, recovered: true), at: .zero)
        #expect(seq(follower.take(event(5), at: .zero)) == 5)
        #expect(follower.take(event(9), at: .zero) == .fetchGap)
    }

    @Test("a client that starts from the current state, or polls, does not treat skipped numbers as gaps")
    func jumps() {
        var live = make(from: .now)
        _ = live.attempt()
        #expect(seq(live.take(event(1), at: .zero)) == 1)
        #expect(seq(live.take(event(8), at: .zero)) == 8)
        var polling = make { $0.transports = [.polling] }
        _ = polling.attempt()
        #expect(seq(polling.take(event(4), at: .zero)) == 4)
    }

    @Test("events that are no longer stored are skipped")
    func unrecovered() {
        var follower = make(from: .after(3))
        _ = follower.attempt()
        #expect(follower.take(reconnected(1_004, recovered: false), at: .zero) == .ignore)
        #expect(seq(follower.take(event(1_005), at: .zero)) == 1_005)
    }

    @Test(
        "the last event is delivered even if the events before it are no longer stored",
        arguments: [(3, 1_007), (3, 1_006), (2_000, 1_007)])
    func unrecoveredEnd(known: Int, seq: Int) {
        var follower = make(from: .after(known))
        _ = follower.attempt()
        _ = follower.take(reconnected(seq, recovered: false, status: .completed), at: .zero)
        #expect(self.seq(follower.take(event(1_007, Self.completed), at: .zero)) == 1_007)
    }

    // MARK: Ends

    @Test("following a job ends with its last event, even if that was seen before")
    func ends() {
        var follower = make(from: .after(4))
        _ = follower.attempt()
        #expect(follower.take(event(4, .cancelled), at: .zero) == .finish(nil))
        #expect(seq(follower.take(event(5, .cancelled), at: .zero)) == 5)
        #expect(follower.lost(.finished) == .finish)
    }

    @Test("following fails when the server reports that it can send no more events of the job")
    func rejected() {
        let error = BookstrackError(.notFound, "the job is no longer stored")
        var follower = make(from: .after(4))
        _ = follower.attempt()
        #expect(follower.take(.rejected(error), at: .zero) == .fail(error))
        #expect(follower.lost(.rejected(error)) == .fail(error))
    }

    // MARK: Improved results

    private static let completed = JobEvent.Content.completed(
        JobSummary(status: .completed, progress: 1, processedCount: 1, totalCount: 1))

    @Test(
        "a client that follows the results receives each revision once, even one made while the connection was broken"
    )
    func results() {
        var follower = make(from: .after(4), followsResults: true)
        #expect(follower.attempt().followsResults)
        #expect(seq(follower.take(event(5, Self.completed), at: .zero)) == 5)
        #expect(follower.take(update(1, improved: nil)) == nil)
        #expect(seq(follower.take(.resultsUpdated(update(2)), at: .zero)) == 5)
        #expect(follower.take(.resultsUpdated(update(2)), at: .zero) == .ignore)
        #expect(pause(follower.lost(.closed(code: 1_006))) != nil)
        #expect(follower.attempt().since == 5)
        #expect(follower.take(event(5, Self.completed), at: .zero) == .ignore)
        #expect(follower.take(update(4, improved: nil))?.content == .resultsUpdated(update(4, improved: nil)))
        #expect(follower.lost(.closed(code: 1_000)) == .finish)
    }

    @Test("an update that the final state already includes is still reported")
    func earlyResults() {
        var follower = make(followsResults: true)
        _ = follower.attempt()
        _ = follower.take(event(1, Self.completed), at: .zero)
        #expect(follower.take(update(2, improved: nil)) == nil)
        #expect(seq(follower.take(.resultsUpdated(update(2)), at: .zero)) == 1)
        #expect(follower.take(update(2, improved: nil)) == nil)
    }

    @Test("an update missed after one that was received is reported, even if the state at the end was never read")
    func unknownEnd() {
        var follower = make(followsResults: true)
        _ = follower.attempt()
        _ = follower.take(event(1, Self.completed), at: .zero)
        #expect(seq(follower.take(.resultsUpdated(update(2)), at: .zero)) == 1)
        _ = follower.lost(.closed(code: 1_006))
        _ = follower.attempt()
        #expect(follower.take(update(3, improved: nil)) != nil)
    }

    @Test(
        "a client that continues after an event follows the results if that event was the last and not a cancellation"
    )
    func laterResults() {
        let cases = [
            (5, JobStatus.completed, true), (5, .failed, true), (5, .cancelled, false), (6, .completed, false),
        ]
        for (lastSeq, status, isExpected) in cases {
            var follower = make(from: .after(5), followsResults: true)
            _ = follower.attempt()
            let reception = follower.take(reconnected(5, recovered: true, status: status), at: .zero)
            #expect(reception == .compareResults)
            var state = JobState(jobId: Self.job, pipeline: .batchEnrichment, totalCount: 1, createdAt: "")
            (state.status, state.lastSeq, state.resultsRevision) = (status, lastSeq, 2)
            #expect(follower.take(state, at: Date(timeIntervalSince1970: 0)) == nil)
            #expect(follower.awaitsResults == isExpected, "\(status) at \(lastSeq)")
        }
    }

    @Test("following improved results ends when the server closes the event stream without a reconnection time")
    func resultsStream() {
        var follower = make(followsResults: true) { $0.transports = [.eventStream] }
        _ = follower.attempt()
        _ = follower.take(event(1, Self.completed), at: .zero)
        #expect(pause(follower.lost(.ended(retry: .seconds(1)))) != nil)
        _ = follower.attempt()
        #expect(follower.lost(.ended(retry: nil)) == .finish)
    }

    @Test("improved results are not expected for cancelled jobs, when polling, or by clients that do not follow them")
    func noResults() {
        var cancelled = make(followsResults: true)
        _ = cancelled.attempt()
        #expect(seq(cancelled.take(event(1, .cancelled), at: .zero)) == 1)
        #expect(!cancelled.awaitsResults)
        var polling = make(followsResults: true) { $0.transports = [.polling] }
        _ = polling.attempt()
        _ = polling.take(event(1, Self.completed), at: .zero)
        #expect(!polling.awaitsResults)
        var other = follower
        _ = other.attempt()
        #expect(other.take(.resultsUpdated(update(2)), at: .zero) == .ignore)
    }

    // MARK: Giving up

    @Test("an unreachable server is retried unless it was never reached and the policy forbids retries")
    func neverThere() {
        var patient = follower
        _ = patient.attempt()
        #expect(pause(patient.lost(.failed(.unreachable("refused")))) != nil)
        var hasty = make { $0.waitsForServer = false }
        _ = hasty.attempt()
        #expect(pause(hasty.lost(.failed(.unreachable("refused")))) == nil)
        var connected = make { $0.waitsForServer = false }
        _ = connected.attempt()
        _ = connected.take(.other, at: .zero)
        #expect(pause(connected.lost(.failed(.unreachable("refused")))) != nil)
    }

    @Test("attempts that receive no events are limited, and an event restarts the count")
    func attemptLimit() {
        var follower = make { $0.attemptLimit = 2 }
        for _ in 0..<2 {
            _ = follower.attempt()
            #expect(pause(follower.lost(.failed(.lost("cut")))) != nil)
        }
        _ = follower.attempt()
        _ = follower.take(event(1), at: .zero)
        for _ in 0..<3 {
            #expect(pause(follower.lost(.failed(.lost("cut")))) != nil)
            _ = follower.attempt()
        }
        #expect(pause(follower.lost(.failed(.lost("cut")))) == nil)
    }

    @Test(
        "an untrusted certificate on the first attempt is a final error, but a later one leads to a retry, since it may be a captive portal's"
    )
    func untrusted() {
        var first = follower
        _ = first.attempt()
        guard case .fail(let error) = first.lost(.failed(.untrusted("another name"))) else {
            Issue.record("the client continues to follow the job")
            return
        }
        #expect(error.code == .serverUntrusted)
        var later = follower
        _ = later.attempt()
        _ = later.take(.other, at: .zero)
        #expect(pause(later.lost(.failed(.untrusted("another name")))) != nil)
    }

    @Test("following a job ends when the connection closes if the client knows that the job has ended")
    func knownEnd() {
        var follower = make(from: .after(4))
        _ = follower.attempt()
        _ = follower.take(reconnected(4, recovered: true, status: .completed), at: .zero)
        #expect(follower.lost(.closed(code: 1_000)) == .finish)
    }

    @Test("status 204 means that the client already has the last event")
    func noContent() {
        var follower = make(from: .after(4))
        _ = follower.attempt()
        #expect(follower.lost(.failed(.refused(ClientAnswer(status: 204)))) == .finish)
    }

    @Test(
        "a close code that rejects the client or its message is final",
        arguments: [(1_008, BookstrackError.Code.unauthorized), (1_002, .unexpectedAnswer), (1_009, .unexpectedAnswer)])
    func finalCloses(code: Int, error: BookstrackError.Code) {
        var follower = follower
        _ = follower.attempt()
        guard case .fail(let failure) = follower.lost(.closed(code: code)) else {
            Issue.record("close code \(code) is not final")
            return
        }
        #expect(failure.code == error)
    }

    @Test(
        "a lasting API error is final, and a transient one is not",
        arguments: [
            (APIErrorCode.unauthorized, true), (.tokenExpired, true), (.notFound, true), (.forbidden, true),
            (.tooManyConnections, false), (.serviceUnavailable, false),
        ])
    func refusals(code: APIErrorCode, isFinal: Bool) {
        var follower = follower
        _ = follower.attempt()
        let body =
            #"{"error":{"message":"m","code":"\#(code.rawValue)","retryable":\#(code.isRetryable),"statusCode":\#(code.status)}}"#
        let answer = ClientAnswer(status: code.status, body: Data(body.utf8))
        let next = follower.lost(.failed(.refused(answer)))
        #expect((pause(next) == nil) == isFinal)
        #expect(follower.attempt().transport == .webSocket, "the transport is not at fault")
    }

    // MARK: Pauses

    @Test("pauses double up to the maximum, and start over after an event")
    func backoff() {
        var follower = make { $0.attemptsPerTransport = 100 }
        let pauses = (0..<7).map { _ in
            _ = follower.attempt()
            return pause(follower.lost(.failed(.unreachable("no network"))))
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        _ = follower.attempt()
        _ = follower.take(event(1), at: .zero)
        #expect(pause(follower.lost(.closed(code: 1_006))) == .seconds(1))
    }

    @Test("the client waits a second or two after a server restart, and half a minute after an overload")
    func politeness() {
        var follower = follower
        _ = follower.attempt()
        #expect(pause(follower.lost(.closed(code: 1_012))) == .seconds(2))
        _ = follower.attempt()
        #expect(pause(follower.lost(.closed(code: 1_013))) == .seconds(35))
    }

    @Test("the client waits at least as long as the server requests")
    func retryAfter() {
        var follower = follower
        _ = follower.attempt()
        let answer = ClientAnswer(status: 503, headers: ["retry-after": "20"])
        #expect(pause(follower.lost(.failed(.refused(answer)))) == .seconds(21))
        _ = follower.attempt()
        #expect(pause(follower.lost(.ended(retry: .seconds(3)))) == .seconds(5))
    }

    // MARK: Transports

    @Test("a transport that is blocked is never tried again")
    func refusedTransport() {
        var follower = follower
        _ = follower.attempt()
        _ = follower.lost(.failed(.refused(ClientAnswer(status: 403))))
        #expect(follower.attempt().transport == .eventStream)
        _ = follower.take(event(1), at: .zero)
        _ = follower.lost(.closed(code: 1_006))
        #expect(follower.attempt().transport == .eventStream)
    }

    @Test("a transport that fails silently twice is replaced by the next one until data arrives")
    func silentTransport() {
        var follower = follower
        for _ in 0..<2 {
            #expect(follower.attempt().transport == .webSocket)
            _ = follower.lost(.silent)
        }
        #expect(follower.attempt().transport == .eventStream)
        _ = follower.take(event(1), at: .zero)
        _ = follower.lost(.failed(.lost("cut")))
        #expect(follower.attempt().transport == .webSocket)
    }

    @Test("while the network is down, the transport is not changed")
    func offline() {
        var follower = follower
        for _ in 0..<10 {
            #expect(follower.attempt().transport == .webSocket)
            _ = follower.lost(.failed(.unreachable("no network")))
        }
    }

    @Test("after the last transport, the first one is tried again")
    func roundAbout() {
        var follower = make { $0.attemptsPerTransport = 1 }
        let order = (0..<4).map { _ in
            let transport = follower.attempt().transport
            _ = follower.lost(.failed(.timedOut))
            return transport
        }
        #expect(order == [.webSocket, .eventStream, .polling, .webSocket])
    }

    @Test("a platform without WebSockets tries the next transport immediately, and fails if no other is allowed")
    func unsupported() {
        var follower = follower
        _ = follower.attempt()
        #expect(pause(follower.lost(.failed(.unsupported("Linux")))) == .zero)
        #expect(follower.attempt().transport == .eventStream)
        var strict = make { $0.transports = [.webSocket] }
        _ = strict.attempt()
        #expect(pause(strict.lost(.failed(.unsupported("Linux")))) == nil)
    }

    @Test("an unsupported transport after one that is merely slow does not end following")
    func unsupportedFallback() {
        var follower = make {
            $0.transports = [.eventStream, .webSocket]
            $0.attemptsPerTransport = 1
        }
        _ = follower.attempt()
        _ = follower.lost(.failed(.timedOut))
        #expect(follower.attempt().transport == .webSocket)
        #expect(pause(follower.lost(.failed(.unsupported("Linux")))) == .seconds(2))
        #expect(follower.attempt().transport == .eventStream)
    }

    // MARK: Heartbeat

    @Test("three unanswered pings end a connection, and any message keeps it open")
    func heartbeat() {
        var follower = follower
        _ = follower.attempt()
        for _ in 0..<3 { #expect(follower.tick(at: .zero) == .ping) }
        #expect(follower.take(.other, at: .zero) == .ignore)
        for _ in 0..<3 { #expect(follower.tick(at: .zero) == .ping) }
        #expect(follower.tick(at: .zero) == .giveUp)
    }

    @Test("a pong measures the round trip, and a ping from the server is answered")
    func roundTrip() {
        var follower = follower
        _ = follower.attempt()
        _ = follower.tick(at: .seconds(30))
        #expect(follower.take(.pong(clientTime: nil), at: .milliseconds(30_042)) == .roundTrip(.milliseconds(42)))
        #expect(follower.take(.pong(clientTime: nil), at: .seconds(31)) == .ignore)
        #expect(follower.take(.ping, at: .seconds(32)) == .answerPing)
    }
}
