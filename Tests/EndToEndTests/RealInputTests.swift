import BookIdentifiers
import BookstrackContract
import Foundation
import SuiteFixture
import TestSupport
import Testing
import WireClient

@Suite("Real input", .serialized, .enabled(if: TestData.isExpected, "\(TestData.absence)"))
struct RealInputTests {
    private static let settings = ["BOOKSTRACK_MAX_BATCH_BOOKS": "10000"]

    @Test("a job with the ISBNs of 5 000 real books accepts or repairs each ISBN, or rejects it with a reason")
    func goodbooks() async throws {
        let list = TestData.root.appending(path: "goodbooks10k/books_odd_rows.csv")
        let rows = try String(contentsOf: list, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst()
        let asked = rows.map { String($0.split(separator: ",", omittingEmptySubsequences: false)[5]) }
        let options = SuiteFixture.Suite.Options(
            settings: Self.settings, emulatorArguments: ["--goodbooks", list.path])
        try await SuiteFixture.Suite.run(options) { suite in
            let books = try await Self.enrich(asked.filter { !$0.isEmpty }.map { BookQuery(isbn: $0) }, suite)
            Self.checkGoodbooks(books)
            Self.expectAskedEditions(books)
        }
    }

    @Test(
        "most ISBNs from recorded provider responses are found, with the requested edition, a title and no placeholder author"
    )
    func recorded() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: Self.settings, emulatorArguments: ["--recorded", TestData.root.path])
        try await SuiteFixture.Suite.run(options) { suite in
            let lines = try TestData.lines("ol_dump/editions_head_1.txt")
            let isbns = lines.flatMap(Self.isbns).prefix(400)
            let google = try Self.googleISBNs()
            let books = try await Self.enrich((isbns + google).map { BookQuery(isbn: $0) }, suite)
            print("recorded responses: \(books.count) ISBNs requested, \(books.count { $0.success }) found")
            #expect(books.count { $0.success } > books.count / 2)
            Self.expectAskedEditions(books)
            for book in books where book.success {
                let found = try #require(book.enriched)
                #expect(!found.work.title.isEmpty)
                #expect(found.authors.allSatisfy { !["Unknown", "Various", ""].contains($0.name) })
            }
        }
    }

    /// Prints how many ISBNs were repaired, rejected (with reasons) and found. Checks that more than 3 000 were repaired
    /// and that no failure lacks a code.
    private static func checkGoodbooks(_ books: [EnrichedBook]) {
        let repaired = books.count { $0.isbnRepair != nil }
        var reasons: [String: Int] = [:]
        for book in books where book.errorCode == .invalidISBN { reasons[book.error ?? "", default: 0] += 1 }
        print("goodbooks10k: \(books.count) ISBNs, \(repaired) repaired, \(books.count { $0.success }) found")
        for (reason, count) in reasons.sorted(by: { $0.value > $1.value }) { print("  rejected: \(count) x \(reason)") }
        #expect(repaired > 3_000)
        let unexplained = books.filter { !$0.success && $0.errorCode == nil }
        #expect(unexplained.isEmpty)
    }

    /// Checks that each edition found has the requested ISBN (metadata.md "Lookup").
    private static func expectAskedEditions(_ books: [EnrichedBook]) {
        for book in books where book.success && book.matchedBy == .isbn {
            guard let asked = book.isbn, let isbn = try? ISBN.parse(asked).isbn else { continue }
            #expect(book.enriched?.edition?.isbns.contains(isbn.isbn13) == true, "\(asked)")
        }
    }

    private static func enrich(_ queries: [BookQuery], _ suite: SuiteFixture.Suite) async throws -> [EnrichedBook] {
        let job = try await suite.api.start(EnrichmentBatchRequest(books: queries))
        var watcher = Watcher(suite, job)
        try await watcher.watch(within: .seconds(240))
        let results = try await suite.api.results(of: job.jobId)
        #expect(results.enrichedBooks.map(\.isbn) == queries.map(\.isbn))
        return results.enrichedBooks
    }

    private static func isbns(inDumpLine line: String) -> [String] {
        struct Edition: Decodable {
            var isbn_13: [String]?
            var isbn_10: [String]?
        }
        guard let json = line.split(separator: "\t").last,
            let edition = try? JSONDecoder().decode(Edition.self, from: Data(json.utf8))
        else { return [] }
        return (edition.isbn_13 ?? edition.isbn_10 ?? []).filter { $0.utf8.count <= 32 }.prefix(1).map { $0 }
    }

    private static func googleISBNs() throws -> [String] {
        struct Volumes: Decodable {
            struct Item: Decodable {
                struct Info: Decodable {
                    struct Identifier: Decodable {
                        var type: String
                        var identifier: String
                    }
                    var industryIdentifiers: [Identifier]?
                }
                var volumeInfo: Info
            }
            var items: [Item]?
        }
        let folder = TestData.root.appending(path: "api_responses/google_books")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().flatMap { name -> [String] in
            let bytes = try Data(contentsOf: folder.appending(path: name))
            let items = (try? JSONDecoder().decode(Volumes.self, from: bytes))?.items ?? []
            return items.compactMap { item in
                item.volumeInfo.industryIdentifiers?.first { $0.type == "ISBN_13" }?.identifier
            }
        }
    }
}
