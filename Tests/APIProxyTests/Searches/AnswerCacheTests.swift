import NIOCore
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Answers in memory") struct AnswerCacheTests {
    private static func answer(_ bytes: Int, fresh: Int = 60, now: NIODeadline = .uptimeNanoseconds(0)) -> KeptAnswer {
        let head = SearchAnswer.Head(
            provider: "none", ageSeconds: nil, freshSeconds: fresh, isStale: false, providers: nil)
        return KeptAnswer(SearchAnswer(head: head, data: ByteBuffer(repeating: 0x20, count: bytes)), now: now)
    }

    private static func second(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test("an answer is fresh until its time is up, and stays after that")
    func expiry() {
        var cache = AnswerCache<Int>(limit: 1 << 20)
        cache.keep(Self.answer(100), for: 1)
        #expect(cache.find(1, now: Self.second(59))?.isFresh == true)
        #expect(cache.find(1, now: Self.second(60))?.isFresh == false)
        #expect(cache.find(2, now: Self.second(0)) == nil)
    }

    @Test("what was not used for longest goes first, and the bytes stay within the bound")
    func eviction() {
        var cache = AnswerCache<Int>(limit: 100_000)
        for key in 0..<50 { cache.keep(Self.answer(2_000), for: key) }
        #expect(cache.bytes <= 100_000 && cache.count < 50)
        let oldest = 50 - cache.count
        _ = cache.find(oldest, now: Self.second(0))
        cache.keep(Self.answer(2_000), for: 100)
        #expect(cache.find(oldest, now: Self.second(0)) != nil)
        #expect(cache.find(oldest + 1, now: Self.second(0)) == nil)
    }

    @Test("an answer takes the place of its predecessor; one that is too large is not kept")
    func replacement() {
        var cache = AnswerCache<Int>(limit: 100_000)
        for size in [100, 5_000, 200] { cache.keep(Self.answer(size), for: 1) }
        #expect(cache.count == 1 && cache.bytes < 1_000)
        cache.keep(Self.answer(20_000), for: 1)
        #expect(cache.find(1, now: Self.second(0)) == nil && cache.bytes == 0)
    }

    @Test("any order of uses leaves exactly what was used last")
    func random() {
        var cache = AnswerCache<Int>(limit: 60_000)
        var order: [Int] = []
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let key = Int.random(in: 0..<40, using: &generator)
            if cache.find(key, now: Self.second(0)) == nil { cache.keep(Self.answer(1_488), for: key) }
            order.removeAll { $0 == key }
            order.append(key)
        }
        let kept = order.suffix(cache.count)
        #expect(kept.allSatisfy { cache.find($0, now: Self.second(0)) != nil } && cache.count == 30)
    }
}
