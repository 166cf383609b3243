import BookstrackContract
import Foundation
import SuiteMethods
import Testing
@testable import EnrichmentWorker

@Suite("Lookups and the cache", .timeLimit(.minutes(2)))
struct CachedLookupTests {
    @Test("a restarted worker returns results from its cache without sending requests")
    func restart() async throws {
        let directory = try WorkerRig.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var options = WorkerRig.Options()
        options.directory = directory
        let queries = [BookQuery.isbn("9780441172719"), .isbn("9780307887436"), BookQuery(title: "Dune")]
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items(queries))
            _ = await rig.host.delivered(3)
        }
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items(queries))
            #expect(await rig.host.delivered(3).allSatisfy { $0.row.success })
            #expect(rig.providers.log.isEmpty)
        }
    }

    @Test("a failure is not cached")
    func failures() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"kind":"status","code":400}]"#)
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(await rig.host.delivered(1).first?.outcome.errorCode == .providerError)
            rig.providers.setFaults("[]")
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(await rig.host.delivered(2).last?.row.success == true)
        }
    }

    @Test("retrying a book that no provider has sends no request while the cached \"not found\" is fresh")
    func retryOfUnknown() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("9780000000002")]))
            #expect(await rig.host.delivered(1).first?.outcome.errorCode == .notFound)
            let asked = rig.providers.log.count
            rig.host.hand(try items([.isbn("9780000000002")], as: .backgroundRetry))
            #expect(await rig.host.delivered(2).last?.outcome.errorCode == .notFound)
            #expect(rig.providers.log.count == asked)
        }
    }

    @Test("a damaged cache is moved aside, and the worker continues")
    func damaged() async throws {
        let directory = try WorkerRig.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try Data(repeating: 0x5A, count: 8192).write(to: URL(filePath: directory + "/cache.sqlite"))
        var options = WorkerRig.Options()
        options.directory = directory
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(await rig.host.delivered(1).first?.row.success == true)
        }
        #expect(FileManager.default.fileExists(atPath: directory + "/cache.sqlite.unreadable"))
    }
}
