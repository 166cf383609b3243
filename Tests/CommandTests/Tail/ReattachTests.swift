import Logging
import Observability
import SuiteMethods
import Testing

@testable import BookstrackCLI

@Suite("Reconnecting to a service")
struct ReattachTests {
    private let time = TailSamples.time

    private func following(
        _ filter: TailFilter = TailFilter(), replay: SubscribeToTail.Replay? = nil
    ) -> TailFollowing {
        TailFollowing(filter: filter, replay: replay, start: time - 1_000)
    }

    private func answer(pid: Int32) -> SubscribeToTail.Result {
        .init(service: .apiProxy, version: "1", pid: pid)
    }

    private func new(_ following: inout TailFollowing, _ events: [TailEvent]) -> [TailEvent] {
        guard case .events(let new, _) = following.take(.init(events: events, dropped: 0)) else { return [] }
        return new
    }

    @Test("after a connection is lost, reconnecting is tried after 1, 2, 4, 8 and 16 s, and then no more")
    func schedule() {
        var following = following()
        let waits = (0..<6).map { _ -> Int64? in
            guard case .lost(_, let wait, _) = following.lost(.closed) else { return nil }
            return wait.components.seconds
        }
        #expect(waits == [1, 2, 4, 8, 16, nil])
    }

    @Test("a successful connection restarts the schedule of retries")
    func reset() {
        var following = following()
        for _ in 0..<4 { _ = following.lost(.closed) }
        _ = following.attached(answer(pid: 1))
        guard case .lost(.closed, let wait, attempt: 1) = following.lost(.closed) else {
            Issue.record("the failure was not retried")
            return
        }
        #expect(wait == .seconds(1))
    }

    @Test("a permanent failure is not retried")
    func refused() {
        var following = following()
        guard case .givenUp(.refused("old")) = following.lost(.refused("old")) else {
            Issue.record("the failure was retried")
            return
        }
    }

    @Test("the first subscription requests the given replay, or none by default")
    func first() {
        #expect(following().parameters.replay == nil)
        let replay = SubscribeToTail.Replay(since: time - 5_000, last: 3)
        #expect(following(replay: replay).parameters.replay == replay)
    }

    @Test("all events since the start are requested from a service that was down at the start")
    func late() {
        var following = following()
        _ = following.lost(.notReached("no socket"))
        #expect(following.parameters.replay == .init(since: time - 1_000))
    }

    @Test("missed events are requested from the same process, and repeated events are left out")
    func sameProcess() throws {
        var following = following()
        _ = following.attached(answer(pid: 7))
        let twice = try TailSamples.logged(at: 5, .notice, "same")
        let long = try TailSamples.request(at: -500, "/long")
        let before = [try TailSamples.request(at: 0), twice, twice]
        #expect(new(&following, before) == before)
        _ = following.lost(.closed)
        #expect(following.parameters.replay == .init(since: time - 1_000))
        _ = following.attached(answer(pid: 7))
        // The long request started before the other events and ended while the connection was down.
        #expect(new(&following, [before[0], twice, twice, long]) == [long])
        #expect(new(&following, [twice]) == [twice])
    }

    @Test("after a restart of the service, no event is left out")
    func restarted() throws {
        var following = following()
        _ = following.attached(answer(pid: 7))
        let event = try TailSamples.logged(.notice, "started")
        _ = new(&following, [event])
        _ = following.lost(.closed)
        _ = following.attached(answer(pid: 8))
        #expect(new(&following, [event]) == [event])
    }

    @Test("with sampling, only events newer than the last one are requested, so no event is sampled twice")
    func sampled() throws {
        var filter = TailFilter()
        filter.samplingRate = 0.5
        var following = following(filter)
        _ = following.attached(answer(pid: 7))
        _ = new(&following, [try TailSamples.request(at: 40), try TailSamples.request(at: 30)])
        _ = following.lost(.closed)
        // Both requests took 12.3 ms.
        #expect(following.parameters.replay?.since == time + 53)
    }

    @Test("the number of remembered events is limited, and forgotten events are not requested")
    func bounded() throws {
        var shown = ShownEvents(floor: time, capacity: 3)
        let events = try (0..<5).map { try TailSamples.logged(at: $0, .notice, "\($0)") }
        let new = events.filter { shown.isNew($0) }
        #expect(new == events)
        #expect(shown.floor == time + 2)
        shown.expectRepeats()
        let repeated = events[2...].filter { shown.isNew($0) }
        #expect(repeated.isEmpty)
    }
}

extension SubscribeToTail.Replay: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.since == right.since && left.last == right.last }
}
