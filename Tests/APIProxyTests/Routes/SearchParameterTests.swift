import BookstrackContract
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Search parameters") struct SearchParameterTests {
    private static func query(_ target: String) throws(APIFailure) -> SearchQuery {
        let parameters = SearchParameters(uri: target)
        switch target.prefix(while: { $0 != "?" }) {
        case "/v1/search/isbn": return try parameters.isbn()
        case "/v1/search/title": return try parameters.title()
        case "/v1/search/advanced": return try parameters.advanced()
        case "/v1/editions/search": return try parameters.editions()
        case "/search/title": return try parameters.legacyTitle()
        case "/search/isbn": return try parameters.legacyISBN()
        case "/search/author": return try parameters.legacyAuthor()
        default: return try parameters.legacyAdvanced()
        }
    }

    private static let dune = SearchQuery(.isbn, isbn: "9780441172719", limit: 1)

    @Test("a title search is explained on request, and an ISBN search is never explained")
    func explained() throws {
        #expect(try Self.query("/v1/search/title?q=dune&explain=true").isExplained == true)
        #expect(try Self.query("/v1/search/advanced?title=dune&explain=true").isExplained == true)
        let plain = try Self.query("/v1/search/title?q=dune")
        #expect(try Self.query("/v1/search/title?q=dune&explain=false") == plain)
        #expect(try Self.query("/v1/search/title?q=9780441172719&explain=true") == Self.dune)
        #expect(throws: APIFailure.self) { try Self.query("/v1/search/title?q=dune&explain=maybe") }
    }

    @Test(
        "valid parameters are parsed",
        arguments: [
            ("/v1/search/isbn?isbn=9780441172719", dune),
            ("/v1/search/isbn?isbn=978-0-441-17271-9", dune),
            ("/v1/search/isbn?isbn=0441172717", dune),
            ("/v1/search/isbn?isbn=ISBN%200-441-17271-7", dune),
            ("/v1/search/title?q=9780441172719", dune),
            ("/v1/search/title?q=%20978-0-441-17271-9%20", dune),
            ("/search/title?q=0441172717", dune),
            ("/v1/search/title?q=9780441172718", SearchQuery(.title, title: "9780441172718", limit: 20)),
            ("/v1/search/title?q=1984", SearchQuery(.title, title: "1984", limit: 20)),
            ("/v1/search/title?q=dune+9780441172719", SearchQuery(.title, title: "dune 9780441172719", limit: 20)),
            ("/v1/search/title?q=great+gatsby", SearchQuery(.title, title: "great gatsby", limit: 20)),
            ("/v1/search/title?q=%20%20no%20%20name", SearchQuery(.title, title: "no name", limit: 20)),
            (
                "/v1/search/title?q=%E9%8A%80%E6%B2%B3%E9%89%84%E9%81%93%E3%81%AE%E5%A4%9C",
                SearchQuery(.title, title: "銀河鉄道の夜", limit: 20)
            ),
            (
                "/v1/search/advanced?title=gatsby&author=fitzgerald",
                SearchQuery(.advanced, title: "gatsby", author: "fitzgerald", limit: 20)
            ),
            (
                "/v1/search/advanced?author=x&maxResults=3",
                SearchQuery(.advanced, author: "x", limit: 3)
            ),
            ("/v1/search/advanced?title=other&isbn=0441172717", dune),
            ("/v1/search/advanced?title=x&isbn=0441172717", dune),
            (
                "/v1/search/advanced?title=&author=herbert&isbn=",
                SearchQuery(.advanced, author: "herbert", limit: 20)
            ),
            ("/v1/search/advanced?title=ab&maxResults=40", SearchQuery(.advanced, title: "ab", limit: 20)),
            (
                "/v1/editions/search?workTitle=Dune&author=Herbert&limit=50",
                SearchQuery(.editions, title: "Dune", author: "Herbert", limit: 50)
            ),
            ("/search/title?q=dune&maxResults=40", SearchQuery(.title, title: "dune", limit: 40)),
            ("/search/isbn?q=0441172717", dune),
            (
                "/search/author?q=herbert&limit=100&offset=200&sortBy=publicationYearAsc",
                SearchQuery(.author, author: "herbert", limit: 100, offset: 200, order: .oldest)
            ),
            (
                "/search/advanced?bookTitle=dune&authorName=herbert",
                SearchQuery(.advanced, title: "dune", author: "herbert", limit: 20)
            ),
        ])
    func understood(target: String, query: SearchQuery) throws {
        #expect(try Self.query(target) == query)
    }

    @Test(
        "invalid parameters are refused with the reason",
        arguments: [
            ("/v1/search/isbn", APIErrorCode.invalidISBN, "isbn is missing"),
            ("/v1/search/isbn?isbn=", .invalidISBN, "empty"), ("/search/isbn", .invalidISBN, "isbn is missing"),
            ("/v1/search/isbn?isbn=123", .invalidISBN, "10 or 13 digits"),
            ("/v1/search/isbn?isbn=9780441172718", .invalidISBN, "check digit"),
            ("/v1/search/isbn?isbn=97804411727AB", .invalidISBN, "character"),
            ("/v1/search/isbn?isbn=1230441172719", .invalidISBN, "978"),
            ("/v1/search/isbn?isbn=441172717", .invalidISBN, "leading zero"),
            ("/v1/search/title", .invalidQuery, "missing"),
            ("/v1/search/title?q=+a+", .invalidQuery, "2 to 200"),
            ("/v1/search/title?q=\(String(repeating: "x", count: 201))", .invalidQuery, "2 to 200"),
            ("/v1/search/advanced", .invalidQuery, "At least one"),
            ("/v1/search/advanced?title=&author=", .invalidQuery, "At least one"),
            ("/v1/search/advanced?title=x&author=herbert", .invalidQuery, "2 to 200"),
            ("/v1/search/advanced?title=dune&maxResults=0", .invalidQuery, "1 to 40"),
            ("/v1/search/advanced?isbn=123", .invalidISBN, "10 or 13 digits"),
            ("/v1/editions/search?author=x", .invalidQuery, "workTitle"),
            ("/v1/editions/search?workTitle=dune", .invalidQuery, "author is missing"),
            ("/v1/editions/search?workTitle=dune&author=herbert&limit=51", .invalidQuery, "1 to 50"),
            ("/search/title?q=dune&maxResults=41", .invalidQuery, "1 to 40"),
            ("/v1/editions/search?workTitle=dune&author=x&limit=abc", .invalidQuery, "1 to 50"),
            ("/search/author?q=x&limit=abc", .invalidQuery, "1 to 100"),
            ("/search/author?q=x&limit=101", .invalidQuery, "1 to 100"),
            ("/search/author?q=x&offset=-1", .invalidQuery, "offset"),
            ("/search/author?q=x&sortBy=random", .invalidQuery, "sortBy"),
            ("/search/advanced", .invalidQuery, "At least one"),
        ])
    func refused(target: String, code: APIErrorCode, reason: String) throws {
        let failure = #expect(throws: APIFailure.self) { try Self.query(target) }
        #expect(failure?.code == code)
        #expect(failure?.message.lowercased().contains(reason.lowercased()) == true, "\(failure?.message ?? "")")
    }
}
