import BookIdentifiers
import Foundation
import NIOCore
import Testing

@testable import ProviderEmulator

/// Recorded responses, written out here and read from a temporary folder.
@Suite("Recorded documents")
struct RecordedDocumentsTests {
    private static let edition =
        #"{"key":"/books/OL1M","type":{"key":"/type/edition"},"title":"Dune","isbn_13":["9780441172719"],"#
        + #""isbn_10":["0441172717"],"authors":[{"key":"/authors/OL1A"}],"works":[{"key":"/works/OL1W"}],"#
        + #""covers":[-1,77],"languages":[{"key":"/languages/eng"}],"publishers":["Ace"],"subjects":["Sand dunes"]}"#
    private static let work =
        #"{"key":"/works/OL1W","type":{"key":"/type/work"},"title":"Dune","subjects":["Sand"],"#
        + #""authors":[{"author":{"key":"/authors/OL1A"}}],"first_publish_date":"August 1965"}"#
    private static let author = #"{"key":"/authors/OL1A","type":{"key":"/type/author"},"name":"Frank Herbert"}"#
    private static let volume =
        #"{"kind":"books#volume","id":"abc","volumeInfo":{"title":"Dune","authors":["Frank Herbert"],"#
        + #""publishedDate":"1990","industryIdentifiers":[{"type":"ISBN_13","identifier":"9780441172719"}]}}"#

    private func collected(_ texts: String...) throws -> RecordedDocuments {
        var documents = RecordedDocuments()
        for text in texts { documents.collect(try JSONValue(parsing: Array(text.utf8))) }
        return documents
    }

    private func stock(_ texts: String...) throws -> Stock {
        var documents = RecordedDocuments()
        for text in texts { documents.collect(try JSONValue(parsing: Array(text.utf8))) }
        var stock = Stock()
        stock.add(documents)
        return stock
    }

    @Test("a document's kind is recognized by its own members")
    func kinds() throws {
        let documents = try collected(
            Self.edition, Self.work, Self.author, Self.volume,
            #"{"key":"/works/OL2W","title":"T","author_name":["A"]}"#,
            #"{"isbn13":"9780441172719","title_long":"Dune","title":"Dune"}"#,
            #"{"ISBN:9780441172719":{"key":"/books/OL9M","title":"Dune"}}"#, #"{"unrelated":true}"#, "[]", "3")
        #expect(documents.editions.count == 1)
        #expect(documents.works.count == 1)
        #expect(documents.authors.count == 1)
        #expect(documents.volumes.count == 1)
        #expect(documents.searchDocuments.count == 1)
        #expect(documents.isbndbBooks.count == 1)
        #expect(documents.data.map(\.bibKey) == ["ISBN:9780441172719"])
    }

    @Test(
        "documents are found at any depth of a response",
        arguments: [
            #"{"items":[\#(volume)]}"#, "[[[\(volume)]]]", #"{"a":{"b":{"c":\#(volume)}}}"#,
        ])
    func nested(text: String) throws {
        #expect(try collected(text).volumes.count == 1)
    }

    @Test("an edition is found by its ISBNs and takes its author's name from the author's record")
    func editionRecord() throws {
        let catalog = OpenLibraryCatalog(try stock(Self.author, Self.work, Self.edition))
        let isbn = try #require(ISBN("0441172717"))
        let edition = try #require(catalog.edition(isbn))
        #expect(edition.key == "/books/OL1M")
        #expect(edition.coverID == 77)
        let details = String(buffer: edition.details.text.whole)
        #expect(details.contains(#""authors":[{"key":"/authors/OL1A","name":"Frank Herbert"}]"#))
        let data = String(buffer: edition.data.text.whole)
        #expect(data.contains(#""url":"https://openlibrary.org/authors/OL1A","name":"Frank Herbert""#))
        #expect(data.contains(#"https://covers.openlibrary.org/b/id/77-M.jpg"#))
        #expect(data.contains(#""url":"https://openlibrary.org/subjects/sand_dunes""#))
    }

    @Test("a recorded document is served as it was recorded")
    func unchanged() throws {
        let stock = try stock(Self.author, Self.work, Self.edition, Self.volume)
        #expect(stock.editions.first?.document().json == Self.edition)
        #expect(stock.works.first?.document?().json == Self.work)
        #expect(stock.volumes.first?.document().json == Self.volume)
        #expect(stock.authors["/authors/OL1A"]?().json == Self.author)
    }

    @Test("a work combines the data of its record and its editions")
    func gathered() throws {
        let work = try #require(try stock(Self.author, Self.work, Self.edition).works.first)
        #expect(work.firstYear == 1965)
        #expect(work.authorNames == ["Frank Herbert"])
        #expect(work.isbns.map(\.isbn13) == ["9780441172719"])
        #expect(work.editionKeys == ["/books/OL1M"])
        #expect(work.subjects == ["Sand"])
        #expect(work.coverID == 77)
    }

    @Test("an edition whose work was not recorded still has a work that can be found")
    func withoutWork() throws {
        let work = try #require(try stock(Self.author, Self.edition).works.first)
        #expect(work.key == "/works/OL1W")
        #expect(work.title == "Dune")
        #expect(work.document == nil)
        #expect(work.searchDocument["author_name"] == ["Frank Herbert"])
    }

    @Test("a recorded book takes precedence over the catalog's book with the same ISBN")
    func recordedFirst() throws {
        var stock = try stock(Self.edition, Self.volume)
        stock.add(try CatalogBook.example())
        #expect(stock.editions.map(\.key) == ["/books/OL1M"])
        #expect(stock.volumes.map(\.id) == ["abc"])
    }

    @Test("the same document recorded twice counts once")
    func twice() throws {
        let stock = try stock(Self.edition, Self.edition, Self.volume, Self.volume)
        #expect(stock.editions.count == 1)
        #expect(stock.volumes.count == 1)
    }

    @Test("a response recorded with jscmd=data becomes an edition")
    func bookData() throws {
        let stock = try stock(
            #"{"ISBN:9780441172719":{"key":"/books/OL9M","title":"Dune","authors":[{"url":"https://openlibrary.org/authors/OL1A/Frank","name":"Frank Herbert"}],"identifiers":{"isbn_10":["0441172717"]},"number_of_pages":535}}"#
        )
        let edition = try #require(stock.editions.first)
        #expect(edition.key == "/books/OL9M")
        #expect(edition.isbns.map(\.isbn13) == ["9780441172719"])
        #expect(edition.document()["number_of_pages"] == 535)
        #expect(edition.data()["title"] == "Dune")
    }

    @Test("items and search results are collected from Wikidata's responses")
    func entities() throws {
        var recorded = RecordedEntities()
        for text in [
            #"{"entities":{"Q42":{"type":"item","id":"Q42"},"Q43":{"id":"Q43","missing":""}}}"#,
            #"{"search":[{"id":"Q1","label":"One"},{"id":"Q2"}]}"#, #"{"type":"item","id":"Q7"}"#, #"{"id":"Q8"}"#,
        ] {
            recorded.collect(try JSONValue(parsing: Array(text.utf8)))
        }
        #expect(recorded.entities.map { $0["id"] } == ["Q42", "Q7"])
        #expect(recorded.searchResults.map { $0["id"] } == ["Q1"])
    }
}
