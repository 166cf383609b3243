import NIOCore
import NIOHTTP1
import Testing

@testable import ProviderEmulator

/// How each provider responds under each fault that affects the whole response, without a socket.
@Suite("Responses under faults")
struct FaultAnswerTests {
    private static let isbndbKey: HTTPHeaders = ["Authorization": "any"]

    /// The target and the header fields of a request to the provider that returns 200 if there is no fault.
    private static func target(_ provider: Provider) -> (String, HTTPHeaders) {
        switch provider {
        case .openLibrary: ("/openlibrary/api/books?bibkeys=ISBN:9780618260300&jscmd=data&format=json", [:])
        case .googleBooks: ("/googlebooks/books/v1/volumes?q=isbn:9780618260300", [:])
        case .isbndb: ("/isbndb/book/9780618260300", isbndbKey)
        case .wikidata: ("/wikidata/w/api.php?action=wbgetentities&format=json&ids=Q892", [:])
        case .covers: ("/covers/covers/03/00/9780618260300.jpg", [:])
        case .gemini: ("/gemini/v1beta/models/m:generateContent", ["x-goog-api-key": "any"])
        case .openAI: ("/openai/v1/models", [:])
        }
    }

    private func delivery(_ provider: Provider, _ rule: String) throws -> Delivery {
        let (target, headers) = Self.target(provider)
        let body = #"{"contents":[{"parts":[{"text":"?"}]}]}"#
        return try InProcessEmulator(faults: rule).delivery(.GET, target, headers: headers, body: body)
    }

    private func answer(_ provider: Provider, _ rule: String) throws -> Answer? {
        if case .whole(let answer) = try delivery(provider, rule).manner { answer } else { nil }
    }

    @Test("with no fault, every provider returns 200", arguments: Provider.allCases)
    func withoutFault(provider: Provider) throws {
        #expect(try answer(provider, "[]")?.status == .ok)
    }

    @Test(
        "an error response has the provider's own format",
        arguments: [
            (Provider.openLibrary, "text/html", "<html><body><h1>503 Service Unavailable</h1></body></html>"),
            (.wikidata, "text/html", "<html><body><h1>503 Service Unavailable</h1></body></html>"),
            (.covers, "text/html", "<html><body><h1>503 Service Unavailable</h1></body></html>"),
            (
                .googleBooks, "application/json; charset=UTF-8",
                #"{"error":{"code":503,"message":"Service Unavailable","errors":[{"message":"Service Unavailable","#
                    + #""domain":"global","reason":"backendError"}]}}"#
            ),
            (.isbndb, "application/json; charset=UTF-8", #"{"message":"Service Unavailable"}"#),
            (
                .gemini, "application/json; charset=UTF-8",
                #"{"error":{"code":503,"message":"503","status":"INTERNAL","details":[]}}"#
            ),
            (
                .openAI, "application/json; charset=UTF-8",
                #"{"error":{"message":"Service Unavailable","code":null}}"#
            ),
        ])
    func failures(provider: Provider, type: String, body: String) throws {
        let answer = try #require(try answer(provider, #"[{"kind":"status","code":503}]"#))
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.header("Content-Type") == type)
        #expect(answer.text == body)
    }

