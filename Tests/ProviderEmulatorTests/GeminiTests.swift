import NIOHTTP1
import Testing

@testable import ProviderEmulator

@Suite("Emulated Gemini")
struct GeminiTests {
    private static let route = "/gemini/v1beta/models/gemini-2.5-flash:generateContent"
    private static let key: HTTPHeaders = ["x-goog-api-key": "any"]
    private static let question =
        #"{"contents":[{"parts":[{"text":"{\"columns\":[{\"index\":0,\"header\":\"Heiti\"}]}"}]}]}"#

    private func answer(
        faults: String = "[]", route: String = route, key: HTTPHeaders = key, question: String = question
    ) throws -> Answer {
        try InProcessEmulator(faults: faults).answer(.POST, route, headers: key, body: question)
    }

    private func firstText(_ answer: Answer) throws -> String? {
        let content = try answer.json["candidates"]?.elements.first?["content"]
        return content?["parts"]?.elements.first?["text"]?.text
    }

    @Test("a response has one candidate with the finish reason STOP, and contains the model's name")
    func candidate() throws {
        let answer = try answer()
        #expect(answer.status == .ok)
        #expect(try firstText(answer) == #"{"columns":[{"index":0,"role":"title"}]}"#)
        #expect(try answer.json["candidates"]?.elements.count == 1)
        #expect(try answer.json["candidates"]?.elements.first?["finishReason"] == "STOP")
        #expect(try answer.json["candidates"]?.elements.first?["content"]?["role"] == "model")
        #expect(try answer.json["modelVersion"] == "gemini-2.5-flash")
    }

    @Test(
        "a request with no key or with an empty key is refused as coming from an unregistered caller",
        arguments: [[:], ["x-goog-api-key": ""]])
    func withoutKey(headers: [String: String]) throws {
        let answer = try answer(key: HTTPHeaders(headers.map { ($0.key, $0.value) }))
        #expect(answer.status == .forbidden)
        #expect(
            answer.text
                == #"{"error":{"code":403,"message":"Method doesn't allow unregistered callers.","#
                + #""status":"PERMISSION_DENIED","details":[]}}"#)
    }

    @Test(
        "a request body with no text is refused as an invalid argument",
        arguments: ["", "{}", "not JSON", #"{"contents":[]}"#, #"{"contents":[{"parts":[{"inlineData":{}}]}]}"#])
    func invalid(body: String) throws {
        let answer = try answer(question: body)
        #expect(answer.status == .badRequest)
        #expect(try answer.json["error"]?["status"] == "INVALID_ARGUMENT")
    }

    @Test(
        "an unknown route returns a 404",
        arguments: [
            "/gemini/v1beta/models/x:streamGenerateContent", "/gemini/v1beta/models",
            "/gemini/v1/models/x:generateContent",
            "/gemini/v1beta/tunedModels/x:generateContent", "/gemini",
        ])
    func otherRoutes(route: String) throws {
        let answer = try answer(route: route)
        #expect(answer.status == .notFound)
        #expect(try answer.json["error"]?["status"] == "NOT_FOUND")
    }

    @Test(
        "an error has the code and the status name of the real service",
        arguments: [
            (#"{"kind":"invalidKey"}"#, 400, "INVALID_ARGUMENT"),
            (#"{"kind":"unservedRegion"}"#, 400, "FAILED_PRECONDITION"),
            (#"{"kind":"missing"}"#, 404, "NOT_FOUND"), (#"{"kind":"quota"}"#, 429, "RESOURCE_EXHAUSTED"),
            (#"{"kind":"status","code":429}"#, 429, "RESOURCE_EXHAUSTED"),
            (#"{"kind":"status","code":403}"#, 403, "PERMISSION_DENIED"),
            (#"{"kind":"status","code":500}"#, 500, "INTERNAL"), (#"{"kind":"status","code":503}"#, 503, "INTERNAL"),
        ])
    func refusals(rule: String, code: UInt, status: String) throws {
        let answer = try answer(faults: "[\(rule)]")
        #expect(answer.status.code == code)
        #expect(try answer.json["error"]?["code"]?.integer == Int(code))
        #expect(try answer.json["error"]?["status"]?.text == status)
    }

    @Test("the error for a wrong key contains the reason in its details")
    func wrongKey() throws {
        let details = try answer(faults: #"[{"kind":"invalidKey"}]"#).json["error"]?["details"]?.elements
        #expect(details?.map { $0["reason"] } == ["API_KEY_INVALID"])
    }

    @Test("the per-minute limit's error states the retry time in its body, not in a header")
    func minuteLimit() throws {
        let answer = try answer(faults: #"[{"kind":"status","code":429,"retryAfter":31}]"#)
        let details = try #require(try answer.json["error"]?["details"]?.elements)
        #expect(answer.header("Retry-After") == nil)
        #expect(details.map { $0["@type"]?.text?.split(separator: ".").last } == ["QuotaFailure", "RetryInfo"])
        #expect(details.last?["retryDelay"] == "31s")
        let quota = details.first?["violations"]?.elements.first?["quotaId"]
        #expect(quota == "GenerateRequestsPerMinutePerProjectPerModel-FreeTier")
    }

    @Test("the daily limit's error states no retry time")
    func dayLimit() throws {
        let details = try #require(try answer(faults: #"[{"kind":"quota"}]"#).json["error"]?["details"]?.elements)
        #expect(details.count == 1)
        let quota = details.first?["violations"]?.elements.first?["quotaId"]
        #expect(quota == "GenerateRequestsPerDayPerProjectPerModel-FreeTier")
    }

    @Test("the response to a blocked question contains a reason and no candidates")
    func blocked() throws {
        let answer = try answer(faults: #"[{"kind":"blocked","reason":"PROHIBITED_CONTENT"}]"#)
        #expect(answer.status == .ok)
        #expect(
            answer.text
                == #"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"modelVersion":"gemini-2.5-flash"}"#)
    }

    @Test(
        "a blocked answer has no text, and a truncated one has the first half of the text",
        arguments: [
            ("SAFETY", nil), ("RECITATION", nil), ("MAX_TOKENS", #"{"columns":[{"index""#),
        ])
    func finished(reason: String, text: String?) throws {
        let answer = try answer(faults: #"[{"kind":"finish","reason":"\#(reason)"}]"#)
        #expect(try answer.json["candidates"]?.elements.first?["finishReason"]?.text == reason)
        #expect(try firstText(answer) == text)
    }

    @Test("a candidate with no text has the finish reason STOP")
    func empty() throws {
        let candidate = try answer(faults: #"[{"kind":"empty"}]"#).json["candidates"]?.elements.first
        #expect(candidate?.json == #"{"content":{"role":"model"},"finishReason":"STOP","index":0}"#)
    }

    @Test("a model can be made to return any given text")
    func otherText() throws {
        let answer = try answer(faults: #"[{"kind":"answers","text":"I like turtles."}]"#)
        #expect(try firstText(answer) == "I like turtles.")
    }

    @Test("a request with no key is refused before a model fault applies")
    func keyFirst() throws {
        let answer = try answer(faults: #"[{"kind":"answers","text":"hello"}]"#, key: [:])
        #expect(answer.status == .forbidden)
    }

    @Test("a request with no key receives the same error even under an invalidKey fault")
    func missingAndWrongKey() throws {
        #expect(try answer(faults: #"[{"kind":"invalidKey"}]"#, key: [:]).status == .forbidden)
    }
}
