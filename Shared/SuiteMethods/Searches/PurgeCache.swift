package import JSONRPC

/// Empties a cache (`bookstrack cache purge`). Answered by enrichment-worker and by api-proxy.
package enum PurgeCache: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "cache.purge"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(30)

    package struct Result: Codable, Sendable, Equatable {
        /// Entries that were removed.
        package var removed: Int

        package init(removed: Int) { self.removed = removed }
    }
}