    @Test(
        "a quota error has the provider's own format",
        arguments: [
            (Provider.openLibrary, "Too many requests from this address"),
            (.covers, "Too many requests from this address"),
            (.googleBooks, #""status":"RESOURCE_EXHAUSTED""#), (.isbndb, #"{"message":"Limit Exceeded"}"#),
            (.wikidata, #""code":"ratelimited""#), (.gemini, "PerDay"), (.openAI, #""code":"insufficient_quota""#),
        ])
    func quotas(provider: Provider, part: String) throws {
        let answer = try #require(try answer(provider, #"[{"kind":"quota"}]"#))
        #expect(answer.status == .tooManyRequests)
        #expect(answer.text.contains(part))
    }

    @Test(
        "providers other than engines send a quota error with the rule's status",
        arguments: [
            Provider.openLibrary, .covers, .googleBooks, .isbndb, .wikidata,
        ])
    func quotaStatus(provider: Provider) throws {
        #expect(try answer(provider, #"[{"kind":"quota","code":403}]"#)?.status == .forbidden)
    }

    @Test(
        "Google's quota error has the reason that matches its status",
        arguments: [
            (429, "rateLimitExceeded"), (403, "dailyLimitExceeded"), (400, "dailyLimitExceeded"),
        ])
    func googleQuota(code: Int, reason: String) throws {
        let answer = try #require(try answer(.googleBooks, #"[{"kind":"quota","code":\#(code)}]"#))
        #expect(try answer.json["error"]?["code"]?.integer == code)
        #expect(try answer.json["error"]?["errors"]?.elements.first?["reason"]?.text == reason)
    }

    @Test(
        "a garbage response has the content type of the provider's usual responses",
        arguments: [
            (Provider.openLibrary, "application/json"), (.covers, "image/jpeg"), (.gemini, "application/json"),
        ])
    func garbage(provider: Provider, type: String) throws {
        let answer = try #require(try answer(provider, #"[{"kind":"garbage"}]"#))
        #expect(answer.status == .ok)
        #expect(answer.header("Content-Type") == type)
        #expect(answer.text.hasPrefix("<!DOCTYPE html>"))
    }

    @Test(
        "a request with a wrong key receives the provider's own error",
        arguments: [
            (Provider.googleBooks, "&key=wrong", 400, "API_KEY_INVALID"),
            (.isbndb, "", 401, #"{"message":"Unauthorized"}"#),
            (.gemini, "", 400, "API_KEY_INVALID"),
        ])
    func wrongKey(provider: Provider, query: String, status: UInt, part: String) throws {
        let (target, headers) = Self.target(provider)
        let answer = try InProcessEmulator(faults: #"[{"kind":"invalidKey"}]"#)
            .answer(.GET, target + query, headers: headers)
        #expect(answer.status.code == status)
        #expect(answer.text.contains(part))
    }

    @Test("Wikidata can be made to refuse batches of any size")
    func tooManyValues() throws {
        let answer = try #require(try answer(.wikidata, #"[{"kind":"tooManyValues","path":"wbgetentities"}]"#))
        #expect(answer.status == .ok)
        #expect(answer.header("MediaWiki-API-Error") == "toomanyvalues")
        #expect(try answer.json["error"]?["limit"] == 1)
    }

    @Test(
        "a huge response is padded before JSON and after an image",
        arguments: [
            (Provider.googleBooks, true), (.openLibrary, true), (.covers, false),
        ])
    func padding(provider: Provider, isBefore: Bool) throws {
        guard case .padded(_, let padding) = try delivery(provider, #"[{"kind":"huge","megabytes":3}]"#).manner else {
            Issue.record("the response was not padded")
            return
        }
        switch padding {
        case .before(let count):
            #expect(isBefore)
            #expect(count == 3_145_728)
        case .after(let count):
            #expect(!isBefore)
            #expect(count == 3_145_728)
        }
    }

    @Test(
        "engine faults do not affect other providers",
        arguments: [Provider.openLibrary, .isbndb, .covers])
    func engineFaults(provider: Provider) throws {
        let whole = try answer(provider, "[]")
        #expect(try answer(provider, #"[{"kind":"answers","text":"no"}]"#)?.body == whole?.body)
    }

    @Test("a crowded provider refuses requests above its limit until earlier ones have finished")
    func inFlight() throws {
        let emulator = try InProcessEmulator(faults: #"[{"kind":"crowded","limit":2}]"#)
        let target = Self.target(.wikidata).0
        let codes = try (0..<3).map { _ in try emulator.answer(.GET, target).status.code }
        #expect(codes == [200, 200, 429])
        for _ in 0..<3 { emulator.emulator.finished(.wikidata) }
        #expect(try emulator.answer(.GET, target).status == .ok)
    }

    @Test(
        "the log contains the status that the client receives, and none if there is no response",
        arguments: [
            (#"{"kind":"reset"}"#, nil), (#"{"kind":"hang"}"#, nil), (#"{"kind":"stall"}"#, 200),
            (#"{"kind":"truncate"}"#, 200), (#"{"kind":"huge","megabytes":1}"#, 200),
            (#"{"kind":"bomb","megabytes":1}"#, 200), (#"{"kind":"garbage"}"#, 200),
            (#"{"kind":"redirect","location":"/"}"#, 302), (#"{"kind":"slow","milliseconds":5}"#, 200),
            (#"{"kind":"unknownLocation"}"#, 403), (#"{"kind":"status","code":418}"#, 418),
        ] as [(String, Int?)])
    func loggedStatus(rule: String, status: Int?) throws {
        let emulator = try InProcessEmulator(faults: "[\(rule)]")
        _ = emulator.delivery(.GET, Self.target(.googleBooks).0)
        let text = try emulator.answer(.GET, "/_emulator/log").text
        let line = try JSONValue(parsing: Array(text.utf8.dropLast()))
        #expect(line["status"]?.integer == status)
        let kind = try JSONValue(parsing: Array(rule.utf8))["kind"]?.text
        #expect(line["faults"]?.texts == [kind].compactMap(\.self))
    }

    @Test("a crowded provider accepts any number of requests if each finishes before the next", arguments: [1, 5])
    func room(limit: Int) throws {
        let emulator = try InProcessEmulator(faults: #"[{"kind":"crowded","limit":\#(limit)}]"#)
        for _ in 0..<3 * limit {
            #expect(try emulator.answer(.GET, Self.target(.wikidata).0).status == .ok)
            emulator.emulator.finished(.wikidata)
        }
    }
}
