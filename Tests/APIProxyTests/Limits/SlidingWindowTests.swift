import TestSupport
import Testing

@testable import APIProxy

@Suite("A sliding window") struct SlidingWindowTests {
    @Test(
        "no stretch of one period ever admits more than the limit, wherever it begins",
        arguments: [1, 7, 50, SlidingWindow.exactTimes + 1])
    func strict(requests: Int) {
        var random = SeededGenerator(seed: UInt64(requests))
        let limit = RateLimit(requests: requests, period: .minute)
        let longest = 240_000 / Int64(requests)
        var window = SlidingWindow()
        var admitted: [Int64] = []
        // The clock's 32 bits come round on the way.
        var now: Int64 = 1 << 32 - 1_000_000
        for _ in 0..<20_000 {
            now += Bool.random(using: &random) ? 0 : Int64.random(in: 0...longest, using: &random)
            window.advance(to: now, .minute)
            guard window.total < requests else { continue }
            window.add(limit)
            admitted.append(now)
        }
        #expect(admitted.count > requests * 10)
        for (first, time) in admitted.enumerated() {
            let last = first + requests
            if last < admitted.count { #expect(admitted[last] - time >= 60_000) }
        }
    }

    @Test("a request counts for 60 s and not a millisecond longer")
    func exact() {
        let limit = RateLimit(requests: 2, period: .minute)
        var window = SlidingWindow()
        window.advance(to: 5_999, .minute)
        window.add(limit)
        window.advance(to: 6_000, .minute)
        window.add(limit)
        #expect(window.nextRoom(.minute) == 65_999)
        window.advance(to: 65_998, .minute)
        #expect(window.total == 2)
        window.advance(to: 65_999, .minute)
        #expect(window.total == 1)
        #expect(window.nextRoom(.minute) == 66_000)
        window.advance(to: 66_000, .minute)
        #expect(window.total == 0)
        #expect(window.nextRoom(.minute) == nil)
    }

    @Test("a client at an even pace just at the limit is never refused")
    func evenPace() {
        let limit = RateLimit(requests: 60, period: .minute)
        var window = SlidingWindow()
        for index in 0..<10_000 {
            window.advance(to: Int64(index) * 1_000, .minute)
            #expect(window.total < 60)
            window.add(limit)
        }
    }

    @Test("a limit of any size takes bounded memory, and room comes back at most a thousandth of the period late")
    func bounded() {
        let limit = RateLimit(requests: 1_000_000, period: .hour)
        var window = SlidingWindow()
        for index in 0..<1_000_000 {
            window.advance(to: Int64(index) * 3, .hour)
            window.add(limit)
        }
        #expect(window.total == 1_000_000)
        #expect(window.bytes <= 2 * SlidingWindow.exactTimes * 8)
        #expect(window.nextRoom(.hour).map { (3_600_000...3_603_600).contains($0) } == true)
    }

    @Test("a long silence empties it, and a clock that goes back changes nothing")
    func jumps() {
        let limit = RateLimit(requests: 5, period: .hour)
        var window = SlidingWindow()
        window.advance(to: 7_200_000, .hour)
        window.add(limit)
        window.advance(to: 0, .hour)
        #expect(window.total == 1)
        window.advance(to: 7_200_000 + 1 << 32, .hour)
        #expect(window.total == 0)
    }
}
