import NIOCore
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Search results in memory") struct AnswerCacheTests {
    private static func answer(_ bytes: Int, fresh: Int = 60, now: Duration = .zero) -> KeptAnswer {
        let head = SearchAnswer.Head(
            provider: "none", ageSeconds: nil, freshSeconds: fresh, isStale: false, providers: nil)
        return KeptAnswer(SearchAnswer(head: head, data: ByteBuffer(repeating: 0x20, count: bytes)), now: now)
    }

    @Test("a result is fresh until it expires and is kept after that")
    func expiry() {
        var cache = AnswerCache<Int>(limit: 1 << 20)
        cache.keep(Self.answer(100), for: 1)
        #expect(cache.find(1, now: .seconds(59))?.isFresh == true)
        #expect(cache.find(1, now: .seconds(60))?.isFresh == false)
        #expect(cache.find(2, now: .zero) == nil)
    }

    @Test("a result does not keep the rest of what was received with it in memory")
    func slice() throws {
        let received = ByteBuffer(repeating: 0x20, count: 64 << 10)
        let answer = SearchAnswer(
            head: .init(provider: "none", ageSeconds: nil, freshSeconds: 60, isStale: false, providers: nil),
            data: try #require(received.getSlice(at: 100, length: 1_000)))
        #expect(KeptAnswer(answer, now: .zero).data.storageCapacity <= 2_000)
    }

    @Test("the least recently used result is evicted first, and the total size stays within the limit")
    func eviction() {
        var cache = AnswerCache<Int>(limit: 100_000)
        for key in 0..<50 { cache.keep(Self.answer(2_000), for: key) }
        #expect(cache.bytes <= 100_000)
        #expect(cache.count < 50)
        let oldest = 50 - cache.count
        _ = cache.find(oldest, now: .zero)
        cache.keep(Self.answer(2_000), for: 100)
        #expect(cache.find(oldest, now: .zero) != nil)
        #expect(cache.find(oldest + 1, now: .zero) == nil)
    }

    @Test("a new result replaces its predecessor, and a result that is too large is not kept")
    func replacement() {
        var cache = AnswerCache<Int>(limit: 100_000)
        for size in [100, 5_000, 200] { cache.keep(Self.answer(size), for: 1) }
        #expect(cache.count == 1)
        #expect(cache.bytes < 1_000)
        cache.keep(Self.answer(20_000), for: 1)
        #expect(cache.find(1, now: .zero) == nil)
        #expect(cache.bytes == 0)
    }

    @Test("after any sequence of uses, exactly the most recently used results remain")
    func random() {
        var cache = AnswerCache<Int>(limit: 60_000)
        var order: [Int] = []
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let key = Int.random(in: 0..<40, using: &generator)
            if cache.find(key, now: .zero) == nil { cache.keep(Self.answer(1_488), for: key) }
            order.removeAll { $0 == key }
            order.append(key)
        }
        let kept = order.suffix(cache.count)
        #expect(kept.allSatisfy { cache.find($0, now: .zero) != nil })
        #expect(cache.count == 30)
    }
}
