import NIOCore
import SuiteMethods

/// Finished answers of searches in memory, bounded by their bytes; least recently used ones are evicted (metadata.md "Cache").
///
/// An expired answer stays until its space is needed: it is used if no better answer can be had.
struct AnswerCache<Key: Hashable & Sendable>: Sendable {
    /// An answer that was found.
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

    /// Finds an answer and notes its use.
    mutating func find(_ key: Key, now: Duration) -> Hit? {
        guard let place = answers.use(key) else { return nil }
        let answer = answers[place]
        return Hit(answer: answer, isFresh: now < answer.freshUntil)
    }

    /// Keeps an answer, unless it is larger than a tenth of ``limit``.
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

/// A finished answer of a search.
struct KeptAnswer: Sendable {
    /// The JSON text of the envelope's `data`.
    let data: ByteBuffer
    /// The provider that gave the first match, or "none".
    let provider: String
    /// Uptime at which the oldest part of the answer came from its provider.
    let madeAt: Duration
    /// Uptime until which it is fresh.
    let freshUntil: Duration

    init(_ answer: SearchAnswer, now: Duration) {
        data = answer.data
        provider = answer.head.provider
        madeAt = now - .seconds(answer.head.ageSeconds ?? 0)
        freshUntil = now + .seconds(answer.head.freshSeconds)
    }
}
