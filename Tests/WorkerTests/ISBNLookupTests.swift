import BookstrackContract
import SuiteMethods
import Testing
@testable import EnrichmentWorker

@Suite("Lookups by ISBN", .timeLimit(.minutes(2)))
struct ISBNLookupTests {
    @Test("a batch of ISBNs is found with editions and work facts, in few requests")
    func batch() async throws {
        var options = WorkerRig.Options()
        options.policy.gathering = .seconds(5)
        try await WorkerRig.run(options) { rig in
            let isbns = EmulatedProviders.isbns(0..<25)
            rig.host.hand(try items(isbns.map(BookQuery.isbn)))
            let found = await rig.host.delivered(25)
            #expect(Set(found.map(\.outcome.key.index)) == Set(0..<25))
            for delivery in found {
                let book = try #require(delivery.row.enriched)
                #expect(delivery.row.success)
                #expect(delivery.row.matchedBy == .isbn)
                #expect(delivery.row.isbn == isbns[delivery.outcome.key.index])
                #expect(book.edition?.isbns.contains(delivery.row.isbn ?? "") == true)
                #expect(book.work.firstPublicationYear == 1900 + delivery.outcome.key.index)
                #expect(delivery.outcome.errorCode == nil)
                #expect(delivery.outcome.title == book.work.title)
            }
            let log = rig.providers.log
            #expect(log.flatMap(\.isbns).count == 50)
            #expect(log.count < 10)
            #expect(log.allSatisfy { $0.provider == "openlibrary" })
        }
    }

    @Test("Google Books is queried only for books that Open Library does not have")
    func gap() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("9780307887436"), .isbn("9780441172719")]))
            let found = await rig.host.delivered(2)
            let gap = try #require(found.first { $0.outcome.key.index == 0 }?.row.enriched)
            #expect(gap.work.title == "Ready Player One")
            #expect(gap.work.primaryProvider == .googleBooks)
            #expect(rig.providers.log.filter { $0.provider == "googlebooks" }.map(\.isbns) == [["9780307887436"]])
        }
    }

    @Test("an ISBN that no provider has is reported as not found and not retryable")
    func notFound() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("9780140449136")]))
            let row = try await rig.onlyRow()
            #expect(row.errorCode == .notFound)
            #expect(row.retryable == false)
            #expect(row.error == "Not found by openlibrary, google-books")
        }
    }

    @Test("a different book that a provider returns for the requested ISBN is rejected")
    func wrongBook() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"isbn":"9780441172719","kind":"wrongBook"}]"#)
            rig.host.hand(try items([.isbn("9780441172719")]))
            let row = try await rig.onlyRow()
            #expect(row.errorCode == .notFound)
            #expect(row.enriched == nil)
        }
    }

    @Test("an ISBN that lost its leading zero is repaired and found, and one in scientific notation is rejected")
    func repair() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("441172717"), .isbn("9.78031E+12")]))
            let rows = await rig.host.delivered(2).map(\.row)
            let repaired = try #require(rows.first { $0.success })
            #expect(repaired.isbnRepair == "One lost leading zero was restored.")
            #expect(repaired.enriched?.work.title == "Dune")
            let refused = try #require(rows.first { !$0.success })
            #expect(refused.errorCode == .invalidISBN)
            #expect(refused.error?.contains("scientific notation") == true)
        }
    }

    @Test("an ISBN next to words or another number is found, and the row reports which number was used")
    func isbnCells() async throws {
        try await WorkerRig.run { rig in
            rig.host.hand(try items([.isbn("0441172717 (pbk.)"), .isbn("9780441172719; 0441172717")]))
            for delivery in await rig.host.delivered(2) {
                #expect(delivery.row.enriched?.work.title == "Dune")
                #expect(delivery.row.isbnRepair?.hasPrefix("The first valid number was used") == true)
            }
        }
    }
}
