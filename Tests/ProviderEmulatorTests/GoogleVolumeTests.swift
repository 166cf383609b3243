import BookIdentifiers
import Testing

@testable import ProviderEmulator

/// Google's volume and ISBNdb's record for one book, written out as text.
@Suite("Google volumes and ISBNdb records")
struct GoogleVolumeTests {
    private func info(_ book: CatalogBook) -> JSONValue? { book.volumeDocument["volumeInfo"] }

    @Test("a volume has numeric dates, HTML in its description and one string of categories")
    func volume() throws {
        #expect(
            info(try .example())?.json
                == #"{"title":"Dune","subtitle":"A Novel","authors":["Frank Herbert"],"publisher":"Ace Books","#
                + #""publishedDate":"1990-09-01","description":"<p>Sand.</p>","industryIdentifiers":["#
                + #"{"type":"ISBN_10","identifier":"0441172717"},{"type":"ISBN_13","identifier":"9780441172719"}],"#
                + #""readingModes":{"text":false,"image":false},"pageCount":535,"printType":"BOOK","#
                + #""categories":["Science Fiction / Desert life"],"maturityRating":"NOT_MATURE","#
                + #""allowAnonLogging":false,"contentVersion":"preview-1.0.0","imageLinks":{"smallThumbnail":"#
                + #""http://books.google.com/books/content?id=By1T1-W7AAAJ&printsec=frontcover&img=1&zoom=5&edge=curl&source=gbs_api","#
                + #""thumbnail":"http://books.google.com/books/content?id=By1T1-W7AAAJ&printsec=frontcover&img=1&zoom=1&edge=curl&source=gbs_api"},"#
                + #""language":"en","infoLink":"http://books.google.com/books?id=By1T1-W7AAAJ&source=gbs_api","#
                + #""canonicalVolumeLink":"https://books.google.com/books/about/?id=By1T1-W7AAAJ"}"#)
    }

    @Test("a volume contains its own URL and its kind")
    func volumeHead() throws {
        let volume = try CatalogBook.example().volumeDocument
        #expect(volume["kind"] == "books#volume")
        #expect(volume["id"] == "By1T1-W7AAAJ")
        #expect(volume["selfLink"] == "https://www.googleapis.com/books/v1/volumes/By1T1-W7AAAJ")
    }

    @Test("a volume with no subtitle has the series as its subtitle")
    func series() throws {
        #expect(info(try .example(subtitle: nil))?["subtitle"] == "Dune #1")
        #expect(info(try .example(subtitle: nil, series: nil))?["subtitle"] == nil)
    }

    @Test(
        "an e-book is marked as an e-book in its sale information",
        arguments: [(CatalogBook.Format.ebook, true), (.paperback, false)])
    func ebook(format: CatalogBook.Format, isEbook: Bool) throws {
        #expect(try CatalogBook.example(format: format).volumeDocument["saleInfo"]?["isEbook"] == .bool(isEbook))
    }

    @Test("an ISBN that starts with 979 has no ISBN-10")
    func longOnly() throws {
        #expect(
            info(try .bare())?["industryIdentifiers"]?.json == #"[{"type":"ISBN_13","identifier":"9798400000003"}]"#)
        #expect(try CatalogBook.bare().isbndbDocument["isbn10"] == nil)
        #expect(try CatalogBook.bare().isbndbDocument["isbn"] == "9798400000003")
    }

    @Test(
        "an unknown fact is left out of a volume",
        arguments: [
            "subtitle", "authors", "publisher", "publishedDate", "description", "pageCount", "categories", "imageLinks",
            "language",
        ])
    func absent(member: String) throws {
        #expect(info(try .bare())?[member] == nil)
    }

    @Test(
        "a volume's language is one of Google's language codes",
        arguments: [
            (CatalogLanguage.chinese, "zh-CN"), (.hebrew, "iw"), (.portuguese, "pt-BR"), (.german, "de"),
            (.japanese, "ja"),
        ])
    func languages(language: CatalogLanguage, code: String) throws {
        #expect(info(try .example(language: language))?["language"]?.text == code)
    }

    /// The upper half of the book's hash, which was computed with another implementation, determines the record's variant.
    @Test("an ISBNdb record has a long title, HTML line breaks and a three-letter language code")
    func isbndb() throws {
        #expect(
            try CatalogBook.example().isbndbDocument.json
                == #"{"publisher":"Ace Books","synopsis":"Sand.<br/><br/>Part of Dune #1.","language":"eng","#
                + #""image":"https://images.isbndb.com/covers/27/19/9780441172719.jpg","title_long":"Dune: A Novel","#
                + #""pages":535,"date_published":"1990-09-01","subjects":["Science Fiction","Desert life"],"#
                + #""authors":["Frank Herbert"],"title":"Dune","isbn13":"9780441172719","msrp":"0.00","#
                + #""binding":"Mass Market Paperback","isbn":"0441172717","isbn10":"0441172717"}"#)
    }

    @Test(
        "an ISBNdb record's binding is one of ISBNdb's names",
        arguments: [
            (CatalogBook.Format.ebook, "Kindle Edition"), (.audiobook, "Audio CD"), (.paperback, "Paperback"),
            (.hardcover, "Hardcover"),
        ])
    func bindings(format: CatalogBook.Format, binding: String) throws {
        #expect(try CatalogBook.example(format: format).isbndbDocument["binding"]?.text == binding)
    }

    @Test(
        "an unknown fact is left out of an ISBNdb record",
        arguments: [
            "publisher", "synopsis", "language", "image", "pages", "date_published", "subjects", "authors", "binding",
        ])
    func absentAtISBNdb(member: String) throws {
        #expect(try CatalogBook.bare().isbndbDocument[member] == nil)
    }

    @Test(
        "a recorded ISBNdb book has each of its ISBNs once, and a book with no title or no valid ISBN is left out",
        arguments: [
            (#"{"title":"T","isbn13":"9780441172719","isbn":"0441172717"}"#, ["9780441172719"]),
            (#"{"title":"T","isbn10":"0441172717"}"#, ["9780441172719"]), (#"{"title":"T"}"#, nil),
            (#"{"isbn13":"9780441172719"}"#, nil), (#"{"title":"T","isbn13":"nonsense"}"#, nil),
        ])
    func recorded(text: String, isbns: [String]?) throws {
        let record = ISBNdbRecord(recorded: try JSONValue(parsing: Array(text.utf8)))
        #expect(record?.isbns.map(\.isbn13) == isbns)
    }
}
