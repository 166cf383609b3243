/// How full a cache is and how it was used since its process started. The number of entries is told by ``ReadCacheStatistics``, which
/// counts them.
package struct CacheFigure: Codable, Sendable, Equatable {
    /// Size of what is kept.
    package var bytes: Int
    /// Maximum of `bytes`.
    package var limit: Int
    /// Questions that a fresh entry answered.
    package var hits: Int
    /// Questions that an expired entry answered.
    package var staleHits: Int
    /// Questions that no entry answered.
    package var misses: Int

    package init(bytes: Int, limit: Int, hits: Int, staleHits: Int, misses: Int) {
        self.bytes = bytes
        self.limit = limit
        self.hits = hits
        self.staleHits = staleHits
        self.misses = misses
    }
}
