import Foundation
@testable import ProviderClient
import Testing

@Suite("Request schedule")
struct RequestScheduleTests {
    let start = MonotonicInstant(sinceStart: .seconds(50))
    let noon = Date(timeIntervalSince1970: 1_763_294_400)

    func at(_ milliseconds: Int) -> MonotonicInstant { start.advanced(by: .milliseconds(milliseconds)) }

    /// Makes `count` concurrent requests and returns the time of each grant, checked every `step` milliseconds.
    func grantTimes(perSecond: Int, count: Int, step: Int) -> [Int] {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: perSecond))
        var times: [Int] = []
        for id in 0..<UInt64(count) {
            let answer = schedule.request(
                id, priority: .bulk, deadline: at(3_600_000), now: start, date: noon)
            if case .granted = answer { times.append(0) }
        }
        var time = 0
        while times.count < count, time < 600_000 {
            time += step
            times += schedule.advance(now: at(time), date: noon).map { _ in time }
        }
        return times
    }

    @Test("no one-second interval has more requests than the limit", arguments: [1, 3, 5, 40], [1, 7, 333, 2500])
    func perSecond(limit: Int, step: Int) {
        let times = grantTimes(perSecond: limit, count: 120, step: step)
        #expect(times.count == 120)
        for (first, last) in zip(times, times.dropFirst(limit)) { #expect(last - first > 1000) }
    }

    @Test("at three requests per second, 120 requests are granted within 42 s")
    func isNotTooSlow() throws {
        #expect(try #require(grantTimes(perSecond: 3, count: 120, step: 1).last) < 42_000)
    }

    @Test("the next turn is one interval after the last one, and no turn is available before then")
    func nextTurn() throws {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 3))
        #expect(schedule.nextTurn(now: at(2_000)) == at(2_000))
        let first = schedule.requestNow(nil, now: at(2_000), date: noon)
        #expect(first != nil)
        let next = schedule.nextTurn(now: at(2_000))
        #expect(next == at(2_000).advanced(by: .milliseconds(1_030) / 3))
        let early = schedule.requestNow(nil, now: at(2_343), date: noon)
        #expect(early == nil)
        let second = schedule.requestNow(nil, now: next, date: noon)
        schedule.giveBack(try #require(second))
        #expect(schedule.nextTurn(now: at(2_400)) == at(2_400))
    }

    @Test("waiting calls take precedence over a call that does not wait")
    func nextTurnAfterWaiters() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 1))
        for id in 0..<2 as Range<UInt64> {
            _ = schedule.request(id, priority: .background, deadline: at(60_000), now: start, date: noon)
        }
        #expect(schedule.nextTurn(now: at(1_500)) == at(2_530))
        let before = schedule.requestNow(nil, now: at(1_500), date: noon)
        #expect(before == nil)
        let settled = schedule.advance(now: at(1_500), date: noon)
        #expect(settled.map(\.id) == [1])
        #expect(schedule.nextTurn(now: at(1_500)) == at(2_530))
        let after = schedule.requestNow(nil, now: at(2_530), date: noon)
        #expect(after != nil)
    }

    @Test(
        "while a turn is being reserved, no other is granted; if the reservation is late, the next turn is an interval from now"
    )
    func nextTurnInReservation() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 1), sharesRate: true)
        _ = schedule.requestNow(nil, now: start, date: noon)
        #expect(schedule.nextTurn(now: at(100)) == at(1_030))
        #expect(schedule.nextTurn(now: at(4_000)) == at(5_030))
        let early = schedule.requestNow(nil, now: at(4_000), date: noon)
        #expect(early == nil)
        schedule.cancelReservation()
        #expect(schedule.nextTurn(now: at(4_000)) == at(4_000))
    }

    @Test("a call that cannot wait until a pause ends is refused with the time until then")
    func nextTurnInPause() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 1))
        schedule.pause(until: at(30_000), status: 429, now: start)
        #expect(schedule.nextTurn(now: at(100)) == at(100))
        let turn = schedule.requestNow(nil, now: at(100), date: noon)
        #expect(turn == nil)
        let refusal = schedule.request(1, priority: .bulk, deadline: at(20_000), now: at(100), date: noon)
        #expect(refusal == .refused(.paused(for: .milliseconds(29_900), status: 429)))
    }

    @Test("idle time is not saved up for a burst")
    func noBurst() throws {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 3))
        let hour = at(3_600_000)
        let answers = (0..<3).map {
            schedule.request($0, priority: .bulk, deadline: hour.advanced(by: .seconds(60)), now: hour, date: noon)
        }
        guard case .granted = answers[0] else { throw NotGranted() }
        #expect(answers[1...] == [.queued, .queued])
    }

    @Test(
        "concurrent requests are limited; when one ends, the next one starts, and the others wait until their deadlines"
    )
    func concurrency() {
        var schedule = RequestSchedule(limits: BudgetLimits(concurrent: 2))
        let answers = (0..<4).map {
            schedule.request($0, priority: .bulk, deadline: at(1_000 + Int($0)), now: start, date: noon)
        }
        #expect(answers[2...] == [.queued, .queued])
        #expect(schedule.advance(now: at(900), date: noon).isEmpty)
        #expect(schedule.nextWake == at(1_002))
        schedule.finish()
        #expect(schedule.advance(now: at(900), date: noon).map(\.id) == [2])
        #expect(schedule.advance(now: at(1_003), date: noon).map(\.result) == [.failure(.deadline)])
    }

    @Test("without a limit, every call passes immediately")
    func unlimited() {
        var schedule = RequestSchedule(limits: BudgetLimits())
        for id in 0..<100 {
            let answer = schedule.request(UInt64(id), priority: .bulk, deadline: at(1), now: start, date: noon)
            guard case .granted = answer else {
                Issue.record("request \(id) was not granted")
                return
            }
        }
        #expect(schedule.nextWake == nil)
    }

    @Test("calls with higher priority go first, and calls with equal priority go in order of arrival")
    func priorities() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 1))
        let order: [CallPriority] = [.bulk, .background, .bulk, .interactive, .background, .interactive]
        for (id, priority) in order.enumerated() {
            _ = schedule.request(UInt64(id), priority: priority, deadline: at(60_000), now: start, date: noon)
        }
        let served = (1...6).flatMap { schedule.advance(now: at($0 * 1100), date: noon).map(\.id) }
        #expect(served == [3, 5, 2, 1, 4])
    }

    @Test(
        "a call that cannot start before its deadline is refused immediately, and one that is overtaken is refused at its deadline"
    )
    func deadlines() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 1))
        _ = schedule.request(1, priority: .bulk, deadline: at(9000), now: start, date: noon)
        #expect(schedule.request(2, priority: .bulk, deadline: at(1031), now: start, date: noon) == .queued)
        #expect(
            schedule.request(3, priority: .bulk, deadline: at(2060), now: start, date: noon) == .refused(.deadline))
        #expect(schedule.request(4, priority: .interactive, deadline: at(1031), now: start, date: noon) == .queued)
        #expect(schedule.nextWake == at(1030))
        #expect(schedule.advance(now: at(1030), date: noon).map(\.id) == [4])
        #expect(schedule.advance(now: at(1031), date: noon) == [.init(id: 2, result: .failure(.deadline))])
        #expect(schedule.request(5, priority: .bulk, deadline: start, now: start, date: noon) == .refused(.deadline))
    }

    @Test("a pause requested by the provider holds every call, and a call that cannot wait that long fails immediately")
    func pause() {
        var schedule = RequestSchedule(limits: BudgetLimits())
        schedule.pause(until: at(20_000), status: 429, now: start)
        let refusal = BudgetRefusal.paused(for: .seconds(20), status: 429)
        #expect(
            schedule.request(1, priority: .interactive, deadline: at(9_000), now: start, date: noon)
                == .refused(refusal))
        #expect(schedule.request(2, priority: .bulk, deadline: at(60_000), now: start, date: noon) == .queued)
        #expect(schedule.nextWake == at(20_000))
        #expect(schedule.advance(now: at(19_999), date: noon).isEmpty)
        #expect(schedule.advance(now: at(20_000), date: noon).map(\.id) == [2])
    }

    @Test("a pause also holds waiting calls; the longer of two pauses applies, and none exceeds an hour")
    func pauseWhileWaiting() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 1))
        for (id, deadline) in [(0, 60_000), (1, 9_000), (2, 60_000)] {
            _ = schedule.request(UInt64(id), priority: .bulk, deadline: at(deadline), now: start, date: noon)
        }
        schedule.pause(until: at(20_000), status: 503, now: start)
        schedule.pause(until: at(10_000), status: 429, now: start)
        let refusal = BudgetRefusal.paused(for: .seconds(20), status: 503)
        #expect(schedule.advance(now: start, date: noon) == [.init(id: 1, result: .failure(refusal))])
        #expect(schedule.advance(now: at(20_000), date: noon).map(\.id) == [2])
        schedule.pause(until: at(90_000_000), status: 429, now: at(20_000))
        #expect(schedule.pausedUntil(at(20_000)) == at(20_000).advanced(by: RequestSchedule.maxPause))
        #expect(schedule.pausedUntil(at(20_000).advanced(by: RequestSchedule.maxPause)) == nil)
    }

    @Test("a call beyond the queue's limit is refused")
    func queueFull() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 1, waiting: 1))
        let answers = (0..<3).map {
            schedule.request($0, priority: .bulk, deadline: at(60_000), now: start, date: noon)
        }
        #expect(answers[1...] == [.queued, .refused(.queueFull)])
    }

    @Test("a call that has left the queue uses no turn")
    func cancels() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 1))
        for id in 0..<3 {
            _ = schedule.request(UInt64(id), priority: .bulk, deadline: at(60_000), now: start, date: noon)
        }
        #expect(schedule.cancel(1) == true)
        #expect(schedule.cancel(1) == false)
        #expect(schedule.advance(now: at(1030), date: noon).map(\.id) == [2])
        #expect(schedule.cancel(2) == false)
    }

    @Test("an unused turn goes to the next call and does not count toward the daily budget")
    func givesBack() throws {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 1, requestsPerDay: 5))
        let answer = schedule.request(0, priority: .bulk, deadline: at(60_000), now: start, date: noon)
        _ = schedule.request(1, priority: .bulk, deadline: at(60_000), now: start, date: noon)
        guard case .granted(let grant) = answer else { throw NotGranted() }
        #expect(schedule.leftToday(at: noon) == 4)
        schedule.giveBack(grant)
        #expect(schedule.leftToday(at: noon) == 5)
        #expect(schedule.advance(now: at(1), date: noon).map(\.id) == [1])
        #expect(schedule.advance(now: at(1000), date: noon).isEmpty)
    }

    @Test("once the daily budget is used up, calls fail until midnight Pacific time")
    func daily() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerSecond: 1, requestsPerDay: 2))
        for id in 0..<3 {
            _ = schedule.request(UInt64(id), priority: .bulk, deadline: at(60_000), now: start, date: noon)
        }
        let settled = schedule.advance(now: at(1030), date: noon) + schedule.advance(now: at(2060), date: noon)
        #expect(settled.map(\.id) == [1, 2])
        let exhausted = BudgetRefusal.exhausted(resetsIn: .seconds(20 * 3600))
        #expect(settled.last?.result == .failure(exhausted))
        #expect(
            schedule.request(9, priority: .interactive, deadline: at(60_000), now: at(3000), date: noon)
                == .refused(exhausted))
        let tomorrow = noon + 20 * 3600
        #expect(schedule.leftToday(at: tomorrow) == 2)
        guard case .granted = schedule.request(10, priority: .bulk, deadline: at(90_000), now: at(4000), date: tomorrow)
        else {
            Issue.record("the new day has no budget")
            return
        }
    }

    /// Makes up to `count` requests for a client, until one is not granted, and returns the number granted.
    private func take(_ count: Int, _ schedule: inout RequestSchedule, for client: String?, at now: MonotonicInstant)
        -> Int
    {
        var granted = 0
        for _ in 0..<count {
            let answer = schedule.request(
                0, priority: .bulk, deadline: now.advanced(by: .seconds(60)), client: client, now: now, date: noon)
            guard case .granted = answer else { return granted }
            granted += 1
        }
        return granted
    }

    @Test("a client can use half of the daily budget immediately, and half of the rest in the next hour")
    func aloneInTheHour() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerDay: 1_000))
        #expect(take(1_000, &schedule, for: "greedy", at: start) == 500)
        #expect(
            schedule.request(1, priority: .bulk, deadline: at(60_000), client: "greedy", now: at(59_999), date: noon)
                == .refused(.exhausted(resetsIn: .milliseconds(3_600_000 - 59_999))))
        #expect(take(1_000, &schedule, for: "greedy", at: at(3_600_000)) == 250)
    }

    @Test(
        "a client that arrives after a greedy one still receives a share, and calls without a client are not limited to a share"
    )
    func latecomers() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerDay: 1_000))
        _ = take(1_000, &schedule, for: "greedy", at: start)
        #expect(take(1_000, &schedule, for: "second", at: start) == 250)
        #expect(take(1_000, &schedule, for: "third", at: start) == 125)
        #expect(take(1_000, &schedule, for: nil, at: start) == 125)
        #expect(schedule.leftToday(at: noon) == 0)
    }

    @Test("concurrent clients receive equal shares")
    func evenShares() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerDay: 1_000))
        var granted: [String: Int] = [:]
        for _ in 0..<1_000 {
            for client in ["a", "b", "c"] { granted[client, default: 0] += take(1, &schedule, for: client, at: start) }
        }
        #expect(granted == ["a": 250, "b": 250, "c": 250])
    }

    @Test("clients of a provider with no daily budget are not limited to a share")
    func noDailyBudget() {
        var schedule = RequestSchedule(limits: BudgetLimits())
        #expect(take(5_000, &schedule, for: "greedy", at: start) == 5_000)
    }

    @Test("an unused turn does not count against its client")
    func shareGivenBack() throws {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerDay: 10))
        let answer = schedule.request(0, priority: .bulk, deadline: at(1), client: "a", now: start, date: noon)
        guard case .granted(let grant) = answer else { throw NotGranted() }
        #expect(schedule.used(by: "a", now: start) == 1)
        schedule.giveBack(grant)
        #expect(schedule.used(by: "a", now: start) == 0)
    }

    @Test("the usage of the busiest client is remembered after requests from ten thousand other clients")
    func manyClients() {
        var schedule = RequestSchedule(limits: BudgetLimits(requestsPerDay: 1_000_000))
        _ = take(10, &schedule, for: "busy", at: start)
        for client in 0..<10_000 { _ = take(1, &schedule, for: "client-\(client)", at: start) }
        #expect(schedule.used(by: "busy", now: start) == 10)
    }

    @Test("today's stored count is continued, and yesterday's is not")
    func stored() {
        let limits = BudgetLimits(requestsPerDay: 10)
        let today = RequestSchedule(limits: limits, usage: DailyUsage(day: "2025-11-16", used: 9))
        #expect(today.leftToday(at: noon) == 1)
        let yesterday = RequestSchedule(limits: limits, usage: DailyUsage(day: "2025-11-15", used: 9))
        #expect(yesterday.leftToday(at: noon) == 10)
    }

    @Test(
        "the day ends at midnight Pacific time, even on days when the clocks change",
        arguments: [
            // 2025-11-02 and 2026-03-08, both at 08:00 UTC: a day of 25 hours and a day of 23 hours.
            (1_762_070_400.0, 24), (1_772_956_800.0, 23), (1_763_294_400.0, 20),
        ])
    func midnight(seconds: Double, hours: Int) {
        #expect(DailyBudget.timeToReset(from: Date(timeIntervalSince1970: seconds)) == .seconds(hours * 3600))
    }
}

/// A turn was refused or delayed where the test did not expect it.
private struct NotGranted: Error {}
