package import JSONRPC

/// Reads the size and the use of a cache (`bookstrack cache stats`). Answered by enrichment-worker for cached provider responses and by api-proxy for
/// cached API responses.
///
/// Application errors: `SERVICE_UNAVAILABLE` if enrichment-worker cannot use its cache.
package enum ReadCacheStatistics: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "cache.statistics"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Result: Codable, Sendable, Equatable {
        /// Number of entries.
        package var entries: Int
        /// Size in bytes of the entries (api-proxy) or of the used part of `cache.sqlite` (enrichment-worker).
        package var bytes: Int
        /// Maximum of `bytes`; beyond this, least recently used entries are evicted.
        package var limit: Int
        /// Number of lookups that found a fresh entry since the process started.
        package var hits: Int
        /// Number of lookups that found an expired entry; in api-proxy, only those that were answered with it.
        package var staleHits: Int
        /// Number of lookups that found no entry.
        package var misses: Int

        package init(entries: Int, bytes: Int, limit: Int, hits: Int, staleHits: Int, misses: Int) {
            self.entries = entries
            self.bytes = bytes
            self.limit = limit
            self.hits = hits
            self.staleHits = staleHits
            self.misses = misses
        }
    }
}

/// Empties a cache (`bookstrack cache purge`). Answered by enrichment-worker and by api-proxy.
///
/// Application errors: `SERVICE_UNAVAILABLE` if enrichment-worker cannot use its cache.
package enum PurgeCache: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "cache.purge"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(30)

    package struct Result: Codable, Sendable, Equatable {
        /// Number of removed entries.
        package var removed: Int

        package init(removed: Int) { self.removed = removed }
    }
}
