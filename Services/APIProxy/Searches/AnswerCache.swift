import NIOCore
import ServiceKit
import SuiteMethods

/// Finished search results in memory, limited by size; the least recently used ones are evicted (metadata.md "Cache").
///
/// An expired result is kept until its space is needed, and is used if no better result is available.
struct AnswerCache<Key: Hashable & Sendable>: Sendable {
    /// A result that was found in the cache.
    struct Hit: Sendable {
        let answer: KeptAnswer
        let isFresh: Bool
    }

    /// Approximate size of an entry without its data, in bytes.
    private static var overhead: Int { 512 }

    /// Maximum of ``bytes``.
    let limit: Int
    private(set) var bytes = 0
    private var answers = LRUTable<Key, KeptAnswer>()

    init(limit: Int) { self.limit = limit }

    var count: Int { answers.count }

    /// Finds a result and records its use; nil if there is none.
    mutating func find(_ key: Key, now: Duration) -> Hit? {
        guard let place = answers.use(key) else { return nil }
        let answer = answers[place]
        return Hit(answer: answer, isFresh: now < answer.freshUntil)
    }

    /// Replaces the result for `key`. A result larger than a tenth of ``limit`` is not stored; the previous one is removed anyway.
    mutating func keep(_ answer: KeptAnswer, for key: Key) {
        if let former = answers.remove(key) { bytes -= Self.size(of: former) }
        guard Self.size(of: answer) <= limit / 10 else { return }
        answers.add(answer, for: key)
        bytes += Self.size(of: answer)
        while bytes > limit, let oldest = answers.leastRecent { bytes -= Self.size(of: answers.remove(at: oldest)) }
    }

    mutating func removeAll() { self = AnswerCache(limit: limit) }

    private static func size(of answer: KeptAnswer) -> Int { answer.data.readableBytes + overhead }
}

/// A finished result of a search.
struct KeptAnswer: Sendable {
    /// The JSON text of the envelope's `data`.
    let data: ByteBuffer
    /// The provider of the first match, or "none".
    let provider: String
    /// Uptime at which the oldest part of the result was received from its provider.
    let madeAt: Duration
    /// Uptime until which the result is fresh.
    let freshUntil: Duration

    init(_ answer: SearchAnswer, now: Duration) {
        // Copied because the received bytes are a slice of a larger read.
        data = ByteBuffer(bytes: answer.data.readableBytesView)
        provider = answer.head.provider
        madeAt = now - .seconds(answer.head.ageSeconds ?? 0)
        freshUntil = now + .seconds(answer.head.freshSeconds)
    }
}
