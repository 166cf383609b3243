import NIOCore
import SuiteMethods

/// Finished answers of searches in memory, bounded by their bytes; least recently used ones are evicted (metadata.md "Cache").
///
/// A value. An expired answer stays until its place is needed: it serves when there is nothing better.
struct AnswerCache<Key: Hashable & Sendable>: Sendable {
    /// An answer that was found.
    struct Hit: Sendable {
        let answer: KeptAnswer
        let isFresh: Bool
    }

    private struct Entry: Sendable {
        let key: Key
        let answer: KeptAnswer
        var newer: Int?
        var older: Int?
    }

    /// What an entry takes beside its data, roughly.
    private static var overhead: Int { 512 }

    /// Maximum of ``bytes``.
    let limit: Int
    private(set) var bytes = 0
    private var places: [Key: Int] = [:]
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var newest: Int?
    private var oldest: Int?

    init(limit: Int) { self.limit = limit }

    var count: Int { places.count }

    /// Finds an answer and notes its use.
    mutating func find(_ key: Key, now: NIODeadline) -> Hit? {
        guard let place = places[key], let entry = entries[place] else { return nil }
        if newest != place {
            unlink(place)
            link(place)
        }
        return Hit(answer: entry.answer, isFresh: now < entry.answer.freshUntil)
    }

    /// Keeps an answer; one that takes more than a tenth of everything is not kept.
    mutating func keep(_ answer: KeptAnswer, for key: Key) {
        remove(key)
        let size = answer.data.readableBytes + Self.overhead
        guard size <= limit / 10 else { return }
        let place = free.popLast() ?? entries.count
        if place == entries.count { entries.append(nil) }
        entries[place] = Entry(key: key, answer: answer)
        places[key] = place
        bytes += size
        link(place)
        while bytes > limit, let oldest, let entry = entries[oldest] { remove(entry.key) }
    }

    mutating func removeAll() { self = AnswerCache(limit: limit) }

    private mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key), let entry = entries[place] else { return }
        unlink(place)
        entries[place] = nil
        free.append(place)
        bytes -= entry.answer.data.readableBytes + Self.overhead
    }

    private mutating func link(_ place: Int) {
        entries[place]?.older = newest
        entries[place]?.newer = nil
        if let newest { entries[newest]?.newer = place }
        newest = place
        if oldest == nil { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        guard let entry = entries[place] else { return }
        if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
        if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
    }
}

/// A finished answer of a search.
struct KeptAnswer: Sendable {
    /// The JSON text of the envelope's `data`.
    let data: ByteBuffer
    /// The provider that gave the first match, or "none".
    let provider: String
    /// When the oldest part of it came from its provider.
    let madeAt: NIODeadline
    /// Until when it serves as it is.
    let freshUntil: NIODeadline

    init(_ answer: SearchAnswer, now: NIODeadline) {
        data = answer.data
        provider = answer.head.provider
        madeAt = now - .seconds(Int64(answer.head.ageSeconds ?? 0))
        freshUntil = now + .seconds(Int64(answer.head.freshSeconds))
    }
}
