import BookstrackContract
import SuiteMethods
import Testing
@testable import EnrichmentWorker
@testable import ProviderEmulator

@Suite("Lookups by work identifier", .timeLimit(.minutes(2)))
struct WorkLookupTests {
    @Test("a work identifier may be an ISBN, an Open Library work ID or a title")
    func workIds() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("9780441172719")]))
            let row = try await rig.onlyRow()
            let dune = try #require(row.enriched?.work.openLibraryWorkID)
            rig.host.hand(
                try items(
                    [BookQuery(workId: "9780441172719"), BookQuery(workId: dune), BookQuery(workId: "Dune")],
                    of: "job-two-2"))
            let rows = await rig.host.delivered(4).dropFirst().sorted { $0.outcome.key.index < $1.outcome.key.index }
            #expect(rows.map(\.row.matchedBy) == [.isbn, .workId, .title])
            #expect(rows.allSatisfy { $0.row.enriched?.work.openLibraryWorkID == dune })
            #expect(rows.allSatisfy { $0.row.enriched?.authors.map(\.name) == ["Frank Herbert"] })
        }
    }

    @Test("works that are looked up by identifier are returned with their authors, which are requested together")
    func authorsOfWorks() async throws {
        var options = WorkerRig.Options()
        options.policy.gathering = .seconds(2)
        try await WorkerRig.run(options) { rig in
            let keys = SampleCatalog.books.filter { $0.title.count > 14 && $0.knownTo.contains(.openLibrary) }
                .prefix(20).map { String($0.workKey.dropFirst("/works/".count)) }
            rig.host.hand(try items(keys.map { BookQuery(workId: $0) }))
            let rows = await rig.host.delivered(keys.count).map(\.row)
            #expect(rows.allSatisfy { $0.success })
            #expect(rows.allSatisfy { $0.enriched?.authors.isEmpty == false })
            let searches = rig.providers.log.filter { $0.path.hasPrefix("/search.json") }
            #expect(searches.count < keys.count / 2)
        }
    }

    @Test("a merged work is followed to the current one, and a deleted work or a cycle is not found")
    func retiredWorks() async throws {
        try await WorkerRig.run { rig in
            let keys = ["OL900001W", "OL900002W", "OL900003W", "OL900004W"]
            rig.host.hand(try items(keys.map { BookQuery(workId: $0) }))
            let rows = await rig.host.delivered(4).sorted { $0.outcome.key.index < $1.outcome.key.index }.map(\.row)
            for row in rows.prefix(2) {
                #expect(row.matchedBy == .workId)
                #expect(row.enriched?.work.title == "Dune")
                #expect(row.enriched?.authors.map(\.name) == ["Frank Herbert"])
            }
            for row in rows.suffix(2) {
                #expect(row.errorCode == .notFound)
                #expect(row.retryable == false)
            }
        }
    }
}
