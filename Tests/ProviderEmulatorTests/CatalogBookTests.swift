import BookIdentifiers
import Testing

@testable import ProviderEmulator

@Suite("Catalog books")
struct CatalogBookTests {
    @Test(
        "the hash is FNV-1a, so identifiers are the same in every process",
        arguments: [
            ("", 14_695_981_039_346_656_037 as UInt64), ("a", 12_638_187_200_555_641_996),
            ("foobar", 9_625_390_261_332_436_968),
        ])
    func hash(text: String, value: UInt64) {
        #expect(StableHash.of(text) == value)
    }

    @Test("a book's identifiers are derived from its facts")
    func identifiers() throws {
        let book = try CatalogBook.example()
        #expect(book.editionKey == "/books/OL979640124265M")
        #expect(book.workKey == "/works/OL974020521219W")
        #expect(book.coverID == 13_473_958)
        #expect(book.volumeID == "By1T1-W7AAAJ")
        #expect(CatalogBook.authorKey("Frank Herbert") == "/authors/OL90656767A")
    }

    @Test("a provider lacks the facts withheld from it, and the other providers have them")
    func withheld() throws {
        let book = try CatalogBook.example(
            withheld: [.openLibrary: [.pages, .publisher, .about, .cover, .dayOfPublication], .googleBooks: [.cover]])
        let openLibrary = book.known(to: .openLibrary)
        #expect(openLibrary.pages == nil)
        #expect(openLibrary.publisher == nil)
        #expect(openLibrary.about == nil)
        #expect(!openLibrary.hasCover)
        #expect(openLibrary.published == "1990")
        let google = book.known(to: .googleBooks)
        #expect(google.pages == 535)
        #expect(google.published == "1990-09-01")
        #expect(!google.hasCover)
        #expect(book.known(to: .isbndb).hasCover)
    }

    @Test("a book that a provider does not know is not in that provider's stock")
    func knownTo() throws {
        let isbn = try #require(ISBN("9780441172719"))
        var stock = Stock()
        stock.add(CatalogBook(isbn: isbn, title: "Only here", authors: [], knownTo: [.isbndb]))
        #expect(stock.editions.isEmpty)
        #expect(stock.volumes.isEmpty)
        #expect(stock.isbndbBooks.map(\.title) == ["Only here"])
        #expect(stock.isbns == [isbn])
    }

    @Test("a book that no provider knows is only in the list of ISBNs")
    func unknownBook() throws {
        let isbn = try #require(ISBN("9780441172719"))
        var stock = Stock()
        stock.add(CatalogBook(isbn: isbn, title: "Nowhere", authors: [], knownTo: []))
        #expect(stock.isbns == [isbn])
        #expect(stock.isbndbBooks.isEmpty)
        #expect(stock.works.isEmpty)
    }

    @Test("a work combines the languages, publishers and other titles of its editions")
    func gathered() throws {
        var stock = Stock()
        for (number, title, language, publisher, pages) in [
            ("9780441172719", "Dune", CatalogLanguage.english, "Ace", 535),
            ("9783453317178", "Der Wüstenplanet", .german, "Heyne", 720),
            ("9780340960196", "Dune", .english, "Hodder", 592),
        ] {
            stock.add(
                CatalogBook(
                    isbn: try #require(ISBN(number)), title: title, authors: ["Frank Herbert"], publisher: publisher,
                    pages: pages, language: language, work: "Dune"))
        }
        let work = try #require(stock.works.first)
        #expect(stock.works.count == 1)
        #expect(work.isbns.map(\.isbn13) == ["9780441172719", "9783453317178", "9780340960196"])
        #expect(work.otherTitles == ["Der Wüstenplanet"])
        #expect(work.languages == ["eng", "ger"])
        #expect(work.publishers == ["Ace", "Heyne", "Hodder"])
        #expect(work.searchDocument["edition_count"] == 3)
        #expect(work.searchDocument["number_of_pages_median"] == 592)
    }

    @Test(
        "each provider knows the given fraction of a large catalog",
        arguments: [(0.0, 0...0), (1.0, 1000...1000), (0.3, 250...350)])
    func share(fraction: Double, expected: ClosedRange<Int>) {
        let books = (0..<1000).compactMap { SyntheticCatalog.book($0, knownFraction: fraction) }
        for provider in Provider.catalogs {
            #expect(expected.contains(books.count { $0.knownTo.contains(provider) }))
        }
    }

    @Test(
        "a synthetic book's facts are derived from its index",
        arguments: [
            (0, "Amber Archive 1", "Ada Abel", 1900, 96), (57, "Jade Door 58", "Ada Brandt", 1957, 153),
            (1000, "Inner Orchard 1001", "Greta Brandt", 1940, 396),
        ])
    func madeUp(index: Int, title: String, author: String, year: Int, pages: Int) throws {
        let book = try #require(SyntheticCatalog.book(index))
        #expect(book.title == title)
        #expect(book.authors == [author])
        #expect(book.firstPublished == year)
        #expect(book.pages == pages)
    }

    @Test("every author of a synthetic book has a Wikidata item")
    func people() {
        let names = Set(SyntheticCatalog.people.map(\.name))
        #expect(SyntheticCatalog.people.count == 64)
        for index in 0..<500 {
            let authors = SyntheticCatalog.book(index)?.authors ?? []
            #expect(names.isSuperset(of: authors))
        }
    }

    @Test(
        "the wrong book is the next in the catalog or, for an unknown ISBN, always the same; nil if there is no other")
    func wrongIndex() throws {
        let isbn = try #require(ISBN("9780441172719"))
        #expect(ProviderEmulator.wrongIndex(for: isbn, known: 3, count: 10) == 4)
        #expect(ProviderEmulator.wrongIndex(for: isbn, known: 9, count: 10) == 0)
        #expect(ProviderEmulator.wrongIndex(for: isbn, known: 0, count: 1) == nil)
        #expect(ProviderEmulator.wrongIndex(for: isbn, known: nil, count: 0) == nil)
        let unknown = ProviderEmulator.wrongIndex(for: isbn, known: nil, count: 10)
        #expect(unknown == ProviderEmulator.wrongIndex(for: isbn, known: nil, count: 10))
        #expect(unknown != nil)
    }
}
