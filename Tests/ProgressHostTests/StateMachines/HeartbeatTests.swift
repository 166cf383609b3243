import Testing

@testable import ProgressHost

@Suite("Heartbeat")
struct HeartbeatTests {
    private static let interval = Duration.seconds(30)
    private static let limit = Duration.seconds(90)

    /// Polls at every due time until `end`; says what happened when.
    private func history(_ heartbeat: inout Heartbeat, until end: Duration) -> [(Duration, Heartbeat.Action)] {
        var history: [(Duration, Heartbeat.Action)] = []
        while true {
            let due = heartbeat.nextPoll(interval: Self.interval, limit: Self.limit)
            guard due <= end else { return history }
            let action = heartbeat.poll(now: due, interval: Self.interval, limit: Self.limit)
            history.append((due, action))
            if action == .drop { return history }
        }
    }

    @Test("a silent peer is pinged after 30 s and after 60 s, and dropped after 90 s")
    func silence() {
        var heartbeat = Heartbeat(now: .zero)
        let history = history(&heartbeat, until: .seconds(300))
        #expect(history.map(\.0) == [.seconds(30), .seconds(60), .seconds(90)])
        #expect(history.map(\.1) == [.ping, .ping, .drop])
    }

    @Test("any sign of life starts the count again")
    func heard() {
        var heartbeat = Heartbeat(now: .zero)
        _ = history(&heartbeat, until: .seconds(70))
        heartbeat.heard(now: .seconds(70))
        #expect(heartbeat.nextPoll(interval: Self.interval, limit: Self.limit) == .seconds(100))
        #expect(heartbeat.poll(now: .seconds(99), interval: Self.interval, limit: Self.limit) == .nothing)
        #expect(history(&heartbeat, until: .seconds(300)).map(\.0) == [.seconds(100), .seconds(130), .seconds(160)])
    }

    @Test(
        "after this process stood still a peer gets its ping and time to answer before it is dropped",
        arguments: [0, 1])
    func ownStandstill(pingsBefore: Int) {
        var heartbeat = Heartbeat(now: .zero)
        _ = history(&heartbeat, until: .seconds(30 * pingsBefore))
        #expect(heartbeat.poll(now: .seconds(500), interval: Self.interval, limit: Self.limit) == .ping)
        #expect(heartbeat.poll(now: .seconds(500), interval: Self.interval, limit: Self.limit) == .nothing)
        #expect(history(&heartbeat, until: .seconds(900)).map(\.0) == [.seconds(530)])
    }

    @Test("the limit holds when it is no multiple of the interval")
    func oddLimit() {
        var heartbeat = Heartbeat(now: .zero)
        #expect(heartbeat.poll(now: .seconds(30), interval: Self.interval, limit: .seconds(45)) == .ping)
        #expect(heartbeat.nextPoll(interval: Self.interval, limit: .seconds(45)) == .seconds(45))
        #expect(heartbeat.poll(now: .seconds(45), interval: Self.interval, limit: .seconds(45)) == .drop)
    }
}
