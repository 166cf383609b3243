import NIOHTTP1
import Testing

@testable import ProviderEmulator

/// Each provider's own form of a fault: a client that is tested against one form only would not recognise the others.
@Suite("Forms of faults")
struct FaultFormTests {
    private static let targets: [Provider: String] = [
        .openLibrary: "/openlibrary/search.json?title=dune",
        .googleBooks: "/googlebooks/books/v1/volumes?q=isbn:9780618260300",
        .isbndb: "/isbndb/book/9780618260300",
        .wikidata: "/wikidata/w/api.php?action=wbsearchentities&format=json&language=en&search=ada",
        .covers: "/covers/b/id/1-M.jpg",
    ]

    private let emulator: EmulatorInMemory

    init() throws { emulator = try EmulatorInMemory() }

    private func answer(_ provider: Provider, _ fault: String) throws -> Answer {
        try emulator.setFaults("[\(fault)]")
        return try emulator.answer(.GET, try #require(Self.targets[provider]), "", ["Authorization": "key"])
    }

    @Test(
        "a status has the body of the provider's own errors",
        arguments: [
            (Provider.openLibrary, "<h1>503 Service Unavailable</h1>", "text/html"),
            (.wikidata, "<h1>503 Service Unavailable</h1>", "text/html"),
            (.covers, "<h1>503 Service Unavailable</h1>", "text/html"),
            (.googleBooks, #""reason":"backendError""#, "application/json; charset=UTF-8"),
            (.isbndb, #"{"message":"Service Unavailable"}"#, "application/json; charset=UTF-8"),
        ])
    func statuses(provider: Provider, part: String, type: String) throws {
        let answer = try answer(provider, #"{"kind":"status","code":503,"retryAfter":9}"#)
        #expect(answer.status.code == 503)
        #expect(answer.text.contains(part))
        #expect(answer.headers["Content-Type"] == [type])
        #expect(answer.headers["Retry-After"] == ["9"])
    }

    @Test("Google calls 429 a rate limit")
    func googleRate() throws {
        #expect(
            try answer(.googleBooks, #"{"kind":"status","code":429}"#).text.contains(#""reason":"rateLimitExceeded""#))
    }

    @Test(
        "a quota has the body of the provider's own",
        arguments: [
            (Provider.openLibrary, 429, "error", "Too many requests from this address; slow down."),
            (.covers, 429, "error", "Too many requests from this address; slow down."),
            (.isbndb, 429, "message", "Limit Exceeded"),
        ] as [(Provider, UInt, String, String)])
    func quotas(provider: Provider, status: UInt, member: String, text: String) throws {
        let answer = try answer(provider, #"{"kind":"quota"}"#)
        #expect(answer.status.code == status)
        #expect(try answer.json()[member]?.text == text)
    }

    @Test("Wikidata's own limit is an error of its API")
    func wikidataQuota() throws {
        #expect(try answer(.wikidata, #"{"kind":"quota"}"#).json()["error"]?["code"] == "ratelimited")
    }

    @Test("the archive refuses too many covers with 403")
    func coverQuota() throws {
        #expect(try answer(.covers, #"{"kind":"quota","code":403}"#).status == .forbidden)
    }

    @Test(
        "a page instead of an answer keeps the declared type",
        arguments: [
            (Provider.openLibrary, "application/json"), (.googleBooks, "application/json"),
            (.isbndb, "application/json"),
            (.wikidata, "application/json"), (.covers, "image/jpeg"),
        ])
    func garbage(provider: Provider, type: String) throws {
        let answer = try answer(provider, #"{"kind":"garbage"}"#)
        #expect(answer.status == .ok)
        #expect(answer.headers["Content-Type"] == [type])
        #expect(answer.text.hasPrefix("<!DOCTYPE html>"))
    }

    @Test("a redirect goes where the rule says", arguments: [Provider.openLibrary, .covers])
    func redirect(provider: Provider) throws {
        let answer = try answer(provider, #"{"kind":"redirect","location":"https://elsewhere.example/x"}"#)
        #expect(answer.status == .found)
        #expect(answer.headers["Location"] == ["https://elsewhere.example/x"])
    }

    @Test("a wrong key is refused in each provider's words")
    func invalidKeys() throws {
        let isbndb = try answer(.isbndb, #"{"kind":"invalidKey"}"#)
        #expect(isbndb.status == .unauthorized)
        #expect(try isbndb.json() == ["message": "Unauthorized"])
    }

    @Test("an unknown location is refused only without a country")
    func location() throws {
        let refused = try answer(.googleBooks, #"{"kind":"unknownLocation"}"#)
        #expect(refused.status == .forbidden)
        #expect(refused.text.contains(#""reason":"unknownLocation""#))
        #expect(
            try emulator.answer(.GET, "/googlebooks/books/v1/volumes?q=isbn:9780618260300&country=US").status == .ok)
    }

    @Test("answers that never arrive as a whole are decided without one")
    func manners() throws {
        for (fault, expected) in [
            ("hang", "hang"), ("reset", "reset"), ("stall", "stall"), ("truncate", "truncate"), ("huge", "padded"),
        ] {
            try emulator.setFaults(#"[{"kind":"\#(fault)"}]"#)
            let manner =
                switch emulator.delivery(.GET, "/openlibrary/search.json?title=dune").manner {
                case .whole: "whole"
                case .hang: "hang"
                case .reset: "reset"
                case .stall: "stall"
                case .truncate: "truncate"
                case .padded: "padded"
                }
            #expect(manner == expected)
        }
    }

    @Test(
        "a rule that cannot be read is refused, and says why",
        arguments: [
            "", "{}", "[{}]", #"[{"kind":"explode"}]"#, #"[{"kind":"slow"}]"#, #"[{"kind":"status"}]"#,
            #"[{"kind":"redirect"}]"#, #"[{"kind":"huge","megabytes":0}]"#, #"[{"kind":"huge","megabytes":1025}]"#,
            #"[{"kind":"answers"}]"#, #"[{"kind":"finish"}]"#, #"[{"kind":"blocked"}]"#,
            #"[{"kind":"reset","provider":"amazon"}]"#, #"[{"kind":"reset","isbn":"123"}]"#,
            #"[{"kind":"reset","times":"2"}]"#,
        ])
    func wrongRules(body: String) throws {
        let answer = try emulator.answer(.PUT, "/_emulator/faults", body)
        #expect(answer.status == .badRequest)
        #expect(try answer.json()["error"]?.text?.isEmpty == false)
    }

    @Test("rules are counted, replaced and removed")
    func rules() throws {
        #expect(
            try emulator.answer(.PUT, "/_emulator/faults", #"[{"kind":"reset"},{"kind":"hang"}]"#).text
                == #"{"rules":2}"#)
        #expect(try emulator.answer(.DELETE, "/_emulator/faults").text == #"{"rules":0}"#)
        #expect(try emulator.answer(.GET, "/openlibrary/search.json?title=dune").status == .ok)
    }

    @Test("the emulator's own routes need no provider, and others are named")
    func ownRoutes() throws {
        #expect(try emulator.answer(.GET, "/_emulator/health").text == #"{"status":"ok"}"#)
        for path in ["/", "/amazon/x", "/_emulator/x", "/_emulator"] {
            let answer = try emulator.answer(.GET, path)
            #expect(answer.status == .notFound)
            #expect(answer.text.contains("Paths begin with /openlibrary"))
        }
        #expect(try emulator.answer(.POST, "/_emulator/health").status == .notFound)
    }
}
