import BookIdentifiers
import NIOCore
import NIOHTTP1
import Testing

@testable import ProviderEmulator

@Suite("ISBNdb requests")
struct ISBNdbRequestTests {
    private static let key: HTTPHeaders = ["Authorization": "any"]

    private func request(_ target: String, method: HTTPMethod = .GET, body: String = "") -> ISBNdbRequest {
        ISBNdbRequest(method, RequestTarget(target), body: ByteBuffer(string: body))
    }

    @Test(
        "pages are counted from one and have 20 books, or the requested number of 1 to 1000",
        arguments: [
            ("", 0, 20), ("page=3", 40, 20), ("pageSize=5&page=2", 5, 5), ("pageSize=9999", 0, 1000),
            ("pageSize=0", 0, 1),
            ("page=0", 0, 20), ("pageSize=x", 0, 20),
        ])
    func pages(query: String, offset: Int, limit: Int) {
        #expect(request("/books/dune?\(query)") == .books("dune", .all, ResultPage(offset: offset, limit: limit)))
    }

    @Test(
        "a search in an unknown column covers all columns",
        arguments: [
            ("title", ISBNdbRequest.Column.title), ("author", .author), ("date_published", .datePublished),
            ("publisher", .all), ("", .all),
        ])
    func columns(name: String, column: ISBNdbRequest.Column) {
        #expect(request("/books/x?column=\(name)") == .books("x", column, ResultPage(offset: 0, limit: 20)))
    }

