import Engines
import NIOCore
import Testing

@Suite("Engine requests and responses")
struct EngineDialectTests {
    private static let question = StructuredQuestion(
        instructions: "Say what the columns mean.", parts: [.text(#"{"columns":[]}"#)],
        answer: .object([
            .init(
                "columns", .array(of: .object([.init("index", .integer), .init("role", .choice(["title", "isbn"]))])))
        ]), maxTokens: 64)

    @Test("Gemini is asked for JSON with an ordered schema, and for as little thinking as possible")
    func geminiRequest() {
        #expect(
            EngineDialect.gemini.body(of: Self.question, model: "m").start == #"""
                {"systemInstruction":{"parts":[{"text":"Say what the columns mean."}]},\#
                "contents":[{"role":"user","parts":[{"text":"{\"columns\":[]}"}]}],\#
                "generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT",\#
                "properties":{"columns":{"type":"ARRAY","items":{"type":"OBJECT","properties":{"index":{"type":"INTEGER"},\#
                "role":{"type":"STRING","enum":["title","isbn"]}},"propertyOrdering":["index","role"],\#
                "required":["index","role"]}}},"propertyOrdering":["columns"],"required":["columns"]},\#
                "maxOutputTokens":64,"thinkingConfig":{"thinkingLevel":"minimal"}}}
                """#)
    }

    @Test("an OpenAI-compatible server is asked for JSON with a strict schema and no limit")
    func chatRequest() {
        #expect(
            EngineDialect.chatCompletions.body(of: Self.question, model: "qwen2.5vl:7b").start == #"""
                {"model":"qwen2.5vl:7b","messages":[{"role":"system","content":"Say what the columns mean."},\#
                {"role":"user","content":[{"type":"text","text":"{\"columns\":[]}"}]}],\#
                "response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,\#
                "schema":{"type":"object","properties":{"columns":{"type":"array","items":{"type":"object",\#
                "properties":{"index":{"type":"integer"},"role":{"type":"string","enum":["title","isbn"]}},\#
                "required":["index","role"],"additionalProperties":false}}},"required":["columns"],\#
                "additionalProperties":false}}}}
                """#)
    }

    @Test(
        "a model's name is escaped so it stays within its path segment",
        arguments: [
            ("gemini-3.5-flash-lite", "/models/gemini-3.5-flash-lite:generateContent"),
            ("a/b?c#d e", "/models/a%2Fb%3Fc%23d%20e:generateContent"),
        ])
    func path(model: String, path: String) {
        #expect(EngineDialect.gemini.path(model: model) == path)
        #expect(EngineDialect.chatCompletions.path(model: model) == "/chat/completions")
    }

    /// Response bodies with status 200, and the fault that each one represents; nil for the answer `{}`.
    static let geminiAnswers: [(body: String, fault: AnswerFault?)] = [
        (#"{"candidates":[{"content":{"parts":[{"text":"{"},{"text":"}"}]},"finishReason":"STOP"}]}"#, nil),
        (#"{"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true},{"text":"{}"}]}}]}"#, nil),
        (#"{"promptFeedback":{"blockReason":"SAFETY"}}"#, .blocked(reason: "SAFETY")),
        (
            #"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"candidates":[]}"#,
            .blocked(reason: "PROHIBITED_CONTENT")
        ),
        (#"{"candidates":[{"finishReason":"SAFETY"}]}"#, .blocked(reason: "SAFETY")),
        (
            #"{"candidates":[{"content":{"parts":[{"text":"{}"}]},"finishReason":"SAFETY"}]}"#,
            .blocked(reason: "SAFETY")
        ),
        (#"{"candidates":[{"finishReason":"RECITATION"}]}"#, .blocked(reason: "RECITATION")),
        (#"{"candidates":[{"finishReason":"BLOCKLIST"}]}"#, .blocked(reason: "BLOCKLIST")),
        (#"{"candidates":[{"finishReason":"SPII"}]}"#, .blocked(reason: "SPII")),
        (#"{"candidates":[{"content":{"parts":[{"text":"[1,"}]},"finishReason":"MAX_TOKENS"}]}"#, .cutOff(text: "[1,")),
        (#"{"candidates":[{"finishReason":"MAX_TOKENS"}]}"#, .cutOff(text: "")),
        (#"{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}"#, .empty),
        (#"{"candidates":[{"finishReason":"OTHER"}]}"#, .empty),
        (#"{"candidates":[]}"#, .empty),
        (#"{}"#, .empty),
        (#"[]"#, .malformed),
        ("<html>", .malformed),
        ("", .malformed),
    ]

    @Test("all kinds of Gemini responses are distinguished", arguments: geminiAnswers)
    func geminiAnswer(body: String, fault: AnswerFault?) {
        #expect(Self.fault(of: body, .gemini) == fault)
    }

    static let chatAnswers: [(body: String, fault: AnswerFault?)] = [
        (#"{"choices":[{"message":{"content":"{}"},"finish_reason":"stop"}]}"#, nil),
        (#"{"choices":[{"message":{"content":"{}","refusal":null}}]}"#, nil),
        (#"{"choices":[{"message":{"content":"```json\n{}\n```\n"},"finish_reason":"stop"}]}"#, nil),
        (#"{"choices":[{"message":{"content":null,"refusal":"I cannot."}}]}"#, .blocked(reason: "refusal")),
        (
            #"{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}"#,
            .blocked(reason: "content_filter")
        ),
        (#"{"choices":[{"message":{"content":"[1,"},"finish_reason":"length"}]}"#, .cutOff(text: "[1,")),
        (#"{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}"#, .empty),
        (#"{"choices":[]}"#, .empty),
        ("null", .malformed),
    ]

    @Test("all kinds of responses from an OpenAI-compatible server are distinguished", arguments: chatAnswers)
    func chatAnswer(body: String, fault: AnswerFault?) {
        #expect(Self.fault(of: body, .chatCompletions) == fault)
    }

    private static func fault(of body: String, _ dialect: EngineDialect) -> AnswerFault? {
        do throws(AnswerFault) {
            let answer = try dialect.answer(body.utf8)
            #expect(answer.json == "{}")
            return nil
        } catch {
            return error
        }
    }

    private static let daily = #"{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}"#
    private static let minute = #"{"violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]}"#

    static let geminiRefusals: [(status: Int, error: String, refusal: EngineRefusal)] = [
        (400, #""status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]"#, .key),
        (400, #""status":"FAILED_PRECONDITION","message":"User location is not supported for the API use.""#, .region),
        (400, #""status":"INVALID_ARGUMENT""#, .other),
        (401, "", .key),
        (403, #""status":"PERMISSION_DENIED""#, .key),
        (404, #""status":"NOT_FOUND""#, .model),
        (429, #""details":[\#(minute),{"retryDelay":"34.5s"}]"#, .rate(retryAfter: .milliseconds(34_500))),
        (429, #""details":[\#(minute),{"retryDelay":"soon"}]"#, .rate(retryAfter: nil)),
        (429, #""status":"RESOURCE_EXHAUSTED""#, .rate(retryAfter: nil)),
        (429, #""details":[\#(minute),\#(daily),{"retryDelay":"34s"}]"#, .dailyQuota),
        (
            429,
            #""message":"Quota exceeded for metric: requests, limit: 0, model: gemini-2.5-flash","details":[\#(daily)]"#,
            .model
        ),
        (500, #""status":"INTERNAL""#, .other),
        (503, #""status":"UNAVAILABLE""#, .other),
    ]

    @Test("all kinds of Gemini error responses are distinguished", arguments: geminiRefusals)
    func geminiRefusal(status: Int, error: String, refusal: EngineRefusal) {
        #expect(EngineDialect.gemini.refusal(status, #"{"error":{\#(error)}}"#.utf8) == refusal)
    }

    static let chatRefusals: [(status: Int, body: String, refusal: EngineRefusal)] = [
        (401, #"{"error":{"code":"invalid_api_key"}}"#, .key),
        (403, #"{"error":{"code":"unsupported_country_region_territory"}}"#, .region),
        (403, "", .key),
        (404, #"{"error":{"message":"model \"x\" not found, try pulling it first","code":null}}"#, .model),
        (400, #"{"error":{"code":"model_not_found"}}"#, .model),
        (429, #"{"error":{"code":"insufficient_quota"}}"#, .dailyQuota),
        (429, #"{"error":{"code":"rate_limit_exceeded"}}"#, .rate(retryAfter: nil)),
        (500, "<html>", .other),
    ]

    @Test("all kinds of error responses from an OpenAI-compatible server are distinguished", arguments: chatRefusals)
    func chatRefusal(status: Int, body: String, refusal: EngineRefusal) {
        #expect(EngineDialect.chatCompletions.refusal(status, body.utf8) == refusal)
    }

    @Test("an error response that is not JSON is classified by its status")
    func withoutBody() {
        #expect(EngineDialect.gemini.refusal(404, "<html>".utf8) == .model)
        #expect(EngineDialect.gemini.refusal(502, "".utf8) == .other)
    }
}
