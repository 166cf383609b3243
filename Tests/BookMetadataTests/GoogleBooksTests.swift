import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import Testing

@Suite("Google Books responses")
struct GoogleBooksTests {
    @Test("the fields of a volume are read and normalized")
    func volume() throws {
        let body = #"""
            {"kind": "books#volumes", "totalItems": 1, "items": [{"id": "abc", "volumeInfo": {"title": "Dune", "subtitle": "", "authors": ["Frank Herbert"],
              "publisher": "Ace", "publishedDate": "2005-08-02T00:00:00Z", "description": "A <i>classic</i>", "pageCount": 0,
              "industryIdentifiers": [{"type": "OTHER", "identifier": "9780141439587"}, {"type": "ISBN_10", "identifier": "0441172717"}],
              "categories": ["Fiction"], "language": "pt-BR",
              "imageLinks": {"thumbnail": "http://books.google.com/books/content?id=abc&zoom=1&edge=curl&source=gbs_api"}}, "saleInfo": {"isEbook": true}}]}
            """#
        let record = try #require(try GoogleBooks.decodeVolumes(body.utf8).first)
        #expect(record.title == "Dune")
        #expect(record.subtitle == nil)
        #expect(record.authors.map(\.name) == ["Frank Herbert"])
        #expect(record.isbns.map(\.isbn13) == ["9780441172719"])
        #expect(record.publicationDate == "2005-08-02")
        #expect(record.pageCount == nil)
        #expect(record.language == "pt")
        #expect(record.format == nil)
        #expect(record.description == "A classic")
        #expect(record.cover?.url == "https://books.google.com/books/content?id=abc&source=gbs_api&zoom=3")
        #expect(record.identifiers.googleVolumes == ["abc"])
    }

    @Test(
        "a volume that is sold as an e-book is one only if it has neither an ISBN nor a page count",
        arguments: [
            ("{}", EditionFormat.ebook), (#"{"pageCount": 320}"#, nil),
            (#"{"industryIdentifiers": [{"type": "ISBN_13", "identifier": "9780441172719"}]}"#, nil),
            (#"{"pageCount": 0, "industryIdentifiers": [{"type": "OTHER", "identifier": "UOM:39015"}]}"#, .ebook),
        ])
    func ebooks(info: String, format: EditionFormat?) throws {
        let volume = #"{"id": "a", "volumeInfo": \#(info), "saleInfo": {"isEbook": true}}"#
        #expect(try GoogleBooks.volume(volume.utf8).format == format)
        let notOnSale = #"{"id": "a", "volumeInfo": {"title": "T"}, "saleInfo": {"isEbook": false}}"#
        #expect(try GoogleBooks.volume(notOnSale.utf8).format == nil)
    }

    @Test("a field of the wrong type counts as missing")
    func missingFields() throws {
        let body =
            #"{"id": 4, "volumeInfo": {"title": "T", "authors": "x", "pageCount": "9", "imageLinks": [], "industryIdentifiers": [3, {"type": "ISBN_13"}]}}"#
        let record = try GoogleBooks.volume(body.utf8)
        #expect(record.title == "T")
        #expect(record.cover == nil)
        #expect(record.authors == [])
        #expect(record.pageCount == nil)
        #expect(record.isbns == [])
        #expect(record.identifiers.googleVolumes == [])
        #expect(record.format == nil)
    }

    @Test(
        "spaces in a title may be character references, and a title without other characters counts as missing",
        arguments: [("&nbsp;", nil), (" &#32;", nil), ("&nbsp;Dune&nbsp;&nbsp;Messiah &nbsp;", "Dune Messiah")])
    func spacesInTitles(title: String, expected: String?) throws {
        let record = try GoogleBooks.volume(#"{"id": "a", "volumeInfo": {"title": "\#(title)"}}"#.utf8)
        #expect(record.title == expected)
    }

    @Test("a title or an identifier that is a single letter with thousands of marks counts as missing")
    func manyMarks() throws {
        let marked = "a" + String(repeating: "\u{301}", count: 2_000)
        let record = try GoogleBooks.volume(#"{"id": "\#(marked)", "volumeInfo": {"title": "\#(marked)"}}"#.utf8)
        #expect(record.title == nil)
        #expect(record.identifiers.googleVolumes == [])
    }

    @Test(
        "a thumbnail is a cover only if its address is one that Google Books uses",
        arguments: [
            ("http://books.google.com/c?id=a", "https://books.google.com/c?id=a&zoom=3"),
            ("http://bks5.books.google.ro/c?id=a&zoom=5", "https://bks5.books.google.ro/c?id=a&zoom=3"),
            ("https://books.google.co.uk/c?id=a", "https://books.google.co.uk/c?id=a&zoom=3"),
            ("https://books.googleusercontent.com/c?a", "https://books.googleusercontent.com/c?a&zoom=3"),
            ("https://books.google.com/c", nil), ("ftp://books.google.com/c?a", nil),
            ("https://evil.example/c?id=a", nil), ("https://books.google.evil.example/c?a", nil),
            ("https://books.google.example/c?a", nil), ("https://evilbooks.google.com/c?a", nil),
            ("https://books.google.com@evil.example/c?a", nil), ("https://evil.example?.books.google.com/c?a", nil),
            ("https://books.google.com:443/c?a", nil), ("https://evil.example/.googleusercontent.com/c?a", nil),
            ("https://lh3.googleusercontent.com/c?a", nil),
        ])
    func coverHosts(thumbnail: String, cover: String?) throws {
        let volume = #"{"id": "a", "volumeInfo": {"imageLinks": {"thumbnail": "\#(thumbnail)"}}}"#
        #expect(try GoogleBooks.volume(volume.utf8).cover?.url == cover)
    }

    @Test("a response without items has no editions, and a malformed response is an error")
    func emptyAndMalformed() throws {
        #expect(try GoogleBooks.decodeVolumes(#"{"kind": "books#volumes", "totalItems": 0}"#.utf8) == [])
        #expect(throws: ProviderBodyError.malformed) { try GoogleBooks.decodeVolumes("<html>".utf8) }
    }

    @Test(
        "an exhausted quota is recognized by its reason, not by status 429, and other failures are distinguished",
        arguments: [
            (
                429,
                #"{"error": {"code": 429, "errors": [{"reason": "rateLimitExceeded"}], "status": "RESOURCE_EXHAUSTED"}}"#,
                GoogleBooksFailure.quotaExhausted
            ),
            (403, #"{"error": {"code": 403, "errors": [{"reason": "dailyLimitExceeded"}]}}"#, .quotaExhausted),
            (
                400, #"{"error": {"code": 400, "details": [{"@type": "x"}, {"reason": "RATE_LIMIT_EXCEEDED"}]}}"#,
                .quotaExhausted
            ),
            (429, "", .refused), (400, #"{"error": {"details": [{"reason": "API_KEY_INVALID"}]}}"#, .keyRefused),
            (403, #"{"error": {"errors": [{"reason": "forbidden"}]}}"#, .refused), (404, "{}", .notFound),
            (503, #"{"error": {"errors": [{"reason": "backendFailed"}]}}"#, .unavailable),
        ])
    func failures(status: Int, body: String, expected: GoogleBooksFailure) {
        #expect(GoogleBooksFailure(status: status, body: body.utf8) == expected)
    }

    @Test("every volume that states the requested ISBN adds to the book, and other volumes do not")
    func severalVolumes() throws {
        let isbn = try #require(ISBN("9780441172719"))
        func volume(_ id: String, _ identifier: String, _ more: String = #""x": 0"#) -> String {
            #"""
            {"id": "\#(id)", "volumeInfo": {"title": "Dune", \#(more),
             "industryIdentifiers": [{"type": "ISBN_13", "identifier": "\#(identifier)"}]}}
            """#
        }
        let volumes = [
            volume("a", "9780441172719", #""pageCount": 544"#),
            volume("b", "9780593099322", #""publisher": "Another""#),
            volume("c", "9780441172719", #""description": "A classic.", "publisher": "Ace""#),
        ]
        let question = Question.volumes(isbn)
        guard case .request(_, let read) = question.kind.method,
            case .records(let answers) = try read(
                Data(#"{"items": [\#(volumes.joined(separator: ","))]}"#.utf8), [question])
        else {
            Issue.record("the answer has no records")
            return
        }
        let editions = answers[question]?.editions ?? []
        let book = try #require(MetadataMerge.merged(asked: isbn, editions: editions, works: [])?.book)
        #expect(book.work.googleBooksVolumeIDs == ["a", "c"])
        #expect(book.work.description == "A classic.")
        #expect(book.edition?.pageCount == 544)
        #expect(book.edition?.publisher == "Ace")
    }

    @Test("an error body with status 200 is an error")
    func errorWithStatus200() {
        let body = #"{"error": {"code": 403, "errors": [{"reason": "quotaExceeded"}]}}"#
        #expect(throws: ProviderBodyError.exhausted) { try GoogleBooks.decodeVolumes(body.utf8) }
    }
}

extension GoogleBooks {
    /// The edition of one volume, decoded as the only one in a response.
    static func volume(_ volume: some Sequence<UInt8>) throws -> EditionRecord {
        let item = volume.drop { $0 != UInt8(ascii: "{") }
        return try #require(try decodeVolumes(Array(#"{"items": ["#.utf8) + item + Array("]}".utf8)).first)
    }
}