    @Test(
        "a bulk call lists its ISBNs in a form or in JSON, and an invalid ISBN still counts",
        arguments: [
            ("isbns=9780441172719,0262033844", ["9780441172719", "9780262033848"]),
            (#"{"isbns":["9780441172719","x"]}"#, ["9780441172719", nil]), ("isbns=x", [nil]),
        ] as [(String, [String?])])
    func bulk(body: String, isbns: [String?]) {
        guard case .bulk(let found) = request("/books", method: .POST, body: body) else {
            Issue.record("the request was not parsed as a bulk call")
            return
        }
        #expect(found.map { $0?.isbn13 } == isbns)
    }

    @Test(
        "a bulk call with no ISBNs is refused, and a bulk call to another path is unknown",
        arguments: [
            ("/books", "", ISBNdbRequest.withoutNumbers), ("/books", "isbns=", .withoutNumbers),
            ("/books", "{}", .withoutNumbers),
            ("/book", "isbns=1", .unknown), ("/books/x", "isbns=1", .unknown),
        ])
    func refusedBulk(path: String, body: String, expected: ISBNdbRequest) {
        #expect(request(path, method: .POST, body: body) == expected)
    }

    @Test("a thousand ISBNs are accepted, and one more is refused", arguments: [(1_000, 200), (1_001, 400)])
    func limits(count: Int, status: UInt) throws {
        let body = "isbns=" + Array(repeating: "9780441172719", count: count).joined(separator: ",")
        let answer = try InProcessEmulator().answer(.POST, "/isbndb/books", headers: Self.key, body: body)
        #expect(answer.status.code == status)
    }

    @Test("a repeated ISBN returns one book, and the response contains the numbers of requested ISBNs and found books")
    func counts() throws {
        let answer = try InProcessEmulator().answer(
            .POST, "/isbndb/books", headers: Self.key, body: "isbns=9780441172719,0441172717,9780199535569,x")
        #expect(try answer.json["total"] == 1)
        #expect(try answer.json["requested"] == 4)
        #expect(try answer.json["data"]?.elements.map { $0["isbn13"] } == ["9780441172719"])
    }

    @Test(
        "a search by date finds books whose date starts with the requested text",
        arguments: [("1990-09-01", 200), ("1990-09", 200), ("1790", 404)])
    func dates(text: String, status: UInt) throws {
        let answer = try InProcessEmulator().answer(
            .GET, "/isbndb/books/\(text)?column=date_published", headers: Self.key)
        #expect(answer.status.code == status)
    }

    @Test(
        "a missing fault returns a 404, and a wrongBook fault returns a different book",
        arguments: [("missing", 404), ("wrongBook", 200)])
    func faults(kind: String, status: UInt) throws {
        let answer = try InProcessEmulator(faults: #"[{"kind":"\#(kind)","isbn":"9780441172719"}]"#)
            .answer(.GET, "/isbndb/book/9780441172719", headers: Self.key)
        #expect(answer.status.code == status)
        #expect(!answer.text.contains("9780441172719"))
    }

    @Test(
        "a book's ISBN and a search's author are keys that fault rules can select",
        arguments: [
            ("/books/Frank Herbert?column=author", ["frank herbert"]), ("/books/dune?column=title", []),
            ("/book/0441172717", ["9780441172719"]),
            ("/book/x", []),
        ])
    func keys(target: String, keys: [String]) {
        #expect(request(target).keys.map(\.text) == keys)
    }
}

@Suite("Google Books requests")
struct GoogleBooksRequestTests {
    private static let volumes = "/books/v1/volumes"

    private func request(_ target: String) -> GoogleBooksRequest { GoogleBooksRequest(RequestTarget(target)) }

    private func answer(_ query: String, faults: String = "[]") throws -> Answer {
        try InProcessEmulator(faults: faults).answer(.GET, "/googlebooks\(Self.volumes)?\(query)")
    }

    @Test(
        "a page has ten results unless the request sets another number, up to forty",
        arguments: [
            ("q=dune", 0, 10), ("q=dune&maxResults=40", 0, 40), ("q=dune&maxResults=0", 0, 0),
            ("q=dune&startIndex=7&maxResults=3", 7, 3),
        ])
    func pages(query: String, offset: Int, limit: Int) {
        guard case .search(_, _, _, let page) = request("\(Self.volumes)?\(query)") else {
            Issue.record("the request was not parsed as a search")
            return
        }
        #expect(page == ResultPage(offset: offset, limit: limit))
    }

    @Test(
        "invalid page sizes and offsets are refused",
        arguments: [
            "maxResults=41", "maxResults=-1", "maxResults=x", "startIndex=-1", "startIndex=x", "maxResults=",
        ])
    func wrongPages(query: String) throws {
        #expect(request("\(Self.volumes)?q=dune&\(query)") == .wrongPage)
        let answer = try answer("q=dune&\(query)")
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains(#""reason":"invalidParameter""#))
    }

    @Test(
        "a search with no words is refused, and any other path returns a 404",
        arguments: [
            ("", 400, "queryRequired"), ("?q=", 400, "queryRequired"), ("/a/b", 404, "notFound"),
        ])
    func refusals(rest: String, status: UInt, reason: String) throws {
        let answer = try InProcessEmulator().answer(.GET, "/googlebooks\(Self.volumes)\(rest)")
        #expect(answer.status.code == status)
        #expect(try answer.json["error"]?["errors"]?.elements.first?["reason"]?.text == reason)
        #expect(try answer.json["error"]?["errors"]?.elements.first?["domain"] == "global")
    }

    @Test("an unknown volume returns a 503 with the real service's reason")
    func unknownVolume() throws {
        let answer = try InProcessEmulator().answer(.GET, "/googlebooks\(Self.volumes)/nothing")
        #expect(
            answer.text
                == #"{"error":{"code":503,"message":"Service temporarily unavailable.","errors":[{"message":"Service temporarily unavailable.","domain":"global","reason":"backendFailed"}]}}"#
        )
    }

    @Test(
        "a mask applies to each volume, and to the list's own members",
        arguments: [
            ("totalItems", #"{"totalItems":1}"#), ("kind", #"{"kind":"books#volumes"}"#),
            ("items/volumeInfo/title", #"{"items":[{"volumeInfo":{"title":"The Hobbit"}}]}"#),
            (
                "items(volumeInfo(title)),totalItems",
                #"{"totalItems":1,"items":[{"volumeInfo":{"title":"The Hobbit"}}]}"#
            ),
            ("nothing", "{}"),
        ])
    func masks(fields: String, text: String) throws {
        #expect(try answer("q=isbn:9780618260300&fields=\(fields)").text == text)
    }

    @Test("the books for several ISBNs are returned in the order of the ISBNs")
    func several() throws {
        let answer = try answer(
            "q=isbn:(9780618260300 OR 9780441172719)&fields=items/volumeInfo/title")
        #expect(
            answer.text
                == #"{"items":[{"volumeInfo":{"title":"The Hobbit"}},{"volumeInfo":{"title":"Dune"}}]}"#)
    }

    @Test(
        "a missing fault for an author affects only searches for that author",
        arguments: [("inauthor:herbert", 0), ("intitle:dune", 7)])
    func missingAuthor(query: String, count: Int) throws {
        let answer = try answer("q=\(query)", faults: #"[{"kind":"missing","author":"herbert"}]"#)
        #expect(try answer.json["totalItems"]?.integer == count)
    }
}

@Suite("Wikidata responses")
struct WikidataAnswerTests {
    private static let search = "/wikidata/w/api.php?action=wbsearchentities&format=json&language=en&search="

    @Test("a search result contains the item and its description, and how the item was found")
    func result() throws {
        let answer = try InProcessEmulator().json(Self.search + "Currer Bell")
        let result = try #require(answer["search"]?.elements.first)
        #expect(answer["searchinfo"]?["search"] == "Currer Bell")
        #expect(result["id"] == "Q127332")
        #expect(result["title"] == "Q127332")
        #expect(result["label"] == "Charlotte Brontë")
        #expect(result["description"] == "writer (1816–1855)")
        #expect(result["match"]?.json == #"{"type":"alias","language":"en","text":"Currer Bell"}"#)
        #expect(result["aliases"] == ["Currer Bell"])
        #expect(result["display"]?["label"]?["value"] == "Charlotte Brontë")
    }

    @Test("a label that matches is not repeated as an alias")
    func label() throws {
        let result = try InProcessEmulator().json(Self.search + "Charlotte Bront")["search"]?.elements.first
        #expect(result?["match"]?["type"] == "label")
        #expect(result?["aliases"] == nil)
    }

    @Test(
        "a search with a strict language excludes names in other scripts",
        arguments: [
            ("村上春樹", "", 1), ("村上春樹", "&strictlanguage=1", 0), ("Haruki Murakami", "&strictlanguage=1", 1),
        ])
    func strict(name: String, query: String, count: Int) throws {
        let found = try InProcessEmulator().json(Self.search + name + query)["search"]?.elements
        #expect(found?.count == count)
    }

    @Test(
        "a missing fault hides a person, and a wrongBook fault returns a different person",
        arguments: [("missing", nil), ("wrongBook", false)])
    func faults(kind: String, isSame: Bool?) throws {
        let emulator = try InProcessEmulator(faults: #"[{"kind":"\#(kind)","author":"frank herbert"}]"#)
        let first = try emulator.json(Self.search + "Frank Herbert")["search"]?.elements.first
        #expect(first.map { $0["id"] == "Q7934" } == isSame)
    }

    @Test("an empty search is an error with status 200")
    func empty() throws {
        let answer = try InProcessEmulator().answer(.GET, Self.search)
        #expect(answer.status == .ok)
        #expect(try answer.json["error"]?["code"] == "missingparam")
    }
}
