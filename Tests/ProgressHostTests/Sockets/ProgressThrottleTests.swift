import Testing

@testable import ProgressHost

/// The numeric examples of websocket.md "Throttle" assume 1 000 items.
@Suite("Progress throttle")
struct ProgressThrottleTests {
    private static let interval = Duration.milliseconds(500)

    /// Feeds counts at one moment and returns those that became events.
    private func emitted(_ counts: some Sequence<Int>, _ throttle: inout ProgressThrottle, at now: Duration = .zero)
        -> [Int]
    {
        counts.filter { throttle.update(processed: $0, now: now) == .emit }
    }

    private func throttle(total: Int = 1_000) -> ProgressThrottle {
        ProgressThrottle(interval: Self.interval, total: total)
    }

    @Test("ten rapid updates become one immediate event and one flush")
    func tenRapid() {
        var throttle = throttle()
        #expect(emitted(1...10, &throttle) == [1])
        #expect(throttle.flush(processed: 10, now: .milliseconds(499)) == false)
        #expect(throttle.flush(processed: 10, now: .milliseconds(500)) == true)
        #expect(throttle.flush(processed: 10, now: .milliseconds(1_000)) == false)
    }

    @Test("updates 1, 24, 25 and 26 in a burst become two immediate events")
    func milestoneOf25() {
        var throttle = throttle()
        #expect(emitted([1, 24, 25, 26], &throttle) == [1, 25])
        #expect(throttle.isHolding)
    }

    @Test("updates 1 and 2 and a completion become three frames: update 2 is flushed before the end")
    func drainBeforeTheEnd() {
        var throttle = throttle()
        #expect(emitted([1, 2], &throttle) == [1])
        #expect(throttle.drain(processed: 2, now: .zero) == true)
        #expect(throttle.drain(processed: 2, now: .zero) == false)
    }

    @Test("a flush is due 500 ms after the last event, whenever the held update arrived")
    func flushTime() {
        var throttle = throttle()
        #expect(throttle.update(processed: 1, now: .seconds(1)) == .emit)
        #expect(throttle.update(processed: 2, now: .milliseconds(1_400)) == .hold(flushAt: .milliseconds(1_500)))
        #expect(throttle.update(processed: 3, now: .milliseconds(1_499)) == .hold(flushAt: .milliseconds(1_500)))
    }

    @Test("an update 500 ms after the last event is sent immediately, and so is one after ten seconds of silence")
    func intervalPassed() {
        var throttle = throttle()
        #expect(emitted([1], &throttle) == [1])
        #expect(emitted([2], &throttle, at: .milliseconds(499)) == [])
        #expect(emitted([3], &throttle, at: .milliseconds(500)) == [3])
        #expect(emitted([4], &throttle, at: .seconds(10)) == [4])
    }

    @Test(
        "the first update, every 25th, and 25, 50, 75 and 100 % are sent immediately, each once",
        arguments: [4, 7, 10, 16, 99])
    func quarters(total: Int) {
        var throttle = throttle(total: total)
        let counts = emitted(1...total, &throttle)
        let expected = (1...total).filter { count in
            count == 1 || count % 25 == 0 || count * 4 / total > (count - 1) * 4 / total
        }
        #expect(counts == expected)
        #expect(counts.last == total)
    }

    @Test("a count that skips past a quarter is sent immediately")
    func jump() {
        var throttle = throttle(total: 100)
        #expect(emitted([1, 2, 30, 31, 80, 100], &throttle) == [1, 30, 80, 100])
    }

    @Test("1 000 updates over 20 s become two to four events per second, in order, and the last one is exact")
    func longRun() {
        var throttle = throttle()
        var told: [Int] = []
        for count in 1...1_000 {
            let now = Duration.milliseconds(20 * count)
            if throttle.flush(processed: count - 1, now: now) { told.append(count - 1) }
            if throttle.update(processed: count, now: now) == .emit { told.append(count) }
        }
        #expect(told == told.sorted())
        #expect(told.last == 1_000)
        #expect((40...81).contains(told.count))
    }

    @Test("a change that affects only the text is throttled and never counts as a milestone")
    func holdOrEmit() {
        var throttle = throttle()
        #expect(throttle.holdOrEmit(now: .zero, processed: 0) == .emit)
        #expect(throttle.holdOrEmit(now: .milliseconds(10), processed: 0) == .hold(flushAt: Self.interval))
    }

    @Test("after a restart, a count that may have been held is sent after the interval, and no quarter is repeated")
    func restart() {
        var throttle = ProgressThrottle(interval: Self.interval, total: 100, processed: 30, heldSince: .seconds(5))
        #expect(throttle.update(processed: 31, now: .seconds(5)) == .hold(flushAt: .milliseconds(5_500)))
        #expect(throttle.flush(processed: 31, now: .milliseconds(5_500)) == true)
        #expect(throttle.update(processed: 50, now: .milliseconds(5_501)) == .emit)
    }
}
