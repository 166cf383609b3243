import BookIdentifiers
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import ProviderEmulator

@Suite("Recorded responses", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct RecordedTests {
    private func stock() throws -> Stock {
        try CatalogSources(recorded: TestData.root).stock()
    }

    private func isbn(_ text: String) throws -> ISBN { try #require(ISBN(text)) }

    private func parsed(_ object: RenderedObject) throws -> JSONValue {
        try JSONValue(parsing: Array(object.text.whole.readableBytesView))
    }

    @Test("recorded editions, their works and recorded volumes can be looked up by ISBN")
    func lookups() throws {
        let stock = try stock()
        let openLibrary = OpenLibraryCatalog(stock)
        let googleBooks = GoogleBooksCatalog(stock)
        let fox = try #require(openLibrary.edition(try isbn("9780140328721")))
        #expect(try parsed(fox.details)["title"] == "Fantastic Mr. Fox")
        #expect(try parsed(fox.details)["number_of_pages"] == 96)
        let weapons = try #require(openLibrary.edition(try isbn("9780316030571")))
        let authors = try parsed(weapons.details)["authors"]
        #expect(authors == [["key": "/authors/OL6924809A", "name": "Iain M. Banks"]])
        #expect(!openLibrary.works(try isbn("9780425043769")).isEmpty)
        #expect(!googleBooks.volumes(try isbn("9784815602666")).isEmpty)
    }

    @Test("a recorded volume is served with its recorded members")
    func volume() throws {
        let bytes = try TestData.bytes("api_responses/google_books/gb_readcycle_isbn_8.json")
        let recorded = try JSONValue(parsing: [UInt8](bytes))
        let catalog = GoogleBooksCatalog(try stock())
        let index = try #require(catalog.volumes(try isbn("9781847676016")).first)
        #expect(try parsed(catalog.volumes[index]) == recorded["items"]?.elements.first)
    }

    @Test("the goodbooks list is read with the lost leading zeros of its ISBNs restored")
    func goodbooks() throws {
        let catalog = try GoodbooksCatalog(
            file: TestData.root.appending(path: "goodbooks10k/books_odd_rows.csv"), knownFraction: 1)
        #expect(catalog.books.count + catalog.refused == 5_000)
        #expect(catalog.books.count > 4_600)
        let first = try #require(catalog.books.first)
        #expect(first.isbn.isbn13 == "9780439023481")
        #expect(first.title == "The Hunger Games")
        #expect(first.firstPublished == 2008)
        #expect(first.language == .english)
    }
}
