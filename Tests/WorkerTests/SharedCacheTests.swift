import BookIdentifiers
import BookMetadata
import Foundation
import GRDB
import Logging
import Observability
import ProviderClient
import SuiteMethods
import Testing
import TestSupport
@testable import EnrichmentWorker

@Suite("A provider cache that several workers share", .timeLimit(.minutes(1)))
struct SharedCacheTests: ProviderCacheSuite {
    let rig: ProviderCacheRig

    init() throws { rig = try ProviderCacheRig() }

    @Test("another worker with the same data directory finds stored answers, and a purge removes them for both")
    func sharedAnswers() async throws {
        let first = try rig.open(), second = try rig.open()
        first.store([.edition(isbn): edition()])
        await first.flush()
        #expect(await second.answers(to: [.edition(isbn)])[.edition(isbn)]?.records == edition())
        #expect(try await second.purge() == 1)
        #expect(await first.answers(to: [.edition(isbn)])[.edition(isbn)] == nil)
        try await first.close()
        try await second.close()
    }

    @Test("if several workers write at the same time, no answer or count is lost")
    func concurrentWriters() async throws {
        let caches = [try rig.open(), try rig.open()]
        let isbns = EmulatedProviders.isbns(0..<200).compactMap { ISBN($0) }
        try await withThrowingTaskGroup { group in
            for (number, cache) in caches.enumerated() {
                group.addTask {
                    for place in stride(from: number, to: isbns.count, by: 2) {
                        cache.store([.edition(isbns[place]): edition()])
                        _ = try await cache.add(1, on: "2025-11-15", provider: "google-books")
                    }
                    await cache.flush()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await caches[0].statistics().entries == 200)
        #expect(try await caches[1].usage(provider: "google-books")?.used == 200)
        #expect(rig.log.texts(at: .error).isEmpty)
        for cache in caches { try await cache.close() }
    }

    @Test("a damaged cache file is moved aside once, and the other workers continue with the new one")
    func sharedDamage() async throws {
        let first = try rig.open(), second = try rig.open()
        let damaged = second.pool
        first.failed(DatabaseError(resultCode: .SQLITE_CORRUPT), .read, at: first.pool)
        first.store([.edition(isbn): edition()])
        await first.flush()
        second.failed(DatabaseError(resultCode: .SQLITE_CORRUPT), .read, at: damaged)
        #expect(await second.answers(to: [.edition(isbn)])[.edition(isbn)]?.records == edition())
        #expect(await first.answers(to: [.edition(isbn)])[.edition(isbn)]?.records == edition())
        try await first.close()
        try await second.close()
    }

    @Test("the turns of all workers are one interval apart, in the order in which they were reserved")
    func turns() async throws {
        let first = try rig.open(), second = try rig.open()
        let clock = StoppedClock()
        var turns: [Duration] = []
        for cache in [first, second, second, first] {
            let turn = try await cache.reserveTurn(provider: "openlibrary", spacing: .milliseconds(344), clock: clock)
            turns.append(clock.now.duration(to: turn))
        }
        #expect(turns == [.zero, .milliseconds(344), .milliseconds(688), .milliseconds(1_032)])
        let other = try await second.reserveTurn(provider: "isbndb", spacing: .seconds(1), clock: clock)
        #expect(other == clock.now)
        let later = StoppedClock(by: 10)
        let late = try await first.reserveTurn(provider: "openlibrary", spacing: .milliseconds(344), clock: later)
        #expect(late == later.now)
        try await first.close()
        try await second.close()
    }

    @Test("turns that were reserved before the clock was set back do not count")
    func turnsAfterClockChange() async throws {
        let cache = try rig.open()
        let (ahead, clock) = (StoppedClock(by: 3_600), StoppedClock())
        _ = try await cache.reserveTurn(provider: "openlibrary", spacing: .milliseconds(344), clock: ahead)
        let turn = try await cache.reserveTurn(provider: "openlibrary", spacing: .milliseconds(344), clock: clock)
        #expect(turn == clock.now)
        try await cache.close()
    }
}

/// A clock that stands still.
private struct StoppedClock: SuiteClock {
    let uptime = Duration.seconds(50)
    let date: Date

    init(by seconds: TimeInterval = 0) { date = Date(timeIntervalSince1970: 1_700_000_000 + seconds) }

    func sleep(until uptime: Duration) async throws {}
}
