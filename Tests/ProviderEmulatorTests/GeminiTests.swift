import NIOHTTP1
import Testing

@testable import ProviderEmulator

/// Behaviour.md "Gemini (`/gemini/v1beta`)", rule by rule.
@Suite("Gemini")
struct GeminiTests {
    private static let route = "/gemini/v1beta/models/gemini-3.5-flash-lite:generateContent"
    private static let key: HTTPHeaders = ["x-goog-api-key": "k"]
    private static let columns = """
        {"contents":[{"role":"user","parts":[{"text":"{\\"columns\\":[{\\"index\\":0,\\"header\\":\\"Heiti\\"},\
        {\\"index\\":1,\\"header\\":\\"Höfundur\\"},{\\"index\\":2,\\"header\\":\\"Xyz\\"}]}"}]}]}
        """
    private static let photo = """
        {"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/jpeg","data":"AAAA"}},\
        {"text":"List the books in this photo."}]}]}
        """

    private let emulator: EmulatorInMemory

    init() throws { emulator = try EmulatorInMemory() }

    private func ask(
        _ body: String = columns, _ headers: HTTPHeaders = key, fault: String? = nil
    ) throws -> (status: Int, json: JSONValue) {
        if let fault { try emulator.setFaults("[\(fault)]") }
        let answer = try emulator.answer(.POST, Self.route, body, headers)
        return (Int(answer.status.code), try answer.json())
    }

    private func text(_ json: JSONValue) -> String? {
        json["candidates"]?.elements.first?["content"]?["parts"]?.elements.first?["text"]?.text
    }

    @Test("columns get the roles of a dictionary of headers, unknown ones none")
    func mapping() throws {
        let (status, json) = try ask()
        #expect(status == 200)
        #expect(text(json) == #"{"columns":[{"index":0,"role":"title"},{"index":1,"role":"author"}]}"#)
        #expect(json["candidates"]?.elements.first?["finishReason"] == "STOP")
        #expect(json["modelVersion"] == "gemini-3.5-flash-lite")
    }

    @Test("every photo is the same shelf of three books")
    func shelf() throws {
        let text = try #require(text(try ask(Self.photo).json))
        let books = try JSONValue(parsing: Array(text.utf8))["books"]?.elements ?? []
        #expect(books.map { $0["title"] } == ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"])
        #expect(books.allSatisfy { $0["box_2d"]?.elements.count == 4 })
    }

    @Test(
        "without a key nothing is answered",
        arguments: [[:], ["x-goog-api-key": ""], ["Authorization": "Bearer k"]] as [HTTPHeaders])
    func noKey(headers: HTTPHeaders) throws {
        let (status, json) = try ask(Self.columns, headers)
        #expect(status == 403)
        #expect(json["error"]?["status"] == "PERMISSION_DENIED")
    }

    @Test(
        "a wrong key, a country that is not served and a missing model are refused as by the real service",
        arguments: [
            (#"{"kind":"invalidKey"}"#, 400, "INVALID_ARGUMENT"),
            (#"{"kind":"unservedRegion"}"#, 400, "FAILED_PRECONDITION"),
            (#"{"kind":"missing"}"#, 404, "NOT_FOUND"), (#"{"kind":"status","code":503}"#, 503, "INTERNAL"),
            (#"{"kind":"status","code":403}"#, 403, "PERMISSION_DENIED"),
        ])
    func refusals(fault: String, status: Int, name: String) throws {
        let answer = try ask(fault: fault)
        #expect(answer.status == status)
        #expect(answer.json["error"]?["status"]?.text == name)
        #expect(answer.json["error"]?["code"] == .integer(status))
    }

    @Test("a wrong key is named in the details")
    func wrongKey() throws {
        let details = try ask(fault: #"{"kind":"invalidKey"}"#).json["error"]?["details"]?.elements
        #expect(details?.first?["reason"] == "API_KEY_INVALID")
    }

    @Test("the limit of the minute says how long to wait in its body, and in no header")
    func minuteLimit() throws {
        try emulator.setFaults(#"[{"kind":"status","code":429,"retryAfter":7}]"#)
        let answer = try emulator.answer(.POST, Self.route, Self.columns, Self.key)
        #expect(answer.status == .tooManyRequests)
        #expect(answer.headers["Retry-After"].isEmpty)
        let details = try answer.json()["error"]?["details"]?.elements ?? []
        #expect(details.first?["violations"]?.elements.first?["quotaId"]?.text?.contains("PerMinute") == true)
        #expect(details.last?["retryDelay"] == "7s")
    }

    @Test("the limit of the day names no time")
    func dayLimit() throws {
        let answer = try ask(fault: #"{"kind":"quota"}"#)
        #expect(answer.status == 429)
        let details = answer.json["error"]?["details"]?.elements ?? []
        #expect(details.count == 1)
        #expect(details.first?["violations"]?.elements.first?["quotaId"]?.text?.contains("PerDay") == true)
    }

    @Test("a blocked question has no candidates", arguments: ["SAFETY", "PROHIBITED_CONTENT"])
    func blocked(reason: String) throws {
        let json = try ask(fault: #"{"kind":"blocked","reason":"\#(reason)"}"#).json
        #expect(json["promptFeedback"]?["blockReason"]?.text == reason)
        #expect(json["candidates"] == nil)
    }

    @Test("a blocked answer has no content", arguments: ["SAFETY", "RECITATION"])
    func blockedAnswer(reason: String) throws {
        let candidate = try ask(fault: #"{"kind":"finish","reason":"\#(reason)"}"#).json["candidates"]?.elements.first
        #expect(candidate?["finishReason"]?.text == reason)
        #expect(candidate?["content"]?["parts"] == nil)
    }

    @Test("an answer that is too long is cut off in the middle")
    func cutOff() throws {
        let whole = try #require(text(try ask(Self.photo).json))
        let json = try ask(Self.photo, fault: #"{"kind":"finish","reason":"MAX_TOKENS"}"#).json
        #expect(json["candidates"]?.elements.first?["finishReason"] == "MAX_TOKENS")
        #expect(text(json) == String(whole.prefix(whole.count / 2)))
    }

    @Test("a candidate may be without content, and a model may say anything else")
    func others() throws {
        let empty = try ask(fault: #"{"kind":"empty"}"#).json["candidates"]?.elements.first
        #expect(empty?["finishReason"] == "STOP")
        #expect(empty?["content"]?["parts"] == nil)
        #expect(text(try ask(fault: #"{"kind":"answers","text":"Sure! Here it is:"}"#).json) == "Sure! Here it is:")
    }

    @Test(
        "another path and an empty question are refused",
        arguments: [
            ("/gemini/v1beta/models/m:streamGenerateContent", 404), ("/gemini/v1/models/m:generateContent", 404),
            ("/gemini/v1beta/models", 404),
        ])
    func paths(path: String, status: UInt) throws {
        #expect(try emulator.answer(.POST, path, Self.columns, Self.key).status.code == status)
    }

    @Test("a question without a text is an invalid argument")
    func noText() throws {
        for body in ["", "{}", #"{"contents":[]}"#, "[1]"] {
            let answer = try ask(body)
            #expect(answer.status == 400)
            #expect(answer.json["error"]?["status"] == "INVALID_ARGUMENT")
        }
    }
}
