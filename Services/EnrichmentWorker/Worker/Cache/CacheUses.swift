/// How questions were answered since the process started.
struct CacheUses: Sendable {
    private(set) var hits = 0
    private(set) var staleHits = 0
    private(set) var misses = 0

    /// Counts what was found for some questions; nil for nothing.
    mutating func count(_ answers: [CachedAnswer?]) {
        for answer in answers {
            switch answer {
            case nil: misses += 1
            case let answer?: if answer.isFresh { hits += 1 } else { staleHits += 1 }
            }
        }
    }
}
