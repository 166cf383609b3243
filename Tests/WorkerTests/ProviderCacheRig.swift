import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import Observability
import Testing
import TestSupport
@testable import EnrichmentWorker

/// A cache in its own directory, with a clock that the test advances.
struct ProviderCacheRig: Sendable {
    let directory: String
    let clock = ManualClock()
    let log = RecordingLog()
    let isbn: ISBN

    init() throws {
        directory = try WorkerRig.temporaryDirectory()
        isbn = try #require(ISBN("9780441172719"))
    }

    var path: String { directory + "/cache.sqlite" }

    /// - Parameter clock: By default, the clock that the test advances.
    func open(limit: Int = 64 << 20, clock: (any SuiteClock)? = nil) throws -> ProviderCache {
        try ProviderCache(
            path: path, ttl: CacheTTL(), limit: limit, clock: clock ?? self.clock,
            metrics: WorkerMetrics(MetricRegistry()), logger: log.logger)
    }

    func pass(_ seconds: Double) { clock.stepDate(by: .seconds(seconds)) }
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
