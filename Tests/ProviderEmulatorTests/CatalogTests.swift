import BookIdentifiers
import Foundation
import Testing
@testable import ProviderEmulator

@Suite("Catalogs")
struct CatalogTests {
    @Test("every row of the sample is a book with a unique ISBN")
    func sampleISBNs() {
        #expect(SampleCatalog.books.count > 180)
        #expect(Set(SampleCatalog.books.map(\.isbn)).count == SampleCatalog.books.count)
    }

    @Test("the sample has books known to all catalog providers, to only one of them, and to none")
    func sampleSpread() {
        let known = Dictionary(grouping: SampleCatalog.books, by: \.knownTo).mapValues(\.count)
        #expect(known[Provider.catalogs, default: 0] > 80)
        #expect(known[[.openLibrary], default: 0] > 5)
        #expect(known[[.googleBooks], default: 0] > 5)
        #expect(known[[], default: 0] == 3)
    }

    @Test("a synthetic ISBN is derived from its index by the documented rule")
    func syntheticRule() {
        let first = (0..<4).compactMap { SyntheticCatalog.isbn($0)?.isbn13 }
        #expect(first == ["9798400000003", "9780990000006", "9798400000010", "9780990000013"])
    }

    @Test("ten thousand synthetic books have valid ISBNs and unique keys")
    func syntheticUniqueness() {
        let books = (0..<10_000).compactMap { SyntheticCatalog.book($0) }
        #expect(books.count == 10_000)
        #expect(Set(books.map(\.isbn)).count == 10_000)
        #expect(Set(books.map(\.editionKey)).count == 10_000)
        #expect(Set(books.map(\.workKey)).count == 10_000)
        #expect(Set(books.map(\.volumeID)).count == 10_000)
    }

    @Test("if providers know only a fraction of the books, each provider has different gaps")
    func knownFraction() {
        let books = (0..<2_000).compactMap { SyntheticCatalog.book($0, knownFraction: 0.5) }
        let openLibrary = books.count { $0.knownTo.contains(.openLibrary) }
        let both = books.count { $0.knownTo.isSuperset(of: [.openLibrary, .googleBooks]) }
        #expect((800...1_200).contains(openLibrary))
        #expect((350...650).contains(both))
    }

    @Test("if two sources have the same ISBN, the first one is used")
    func firstSourceWins() throws {
        let isbn = try #require(ISBN("9780441172719"))
        var stock = Stock()
        stock.add(CatalogBook(isbn: isbn, title: "First", authors: []))
        stock.add(CatalogBook(isbn: isbn, title: "Second", authors: []))
        #expect(stock.editions.count == 1)
        #expect(stock.volumes.map(\.title) == ["First"])
    }
}

@Suite("Sample files in deploy")
struct SampleFileTests {
    private func text(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        return try String(contentsOf: root.appending(path: "deploy/sample/\(name)"), encoding: .utf8)
    }

    @Test("the sample list contains known books, unknown books and damaged lines")
    func list() throws {
        let lines = try text("isbns.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        let known = Set(SampleCatalog.books.filter { !$0.knownTo.isEmpty }.map(\.isbn))
        let numbers = lines.compactMap { try? ISBN.parse($0).isbn }
        #expect(numbers.count { known.contains($0) } >= 60)
        #expect(numbers.count { !known.contains($0) } == 4)
        #expect(lines.count - numbers.count == 4)
    }

    @Test("the sample table contains rows with no ISBN and rows with damaged ISBNs")
    func table() throws {
        let rows = CSVTable.rows(try text("books.csv"))
        #expect(rows.first == ["title", "author", "isbn"])
        #expect(rows.allSatisfy { $0.count == 3 })
        let numbers = rows.dropFirst().map { $0[2] }
        #expect(numbers.count { $0.isEmpty } >= 8)
        #expect(numbers.contains { $0.contains("E+12") })
        #expect(numbers.contains { (try? ISBN.parse($0))?.repair != nil })
    }
}
