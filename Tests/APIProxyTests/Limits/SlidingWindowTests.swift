import TestSupport
import Testing

@testable import APIProxy

@Suite("A sliding window") struct SlidingWindowTests {
    @Test("no stretch of one period ever admits more than the limit, wherever it begins", arguments: [1, 7, 50])
    func strict(limit: Int) {
        var random = SeededGenerator(seed: UInt64(limit))
        var window = SlidingWindow()
        var admitted: [Int64] = []
        var now: Int64 = 0
        for _ in 0..<20_000 {
            now += Bool.random(using: &random) ? 0 : Int64.random(in: 0...4_000, using: &random)
            window.advance(to: now, .minute)
            guard window.total < limit else { continue }
            window.add()
            admitted.append(now)
        }
        #expect(admitted.count > limit * 10)
        for (first, time) in admitted.enumerated() {
            let last = first + limit
            if last < admitted.count { #expect(admitted[last] - time >= 60_000) }
        }
    }

    @Test("a client at an even pace just under the limit is never refused")
    func evenPace() {
        var window = SlidingWindow()
        // 54 a minute: the eleven slots of a limit of 60 hold 66 s.
        for index in 0..<10_000 {
            window.advance(to: Int64(index) * 1_112, .minute)
            #expect(window.total < 60)
            window.add()
        }
    }

    @Test("room comes back when the oldest request is a period old, at most a tenth later")
    func room() {
        var window = SlidingWindow()
        window.advance(to: 5_999, .minute)
        window.add()
        #expect(window.nextRoom(.minute) == 66_000)
        window.advance(to: 65_999, .minute)
        #expect(window.total == 1)
        window.advance(to: 66_000, .minute)
        #expect(window.total == 0 && window.nextRoom(.minute) == nil)
    }

    @Test("a long silence empties it, and a clock that goes back changes nothing")
    func jumps() {
        var window = SlidingWindow()
        window.advance(to: 7_200_000, .hour)
        window.add()
        window.advance(to: 0, .hour)
        #expect(window.total == 1)
        window.advance(to: 720_000_000, .hour)
        #expect(window.total == 0)
    }
}
