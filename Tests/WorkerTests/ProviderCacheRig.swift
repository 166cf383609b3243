import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import Observability
import Testing
import TestSupport
@testable import EnrichmentWorker

/// A cache in its own directory, with a clock that the test advances.
struct ProviderCacheRig: Sendable {
    let directory: String
    let time = NIOLockedValueBox(Date(timeIntervalSince1970: 1_700_000_000))
    let log = RecordingLog()
    let isbn: ISBN

    init() throws {
        directory = try WorkerRig.temporaryDirectory()
        isbn = try #require(ISBN("9780441172719"))
    }

    var path: String { directory + "/cache.sqlite" }

    /// - Parameter now: The clock; by default, the one that the test advances.
    func open(limit: Int = 64 << 20, now: (@Sendable () -> Date)? = nil) throws -> ProviderCache {
        try ProviderCache(
            path: path, ttl: CacheTTL(), limit: limit, now: now ?? { time.withLockedValue { $0 } },
            metrics: WorkerMetrics(MetricRegistry()), logger: log.logger)
    }

    func pass(_ seconds: Double) { time.withLockedValue { $0 += seconds } }
}

/// A suite whose tests open a cache of their own and store the edition of one book in it.
protocol ProviderCacheSuite: Sendable {
    var rig: ProviderCacheRig { get }
}

extension ProviderCacheSuite {
    var isbn: ISBN { rig.isbn }

    func edition(title: String? = "Dune") -> ProviderRecords {
        var edition = EditionRecord(provider: .openLibrary)
        edition.title = title
        edition.isbns = [isbn]
        return ProviderRecords(editions: [edition])
    }
}
