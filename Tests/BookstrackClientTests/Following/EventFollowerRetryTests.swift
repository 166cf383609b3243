import BookstrackContract
import Foundation
import Testing

@testable import BookstrackClient

@Suite("Decisions while following a job: retries and pauses")
struct EventFollowerRetryTests {
    @Test("an unreachable server is retried unless it was never reached and the policy forbids retries")
    func neverThere() {
        var patient = EventFollower.make()
        _ = patient.attempt()
        #expect(patient.lost(.failed(.unreachable("refused"))).pause != nil)
        var hasty = EventFollower.make { $0.waitsForServer = false }
        _ = hasty.attempt()
        #expect(hasty.lost(.failed(.unreachable("refused"))).pause == nil)
        var connected = EventFollower.make { $0.waitsForServer = false }
        _ = connected.attempt()
        _ = connected.take(.other, at: .zero)
        #expect(connected.lost(.failed(.unreachable("refused"))).pause != nil)
    }

    @Test("attempts that receive no events are limited, and an event restarts the count")
    func attemptLimit() {
        var follower = EventFollower.make { $0.attemptLimit = 2 }
        for _ in 0..<2 {
            _ = follower.attempt()
            #expect(follower.lost(.failed(.lost("cut"))).pause != nil)
        }
        _ = follower.attempt()
        _ = follower.take(.event(1), at: .zero)
        for _ in 0..<3 {
            #expect(follower.lost(.failed(.lost("cut"))).pause != nil)
            _ = follower.attempt()
        }
        #expect(follower.lost(.failed(.lost("cut"))).pause == nil)
    }

    @Test(
        "an untrusted certificate on the first attempt is a final error, but a later one leads to a retry, since it may be a captive portal's"
    )
    func untrusted() {
        var first = EventFollower.make()
        _ = first.attempt()
        guard case .fail(let error) = first.lost(.failed(.untrusted("another name"))) else {
            Issue.record("the client continues to follow the job")
            return
        }
        #expect(error.code == .serverUntrusted)
        var later = EventFollower.make()
        _ = later.attempt()
        _ = later.take(.other, at: .zero)
        #expect(later.lost(.failed(.untrusted("another name"))).pause != nil)
    }

    @Test(
        "a close code that rejects the client or its message is final",
        arguments: [(1_008, BookstrackError.Code.unauthorized), (1_002, .unexpectedAnswer), (1_009, .unexpectedAnswer)])
    func finalCloses(code: Int, error: BookstrackError.Code) {
        var follower = EventFollower.make()
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
        var follower = EventFollower.make()
        _ = follower.attempt()
        let body =
            #"{"error":{"message":"m","code":"\#(code.rawValue)","retryable":\#(code.isRetryable),"statusCode":\#(code.status)}}"#
        let answer = ClientAnswer(status: code.status, body: Data(body.utf8))
        let next = follower.lost(.failed(.refused(answer)))
        #expect((next.pause == nil) == isFinal)
        #expect(follower.attempt().transport == .webSocket, "the transport is not at fault")
    }

    @Test("pauses double up to the maximum, and start over after an event")
    func backoff() {
        var follower = EventFollower.make { $0.attemptsPerTransport = 100 }
        let pauses = (0..<7).map { _ in
            _ = follower.attempt()
            return follower.lost(.failed(.unreachable("no network"))).pause
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        _ = follower.attempt()
        _ = follower.take(.event(1), at: .zero)
        #expect(follower.lost(.closed(code: 1_006)).pause == .seconds(1))
    }

    @Test("the client waits a second or two after a server restart, and half a minute after an overload")
    func politeness() {
        var follower = EventFollower.make()
        _ = follower.attempt()
        #expect(follower.lost(.closed(code: 1_012)).pause == .seconds(2))
        _ = follower.attempt()
        #expect(follower.lost(.closed(code: 1_013)).pause == .seconds(35))
    }

    @Test("the client waits at least as long as the server requests")
    func retryAfter() {
        var follower = EventFollower.make()
        _ = follower.attempt()
        let answer = ClientAnswer(status: 503, headers: ["retry-after": "20"])
        #expect(follower.lost(.failed(.refused(answer))).pause == .seconds(21))
        _ = follower.attempt()
        #expect(follower.lost(.ended(retry: .seconds(3))).pause == .seconds(5))
    }
}
