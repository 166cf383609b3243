import NIOCore
import Testing

@testable import JSONRPC

@Suite("Pinging a peer")
struct PingScheduleTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func at(_ milliseconds: Int64) -> NIODeadline { Self.start + .milliseconds(milliseconds) }

    @Test("a peer that stops is pinged three times and dropped after 7 s")
    func silentPeer() {
        var schedule = PingSchedule(interval: .seconds(2))
        #expect(schedule.action(at: at(0), lastSign: at(0)) == .wait(until: at(2_000)))
        #expect(schedule.action(at: at(2_000), lastSign: at(0)) == .ping(again: at(4_000)))
        #expect(schedule.action(at: at(4_000), lastSign: at(0)) == .ping(again: at(6_000)))
        #expect(schedule.action(at: at(6_000), lastSign: at(0)) == .ping(again: at(7_000)))
        #expect(schedule.action(at: at(7_000), lastSign: at(0)) == .drop)
    }

    @Test("whatever arrives counts as life and puts the ping off")
    func busyPeer() {
        var schedule = PingSchedule(interval: .seconds(2))
        #expect(schedule.action(at: at(2_000), lastSign: at(1_500)) == .wait(until: at(3_500)))
        #expect(schedule.action(at: at(3_500), lastSign: at(3_400)) == .wait(until: at(5_400)))
    }

    @Test("after a pause of its own it pings, and drops a peer that does not answer in one more interval")
    func ownPause() {
        var schedule = PingSchedule(interval: .seconds(2))
        #expect(schedule.action(at: at(0), lastSign: at(0)) == .wait(until: at(2_000)))
        #expect(schedule.action(at: at(20_000), lastSign: at(0)) == .ping(again: at(22_000)))
        var other = schedule
        #expect(schedule.action(at: at(22_000), lastSign: at(20_001)) == .wait(until: at(22_001)))
        #expect(other.action(at: at(22_000), lastSign: at(0)) == .drop)
    }

    @Test("an answered ping is followed by the next one an interval later")
    func answeredPing() {
        var schedule = PingSchedule(interval: .seconds(2))
        #expect(schedule.action(at: at(2_000), lastSign: at(0)) == .ping(again: at(4_000)))
        #expect(schedule.action(at: at(4_000), lastSign: at(2_001)) == .wait(until: at(4_001)))
        #expect(schedule.action(at: at(4_001), lastSign: at(2_001)) == .ping(again: at(6_001)))
    }
}
