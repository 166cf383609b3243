import BookIdentifiers
import NIOHTTP1
import Testing

@testable import ProviderEmulator

/// Open Library's responses about a few books, all of whose data is given here.
@Suite("Open Library responses")
struct OpenLibraryAnswerTests {
    private static let books = "/openlibrary/api/books?format=json&bibkeys="

    private func book(
        _ number: String, _ title: String, by author: String = "Zoe Quill", work: String? = nil, year: Int? = nil
    ) throws -> CatalogBook {
        CatalogBook(
            isbn: try #require(ISBN(number)), title: title, authors: [author], firstPublished: year, work: work)
    }

    private func emulator(faults: String = "[]") throws -> InProcessEmulator {
        try InProcessEmulator(
            faults: faults,
            books: [
                try book("9798400000003", "Quillwork", year: 1990),
                try book("9780990000006", "Zebra Quillwork", year: 1970),
                try book("9798400000010", "Quillwork Reprinted", work: "Quillwork", year: 1990),
                try book("9780990000013", "Quillwork Undated"),
            ])
    }

    private func titles(_ query: String, faults: String = "[]") throws -> [String] {
        let answer = try emulator(faults: faults).json("/openlibrary/search.json?fields=title&\(query)")
        return (answer["docs"]?.elements ?? []).compactMap { $0["title"]?.text }
    }

    @Test(
        "works are sorted by year, title or number of editions; if sorted by year, those with no year come last",
        arguments: [
            ("sort=new", ["Quillwork", "Zebra Quillwork", "Quillwork Undated"]),
            ("sort=old", ["Zebra Quillwork", "Quillwork", "Quillwork Undated"]),
            ("sort=title", ["Quillwork", "Quillwork Undated", "Zebra Quillwork"]),
            ("sort=editions", ["Quillwork", "Zebra Quillwork", "Quillwork Undated"]),
        ])
    func orders(order: String, expected: [String]) throws {
        #expect(try titles("title=quillwork&\(order)") == expected)
    }

    @Test(
        "every page states the total, and a page beyond the results is empty",
        arguments: [
            ("limit=2", 2, 0), ("limit=2&page=2", 1, 2), ("limit=2&page=3", 0, 4), ("limit=0", 0, 0),
            ("offset=2", 1, 2),
        ])
    func pages(page: String, shown: Int, start: Int) throws {
        let answer = try emulator().json("/openlibrary/search.json?fields=key&title=quillwork&\(page)")
        #expect(answer["docs"]?.elements.count == shown)
        #expect(answer["start"]?.integer == start)
        #expect(answer["numFound"] == 3)
        #expect(answer["num_found"] == 3)
    }

    @Test(
        "a missing fault for an author affects only searches for that author",
        arguments: [
            ("author=Zoe Quill", 0), ("title=quillwork", 3), ("author=frank herbert&title=dune", 1),
        ])
    func missingAuthor(query: String, count: Int) throws {
        #expect(try titles(query, faults: #"[{"kind":"missing","author":"zoe quill"}]"#).count == count)
    }

    @Test(
        "an ISBN under a missing fault finds no works",
        arguments: [
            ("[]", ["Quillwork"]), (#"[{"kind":"missing","isbn":"9798400000010"}]"#, []),
        ])
    func faultsOfISBNs(faults: String, expected: [String]) throws {
        #expect(try titles("q=isbn:9798400000010", faults: faults) == expected)
    }

    @Test("a wrongBook fault returns a different book, the same one each time")
    func wrongBook() throws {
        let faults = #"[{"kind":"wrongBook","isbn":"9798400000010"}]"#
        let first = try titles("q=isbn:9798400000010", faults: faults)
        #expect(first.count == 1)
        #expect(first != ["Quillwork"])
        #expect(try titles("q=isbn:9798400000010", faults: faults) == first)
    }

    @Test("the short form of a batch response contains the URL of the book's page")
    func viewAPI() throws {
        let key = try book("9798400000003", "Quillwork").editionKey
        let answer = try emulator().answer(.GET, Self.books + "ISBN:9798400000003,ISBN:9780199535569")
        let url = "https://openlibrary.org\(key)"
        #expect(
            answer.text
                == #"{"ISBN:9798400000003":{"bib_key":"ISBN:9798400000003","info_url":"\#(url)","preview":"noview","preview_url":"\#(url)"}}"#
        )
    }

    @Test("a batch can request an edition by its key")
    func byKey() throws {
        let key = try book("9798400000003", "Quillwork").editionKey.dropFirst("/books/".count)
        let answer = try emulator().json(Self.books + "OLID:\(key)&jscmd=data")
        #expect(answer["OLID:\(key)"]?["title"] == "Quillwork")
    }

    @Test("without format=json, the response is a script that assigns the object to a variable")
    func script() throws {
        let answer = try emulator().answer(.GET, "/openlibrary/api/books?bibkeys=ISBN:9780199535569")
        #expect(answer.text == "var _OLBookInfo = {};")
        #expect(answer.header("Content-Type") == "text/javascript")
    }

    @Test("a request for an ISBN is redirected to its edition under the host that the client used")
    func redirect() throws {
        let answer = try emulator().answer(.GET, "/openlibrary/isbn/9798400000003.json")
        let key = try book("9798400000003", "Quillwork").editionKey
        #expect(answer.status == .found)
        #expect(answer.header("Location") == "http://emulator.test/openlibrary\(key).json")
    }

    @Test(
        "an unknown record returns a 404 that names the record",
        arguments: [
            ("/isbn/9780199535569.json", "/isbn/9780199535569"), ("/works/OL1W.json", "/works/OL1W"),
            ("/books/OL1M.json", "/books/OL1M"),
            ("/authors/OL1A.json", "/authors/OL1A"), ("/works/OL1W/editions.json", "/works/OL1W"),
            ("/authors/OL1A/works.json", "/authors/OL1A"), ("/isbn/12.json", "/isbn/"),
        ])
    func unknown(path: String, key: String) throws {
        let answer = try emulator().answer(.GET, "/openlibrary\(path)")
        #expect(answer.status == .notFound)
        #expect(answer.text == #"{"error":"notfound","key":"\#(key)"}"#)
    }

    @Test(
        "a list of editions contains links to itself, its work, and the next and previous pages",
        arguments: [
            ("", nil, nil, 2), ("?limit=1", "?offset=1", nil, 1), ("?limit=1&offset=1", nil, "?offset=0", 1),
        ] as [(String, String?, String?, Int)])
    func lists(query: String, next: String?, previous: String?, count: Int) throws {
        let key = try book("9798400000003", "Quillwork").workKey
        let answer = try emulator().json("/openlibrary\(key)/editions.json\(query)")
        let path = "\(key)/editions.json"
        #expect(answer["size"] == 2)
        #expect(answer["entries"]?.elements.count == count)
        #expect(answer["links"]?["self"]?.text == path)
        #expect(answer["links"]?["work"]?.text == key)
        #expect(answer["links"]?["next"]?.text == next.map { path + $0 })
        #expect(answer["links"]?["prev"]?.text == previous.map { path + $0 })
    }

    @Test("an author is found by name, with the number of works and one of the works")
    func authors() throws {
        let answer = try emulator().json("/openlibrary/search/authors.json?q=quill zoe")
        let key = CatalogBook.authorKey("Zoe Quill").dropFirst("/authors/".count)
        #expect(answer["numFound"] == 1)
        #expect(
            answer["docs"]?.elements.first?.json
                == #"{"key":"\#(key)","name":"Zoe Quill","type":"author","top_work":"Quillwork","work_count":3}"#)
    }

    @Test("the error for a refused search has the web framework's format")
    func refusal() throws {
        let answer = try emulator().answer(.GET, "/openlibrary/search.json?q=it")
        #expect(answer.status == .unprocessableEntity)
        #expect(
            answer.text
                == #"{"detail":[{"type":"value_error","loc":["query","q"],"msg":"Value error, Query too short, must be at least 3 characters"}]}"#
        )
    }
}
