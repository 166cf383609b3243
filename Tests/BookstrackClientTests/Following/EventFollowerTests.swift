import BookstrackContract
import Testing

@testable import BookstrackClient

@Suite("Decisions while following a job: events and ends")
struct EventFollowerTests {
    @Test(
        "a client requests the events after its position",
        arguments: [(EventPosition.start, 0 as Int?), (.now, nil), (.after(7), 7)])
    func positions(position: EventPosition, since: Int?) {
        var follower = EventFollower.make(from: position)
        let attempt = follower.attempt()
        #expect(attempt.since == since)
        #expect(!attempt.isReconnect)
    }

    @Test("a reconnect requests the events after the last one")
    func reconnect() {
        var follower = EventFollower.make()
        _ = follower.attempt()
        #expect(follower.take(.event(1), at: .zero).seq == 1)
        #expect(follower.take(.event(2), at: .zero).seq == 2)
        _ = follower.lost(.closed(code: 1_006))
        let attempt = follower.attempt()
        #expect(attempt.since == 2)
        #expect(attempt.isReconnect)
    }

    @Test("an event that was seen before is not delivered again")
    func duplicates() {
        var follower = EventFollower.make(from: .after(3))
        _ = follower.attempt()
        #expect(follower.take(.event(3), at: .zero) == .ignore)
        #expect(follower.take(.event(4), at: .zero).seq == 4)
    }

    @Test("events in a gap are requested once, and a gap that remains is skipped")
    func gap() {
        var follower = EventFollower.make()
        _ = follower.attempt()
        _ = follower.take(.event(1), at: .zero)
        #expect(follower.take(.event(5), at: .zero) == .fetchGap)
        #expect(follower.lost(.gap).pause == .zero)
        #expect(follower.attempt().since == 1)
        _ = follower.take(.reconnected(1, recovered: true), at: .zero)
        #expect(follower.take(.event(5), at: .zero).seq == 5)
        #expect(follower.take(.event(9), at: .zero) == .fetchGap)
    }

    @Test("a client that starts from the current state, or polls, does not treat skipped numbers as gaps")
    func jumps() {
        var live = EventFollower.make(from: .now)
        _ = live.attempt()
        #expect(live.take(.event(1), at: .zero).seq == 1)
        #expect(live.take(.event(8), at: .zero).seq == 8)
        var polling = EventFollower.make { $0.transports = [.polling] }
        _ = polling.attempt()
        #expect(polling.take(.event(4), at: .zero).seq == 4)
    }

    @Test("events that are no longer stored are skipped")
    func unrecovered() {
        var follower = EventFollower.make(from: .after(3))
        _ = follower.attempt()
        #expect(follower.take(.reconnected(1_004, recovered: false), at: .zero) == .ignore)
        #expect(follower.take(.event(1_005), at: .zero).seq == 1_005)
    }

    @Test(
        "the last event is delivered even if the events before it are no longer stored",
        arguments: [(3, 1_007), (3, 1_006), (2_000, 1_007)])
    func unrecoveredEnd(known: Int, seq: Int) {
        var follower = EventFollower.make(from: .after(known))
        _ = follower.attempt()
        _ = follower.take(.reconnected(seq, recovered: false, status: .completed), at: .zero)
        #expect(follower.take(.event(1_007, .done), at: .zero).seq == 1_007)
    }

    @Test("following a job ends with its last event, even if that was seen before")
    func ends() {
        var follower = EventFollower.make(from: .after(4))
        _ = follower.attempt()
        #expect(follower.take(.event(4, .cancelled), at: .zero) == .finish(nil))
        #expect(follower.take(.event(5, .cancelled), at: .zero).seq == 5)
        #expect(follower.lost(.finished) == .finish)
    }

    @Test("following fails when the server reports that it can send no more events of the job")
    func rejected() {
        let error = BookstrackError(.notFound, "the job is no longer stored")
        var follower = EventFollower.make(from: .after(4))
        _ = follower.attempt()
        #expect(follower.take(.rejected(error), at: .zero) == .fail(error))
        #expect(follower.lost(.rejected(error)) == .fail(error))
    }

    @Test("following a job ends when the connection closes if the client knows that the job has ended")
    func knownEnd() {
        var follower = EventFollower.make(from: .after(4))
        _ = follower.attempt()
        _ = follower.take(.reconnected(4, recovered: true, status: .completed), at: .zero)
        #expect(follower.lost(.closed(code: 1_000)) == .finish)
    }

    @Test("status 204 means that the client already has the last event")
    func noContent() {
        var follower = EventFollower.make(from: .after(4))
        _ = follower.attempt()
        #expect(follower.lost(.failed(.refused(ClientAnswer(status: 204)))) == .finish)
    }

    @Test("three unanswered pings end a connection, and any message keeps it open")
    func heartbeat() {
        var follower = EventFollower.make()
        _ = follower.attempt()
        for _ in 0..<3 { #expect(follower.tick(at: .zero) == .ping) }
        #expect(follower.take(.other, at: .zero) == .ignore)
        for _ in 0..<3 { #expect(follower.tick(at: .zero) == .ping) }
        #expect(follower.tick(at: .zero) == .giveUp)
    }

    @Test("a pong measures the round trip, and a ping from the server is answered")
    func roundTrip() {
        var follower = EventFollower.make()
        _ = follower.attempt()
        _ = follower.tick(at: .seconds(30))
        #expect(follower.take(.pong(clientTime: nil), at: .milliseconds(30_042)) == .roundTrip(.milliseconds(42)))
        #expect(follower.take(.pong(clientTime: nil), at: .seconds(31)) == .ignore)
        #expect(follower.take(.ping, at: .seconds(32)) == .answerPing)
    }
}
