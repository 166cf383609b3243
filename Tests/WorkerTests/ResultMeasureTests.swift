import BookMetadata
import BookstrackContract
import SuiteMethods
import Testing
@testable import EnrichmentWorker

@Suite("What a lookup contributes to analytics", .timeLimit(.minutes(2)))
struct ResultMeasureTests {
    @Test(
        "each outcome records what was found, and which providers were queried, which responded, and which supplied each field"
    )
    func measures() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("9780307887436"), .isbn("9780140449136")]))
            let delivered = await rig.host.delivered(2)
            let found = try #require(delivered.first { $0.outcome.key.index == 0 }?.outcome.measure)
            #expect(found.isByISBN)
            #expect(found.isFound)
            #expect(found.authors == 1)
            #expect(found.quality > 50)
            #expect(found[.openLibrary] == ProviderShare(isAsked: true, isAnswered: true))
            #expect(found[.googleBooks].isAnswered)
            #expect(found[.googleBooks].fields.fields.contains(.title))
            #expect(found[.isbndb] == ProviderShare())
            let missing = try #require(delivered.first { $0.outcome.key.index == 1 }?.outcome.measure)
            #expect(missing.isByISBN)
            #expect(!missing.isFound)
            #expect(missing[.googleBooks] == ProviderShare(isAsked: true, isAnswered: true))
        }
    }

    @Test(
        "a provider that supplied a field counts as queried and as responding, even if the last lookup did not query it"
    )
    func measuresFollowUp() throws {
        var author = AuthorDTO(name: "Jane Austen")
        author.gender = .female
        let book = EnrichedMetadata(work: WorkDTO(title: "Emma"), edition: nil, authors: [author])
        let query = BookQuery(title: "Emma")
        let row = ResultRow(query, LookupSubject(query), .found(MergedBook(book), by: .title, isComplete: true))
        let measure = row.measure(LookupSources())
        #expect(measure[.wikidata].isAsked)
        #expect(measure[.wikidata].isAnswered)
        #expect(measure[.openLibrary] == ProviderShare())
    }

    @Test("a provider that fails counts as queried but not as responding")
    func unanswered() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"provider":"openlibrary","kind":"status","code":400}]"#)
            rig.host.hand(try items([.isbn("9780307887436")]))
            let measure = try #require(try await rig.onlyDelivery().outcome.measure)
            #expect(measure[.openLibrary] == ProviderShare(isAsked: true))
            #expect(measure.isFound)
        }
    }
}
