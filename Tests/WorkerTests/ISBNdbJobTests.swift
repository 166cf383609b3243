import BookstrackContract
import SuiteMethods
import Testing

@testable import EnrichmentWorker

@Suite("ISBNdb in jobs", .timeLimit(.minutes(1)))
struct ISBNdbJobTests {
    /// Fault rules that make every book unknown to Open Library and Google Books.
    private static let unknown =
        #"{"provider":"openlibrary","kind":"missing"},{"provider":"googlebooks","kind":"missing"}"#

    /// Fault rules that make all requests to Open Library and Google Books fail.
    private static let refused =
        #"{"provider":"openlibrary","kind":"status","code":400},{"provider":"googlebooks","kind":"status","code":400}"#

    private func bulkCalls(_ rig: WorkerRig) -> [LoggedRequest] {
        rig.providers.log.filter { $0.provider == "isbndb" && $0.path == "/books" }
    }

    @Test("40 ISBNs that only ISBNdb has are found in at most three requests")
    func bulk() async throws {
        var options = WorkerRig.Options(hasISBNdb: true, isbndbRate: 1)
        options.policy.gathering = .seconds(1)
        try await WorkerRig.run(options) { rig in
            rig.providers.setFaults("[\(Self.unknown)]")
            let isbns = EmulatedProviders.isbns(0..<40)
            rig.host.hand(try items(isbns.map(BookQuery.isbn)))
            let rows = await rig.host.delivered(40).map(\.row)
            let books = rows.compactMap(\.enriched)
            #expect(books.count == 40)
            #expect(books.allSatisfy { $0.work.primaryProvider == .isbndb })
            #expect(books.allSatisfy { $0.work.contributors == [.isbndb] })
            #expect(books.allSatisfy { $0.work.lastISBNDBSync != nil })
            #expect(books.allSatisfy { $0.work.isbndbQuality >= 50 })
            #expect(!bulkCalls(rig).isEmpty)
            let requests = rig.providers.log.filter { $0.provider == "isbndb" }
            #expect(requests.count <= 3)
            #expect(Set(requests.flatMap(\.isbns)).count == 40)
        }
    }

    @Test("a book is \"not found\" only if ISBNdb does not have it either", arguments: [WorkClass.bulk, .interactive])
    func missing(workClass: WorkClass) async throws {
        try await WorkerRig.run(.init(hasISBNdb: true)) { rig in
            rig.providers.setFaults(#"[\#(Self.unknown),{"provider":"isbndb","kind":"missing"}]"#)
            rig.host.hand(try items([.isbn("9780441172719")], as: workClass))
            let row = try await rig.onlyRow()
            #expect(row.errorCode == .notFound)
            #expect(row.error == "Not found by openlibrary, google-books, isbndb")
        }
    }

    @Test(
        "while ISBNdb fails, books that the other providers do not have are reported as failed, not as \"not found\"",
        arguments: [
            (#"{"provider":"isbndb","kind":"status","code":500}"#, ItemErrorCode.providerError),
            (#"{"provider":"isbndb","kind":"invalidKey"}"#, .providerError),
            (#"{"provider":"isbndb","kind":"quota","code":403}"#, .quotaExhausted),
        ])
    func failing(fault: String, code: ItemErrorCode) async throws {
        try await WorkerRig.run(.init(hasISBNdb: true)) { rig in
            rig.providers.setFaults("[\(Self.unknown),\(fault)]")
            let isbns = EmulatedProviders.isbns(0..<2)
            rig.host.hand(try items(isbns.map(BookQuery.isbn)))
            let deliveries = await rig.host.delivered(2)
            #expect(deliveries.allSatisfy { $0.outcome.errorCode == code })
            #expect(deliveries.allSatisfy { $0.row.retryable == true })
        }
    }

    @Test("ISBNdb fills the gaps in an Open Library record", arguments: [WorkClass.bulk, .interactive])
    func gaps(workClass: WorkClass) async throws {
        try await WorkerRig.run(.init(hasISBNdb: true)) { rig in
            rig.providers.setFaults(#"[{"provider":"googlebooks","kind":"missing"}]"#)
            rig.host.hand(try items([.isbn("9780441172719")], as: workClass))
            let book = try #require(try await rig.onlyRow().enriched)
            #expect(book.work.primaryProvider == .openLibrary)
            #expect(book.work.contributors?.contains(.isbndb) == true)
            #expect(book.work.lastISBNDBSync != nil)
        }
    }

    @Test("a single ISBN is requested at its own URL")
    func single() async throws {
        try await WorkerRig.run(.init(hasISBNdb: true)) { rig in
            rig.providers.setFaults("[\(Self.unknown)]")
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(try await rig.onlyRow().success)
            let paths = rig.providers.log.filter { $0.provider == "isbndb" }.map(\.path)
            #expect(paths == ["/book/9780441172719"])
        }
    }

    @Test(
        "a title is found at ISBNdb while the other providers fail, also with its series in brackets",
        arguments: ["Dune", "Dune (Dune Chronicles, #1)"])
    func title(title: String) async throws {
        try await WorkerRig.run(.init(hasISBNdb: true)) { rig in
            rig.providers.setFaults("[\(Self.refused)]")
            rig.host.hand(try items([BookQuery(title: title, author: "Frank Herbert")]))
            #expect(try await rig.onlyRow().enriched?.work.primaryProvider == .isbndb)
        }
    }

    @Test("ISBNdb is asked for a book of a large series with its subtitle if the first results are other books")
    func subtitle() async throws {
        var options = WorkerRig.Options(hasISBNdb: true)
        options.books = Series.books
        try await WorkerRig.run(options) { rig in
            rig.providers.setFaults("[\(Self.refused)]")
            rig.host.hand(try items([BookQuery(title: "Batman: Death of the Family", author: "Scott Snyder")]))
            let book = try await rig.onlyRow().enriched
            #expect(book?.work.primaryProvider == .isbndb)
            #expect(book?.work.reviewStatus == .verified)
            let asked = rig.providers.log.filter { $0.provider == "isbndb" }
            #expect(asked.map { $0.path.contains("Family") } == [false, true])
        }
    }

    @Test("if a title is not found, ISBNdb is listed among the providers that were queried")
    func missingTitle() async throws {
        try await WorkerRig.run(.init(hasISBNdb: true)) { rig in
            rig.host.hand(try items([BookQuery(title: "Qwfp Zxcvb", author: "Arst Neio")]))
            #expect(try await rig.onlyRow().error == "Not found by openlibrary, google-books, isbndb")
        }
    }

    @Test("without a key, ISBNdb is not queried, and a book can be \"not found\" without its response")
    func withoutKey() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults("[\(Self.unknown)]")
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(try await rig.onlyRow().error == "Not found by openlibrary, google-books")
            #expect(rig.providers.log.allSatisfy { $0.provider != "isbndb" })
        }
    }
}
