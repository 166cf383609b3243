import BookIdentifiers
import Testing

@testable import ProviderEmulator

@Suite("Open Library requests")
struct OpenLibraryRequestTests {
    private func request(_ target: String) -> OpenLibraryRequest { OpenLibraryRequest(RequestTarget(target)) }

    private func search(_ query: String) throws -> OpenLibrarySearch {
        guard case .search(let search) = request("/search.json?\(query)") else { throw NoSearch() }
        return search
    }

    private struct NoSearch: Error {}

    @Test(
        "a path identifies a document, a list or a search, and any other path is unknown",
        arguments: [
            ("/books/OL7353617M.json", OpenLibraryRequest.edition(key: "/books/OL7353617M")),
            ("/works/OL45804W.json", .work(key: "/works/OL45804W")),
            ("/authors/OL34184A.json", .author(key: "/authors/OL34184A")), ("/isbn/123.json", .isbn(nil)),
            ("/works/OL1W/editions.json", .editions(workKey: "/works/OL1W", ResultPage(offset: 0, limit: 50))),
            ("/authors/OL1A/works.json", .works(authorKey: "/authors/OL1A", ResultPage(offset: 0, limit: 50))),
            ("/search/authors.json?q=twain", .authors("twain", ResultPage(offset: 0, limit: 100))),
            ("/books/OL7353617M", .unknown), ("/lists/OL1L.json", .unknown), ("/a/b/c/d.json", .unknown),
            ("/api/books/x", .unknown), ("/works/OL1W/ratings.json", .unknown), ("/", .unknown),
        ])
    func paths(target: String, expected: OpenLibraryRequest) {
        #expect(request(target) == expected)
    }

    @Test(
        "lists are paged by offset and limit, which are kept within bounds",
        arguments: [
            ("offset=50&limit=10", 50, 10), ("limit=0", 0, 0), ("limit=9999", 0, 1000), ("offset=-4", 0, 50),
            ("limit=ten", 0, 50), ("offset=99999999", 1_000_000, 50),
        ])
    func paging(query: String, offset: Int, limit: Int) {
        #expect(
            request("/works/OL1W/editions.json?\(query)")
                == .editions(workKey: "/works/OL1W", ResultPage(offset: offset, limit: limit)))
    }

    @Test(
        "a book's key in a batch is kept as it was written",
        arguments: [
            ("ISBN:0441172717", "ISBN:0441172717"), ("isbn:9780441172719", "isbn:9780441172719"),
            ("9780441172719", "9780441172719"),
        ])
    func bibKeys(text: String, kept: String) throws {
        let isbn = try #require(ISBN("9780441172719"))
        #expect(
            request("/api/books?bibkeys=\(text)&format=json&jscmd=data")
                == .books([.init(text: kept, book: .isbn(isbn))], .data, json: true))
    }

    @Test("a batch can request an edition by its key")
    func editionKey() {
        #expect(
            request("/api/books?bibkeys=OLID:OL7353617M")
                == .books(
                    [.init(text: "OLID:OL7353617M", book: .edition(key: "/books/OL7353617M"))], .viewAPI, json: false))
    }

    @Test(
        "a key that is neither an ISBN nor an edition's key is left out of a batch",
        arguments: ["ISBN:12", "LCCN:93005405", "x", ""])
    func unusableKeys(text: String) {
        #expect(request("/api/books?bibkeys=\(text)&format=json") == .books([], .viewAPI, json: true))
    }

    @Test(
        "a batch's jscmd is parsed ignoring case, and an unknown one means viewapi",
        arguments: [
            ("details", OpenLibraryRequest.Command.details), ("DATA", .data), ("viewapi", .viewAPI),
            ("other", .viewAPI),
        ])
    func commands(text: String, command: OpenLibraryRequest.Command) {
        #expect(request("/api/books?jscmd=\(text)&format=json") == .books([], command, json: true))
    }

    @Test("of a batch's keys, fault rules can select only the ISBNs")
    func keys() {
        let keys = request("/api/books?bibkeys=ISBN:9780441172719,OLID:OL1M,ISBN:9780618260300").keys
        #expect(keys.map(\.text) == ["9780441172719", "9780618260300"])
    }

    @Test(
        "a page of a search is requested by its number, counted from one, or by an offset",
        arguments: [
            ("title=x", 0, 100), ("title=x&page=3&limit=20", 40, 20), ("title=x&page=0", 0, 100),
            ("title=x&page=3&offset=5&limit=20", 5, 20), ("title=x&limit=5000", 0, 1000),
        ])
    func searchPages(query: String, offset: Int, limit: Int) throws {
        #expect(try search(query).page == ResultPage(offset: offset, limit: limit))
    }

    @Test(
        "an unknown sort order means sorting by relevance",
        arguments: [
            ("new", OpenLibrarySearch.Order.new), ("old", .old), ("title", .title), ("editions", .editions),
            ("random", .relevance), ("", .relevance),
        ])
    func orders(text: String, order: OpenLibrarySearch.Order) throws {
        #expect(try search("title=x&sort=\(text)").order == order)
    }

    @Test(
        "the language of a search is a two-letter code, and an unknown code is ignored",
        arguments: [
            ("fr", CatalogLanguage.french), ("pt", .portuguese), ("zh", .chinese), ("xx", nil),
        ])
    func languages(code: String, language: CatalogLanguage?) throws {
        #expect(try search("title=x&lang=\(code)").language == language)
    }

    @Test(
        "a q parameter that is shorter than three characters or only an article is refused with a reason",
        arguments: [
            ("q=it", "Query too short, must be at least 3 characters"),
            ("q=x", "Query too short, must be at least 3 characters"),
            ("q=the", "Invalid query; the following queries are not allowed: the"),
            ("q=THE", "Invalid query; the following queries are not allowed: the"),
        ])
    func refusals(query: String, reason: String) {
        #expect(request("/search.json?\(query)") == .refusedSearch(reason))
    }

    @Test(
        "a short title or author, a title that is an article, and an empty q parameter beside a title are accepted",
        arguments: [
            "title=it", "author=x", "q=&title=it", "title=the", "q=they",
        ])
    func answered(query: String) throws {
        _ = try search(query)
    }

    @Test(
        "a dot or a slash in the fields parameter separates the parts of a path",
        arguments: ["editions.key", "editions/key"])
    func editionFields(text: String) throws {
        let fields = try search("title=x&fields=title,\(text)").editionFields
        #expect(fields?.selecting("key") == .everything)
        #expect(fields?.selecting("title") == nil)
    }

    @Test(
        "fault rules can select a search by its ISBNs or its author",
        arguments: [
            ("q=isbn:(9780441172719 OR 0618260307)", ["9780441172719", "9780618260300"]),
            ("isbn=9780441172719", ["9780441172719"]), ("author=Frank Herbert&title=dune", ["frank herbert"]),
            ("title=dune", []), ("q=key:/works/OL1W", []),
        ])
    func searchKeys(query: String, keys: [String]) throws {
        #expect(try search(query).keys.map(\.text) == keys)
    }
}
