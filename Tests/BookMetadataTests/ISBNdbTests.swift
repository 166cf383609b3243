import BookIdentifiers
import BookMetadata
import BookstrackContract
import Testing

@Suite("ISBNdb responses")
struct ISBNdbTests {
    private static let book = #"""
        {"book": {"title": "Dune", "title_long": "Dune: Deluxe Edition", "isbn": "0441172717", "isbn10": "0441172717", "isbn13": "9780441172719",
         "authors": ["Frank Herbert", "Brian Herbert ~autofilled~", "Unknown"], "publisher": "Ace", "date_published": "1990-09-01T00:00:01Z",
         "pages": 535, "language": "en_US", "binding": "Mass Market Paperback", "edition": "1", "dimensions": "Height: 7 Inches",
         "image": "Https://images.isbndb.com/covers/1.jpg", "synopsis": "Sand.<br/><br/>More &amp; more sand.", "subjects": ["Science Fiction & Fantasy"]}}
        """#

    @Test("the fields of a book are read and normalized")
    func book() throws {
        let edition = try #require(try ISBNdb.decodeBook(Self.book.utf8))
        #expect(edition.provider == .isbndb)
        #expect(edition.fullTitle == "Dune: Deluxe Edition")
        #expect(edition.authors.map(\.name) == ["Frank Herbert", "Brian Herbert"])
        #expect(edition.isbns.map(\.isbn13) == ["9780441172719"])
        #expect(edition.identifiers.isbndb == "9780441172719")
        #expect(edition.publisher == "Ace")
        #expect(edition.publicationDate == "1990-09-01")
        #expect(edition.pageCount == 535)
        #expect(edition.language == "en")
        #expect(edition.format == .massMarket)
        #expect(edition.editionTitle == nil)
        #expect(edition.cover?.url == "https://images.isbndb.com/covers/1.jpg")
        #expect(edition.description == "Sand.\n\nMore & more sand.")
    }

    @Test(
        "a binding becomes one of the five formats",
        arguments: [
            ("Hardcover", EditionFormat.hardcover), ("Paperback", .paperback), ("Mass Market Paperback", .massMarket),
            ("Kindle Edition", .ebook), ("Audio CD", .audiobook), ("Audible Audiobook", .audiobook),
            ("Library Binding", .hardcover), ("Board book", .hardcover), ("Perfect Paperback", .paperback),
        ])
    func binding(binding: String, format: EditionFormat) throws {
        let edition = try ISBNdb.decodeBook(#"{"book": {"title": "x", "binding": "\#(binding)"}}"#.utf8)
        #expect(edition?.format == format)
    }

    @Test("an invalid field counts as missing, but a year as a number and an author as plain text are accepted")
    func damaged() throws {
        let edition = try #require(
            try ISBNdb.decodeBook(
                #"{"book": {"title": "x", "pages": "many", "date_published": 2015, "authors": "Ann Author", "isbn13": "9780441172710", "image": "https://elsewhere.example/1.jpg", "edition": "Revised", "synopsis": null}}"#
                    .utf8))
        #expect(edition.pageCount == nil)
        #expect(edition.publicationDate == "2015")
        #expect(edition.isbns.isEmpty)
        #expect(edition.authors.map(\.name) == ["Ann Author"])
        #expect(edition.cover == nil)
        #expect(edition.editionTitle == "Revised")
    }

    @Test(
        "an image is a cover only if it is on ISBNdb's cover host",
        arguments: [
            ("https://images.isbndb.com/1.jpg", true), ("https://isbndb.com/1.jpg", false),
            ("Https://Images.ISBNdb.com/1.jpg", true), ("https://evil.example?.isbndb.com/x.jpg", false),
            ("https://evil.example#.isbndb.com/x.jpg", false), (#"https://evil.example\\.isbndb.com/x.jpg"#, false),
            ("https://images.isbndb.com@evil.example/x.jpg", false), ("https://notisbndb.com/x.jpg", false),
            ("https://evil.example:1.isbndb.com/x.jpg", false), ("https://.isbndb.com.evil.example/x.jpg", false),
        ])
    func coverHosts(image: String, isCover: Bool) throws {
        let edition = try #require(try ISBNdb.decodeBook(#"{"book": {"title": "x", "image": "\#(image)"}}"#.utf8))
        #expect((edition.cover != nil) == isCover)
    }

    @Test("a search response yields its total and its books")
    func books() throws {
        let page = try ISBNdb.decodeBooks(
            #"{"total": 240, "books": [{"title": "Dune"}, "x", {"title": "Dune Messiah"}]}"#.utf8)
        #expect(page.total == 240)
        #expect(page.editions.map(\.title) == ["Dune", "Dune Messiah"])
    }

    @Test("a missing book is not a failure, but an exhausted quota, a refusal and a malformed response are")
    func errors() throws {
        #expect(try ISBNdb.decodeBook(#"{"errorMessage": "Not Found"}"#.utf8) == nil)
        #expect(try ISBNdb.decodeBooks(#"{"errorType": "x", "errorMessage": "Not found"}"#.utf8) == .none)
        #expect(throws: ProviderBodyError.exhausted) {
            try ISBNdb.decodeBook(#"{"message": "Limit Exceeded"}"#.utf8)
        }
        #expect(throws: ProviderBodyError.refused(reason: "Forbidden")) {
            try ISBNdb.decodeBooks(#"{"message": "Forbidden"}"#.utf8)
        }
        for body in ["{}", "[]", "<html>", #"{"book": []}"#] {
            #expect(throws: ProviderBodyError.malformed) { try ISBNdb.decodeBook(body.utf8) }
            #expect(throws: ProviderBodyError.malformed) { try ISBNdb.decodeBooks(body.utf8) }
        }
    }
}
