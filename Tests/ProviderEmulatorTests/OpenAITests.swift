import NIOHTTP1
import Testing

@testable import ProviderEmulator

/// Behaviour.md "OpenAI-compatible server (`/openai/v1`)", rule by rule.
@Suite("OpenAI-compatible server")
struct OpenAITests {
    private static let route = "/openai/v1/chat/completions"
    private static let columns = """
        {"model":"qwen2.5vl:7b","messages":[{"role":"system","content":"Say what the columns mean."},\
        {"role":"user","content":[{"type":"text","text":"{\\"columns\\":[{\\"index\\":3,\\"header\\":\\"Teitl\\"}]}"}]}]}
        """
    private static let photo = """
        {"model":"m","messages":[{"role":"user","content":[{"type":"image_url",\
        "image_url":{"url":"data:image/jpeg;base64,AAAA"}},{"type":"text","text":"List the books."}]}]}
        """

    private let emulator: EmulatorInMemory

    init() throws { emulator = try EmulatorInMemory() }

    private func ask(_ body: String = columns, fault: String? = nil) throws -> (status: Int, json: JSONValue) {
        if let fault { try emulator.setFaults("[\(fault)]") }
        let answer = try emulator.answer(.POST, Self.route, body, ["Authorization": "Bearer k"])
        return (Int(answer.status.code), try answer.json())
    }

    private func choice(_ json: JSONValue) -> JSONValue? { json["choices"]?.elements.first }

    @Test("columns get their roles, and no key is needed")
    func mapping() throws {
        let answer = try emulator.answer(.POST, Self.route, Self.columns)
        #expect(answer.status == .ok)
        let json = try answer.json()
        #expect(json["object"] == "chat.completion")
        #expect(json["model"] == "qwen2.5vl:7b")
        #expect(choice(json)?["message"]?["role"] == "assistant")
        #expect(choice(json)?["message"]?["content"] == #"{"columns":[{"index":3,"role":"title"}]}"#)
        #expect(choice(json)?["finish_reason"] == "stop")
    }

    @Test("every photo is the same shelf")
    func shelf() throws {
        let content = choice(try ask(Self.photo).json)?["message"]?["content"]?.text
        #expect(content?.contains(#""title":"Jane Eyre""#) == true)
    }

    @Test("the models are listed")
    func models() throws {
        let json = try emulator.answer(.GET, "/openai/v1/models").json()
        #expect(json["object"] == "list")
        #expect(json["data"]?.elements.map { $0["id"] } == ["emulated-model"])
    }

    @Test(
        "refusals have the codes of the real service",
        arguments: [
            (#"{"kind":"invalidKey"}"#, 401, "invalid_api_key"),
            (#"{"kind":"unservedRegion"}"#, 403, "unsupported_country_region_territory"),
            (#"{"kind":"missing"}"#, 404, "model_not_found"), (#"{"kind":"quota"}"#, 429, "insufficient_quota"),
            (#"{"kind":"status","code":500}"#, 500, nil),
        ] as [(String, Int, String?)])
    func refusals(fault: String, status: Int, code: String?) throws {
        let answer = try ask(fault: fault)
        #expect(answer.status == status)
        #expect(answer.json["error"]?["code"]?.text == code)
    }

    @Test("a wrong key is refused only if one is sent")
    func keyless() throws {
        try emulator.setFaults(#"[{"kind":"invalidKey"}]"#)
        #expect(try emulator.answer(.POST, Self.route, Self.columns).status == .ok)
    }

    @Test("too many requests say when to come back")
    func tooMany() throws {
        try emulator.setFaults(#"[{"kind":"status","code":429,"retryAfter":3}]"#)
        let answer = try emulator.answer(.POST, Self.route, Self.columns)
        #expect(answer.status == .tooManyRequests)
        #expect(answer.headers["Retry-After"] == ["3"])
    }

    @Test("a model that refuses says so instead of an answer")
    func refusal() throws {
        let message = choice(try ask(fault: #"{"kind":"blocked","reason":"I cannot help."}"#).json)?["message"]
        #expect(message?["refusal"] == "I cannot help.")
        #expect(message?["content"] == nil)
    }

    @Test("a filtered answer is empty, one that is too long is cut off")
    func finished() throws {
        let filtered = choice(try ask(fault: #"{"kind":"finish","reason":"content_filter"}"#).json)
        #expect(filtered?["finish_reason"] == "content_filter")
        #expect(filtered?["message"]?["content"] == "")
        let long = choice(try ask(Self.photo, fault: #"{"kind":"finish","reason":"length"}"#).json)
        #expect(long?["finish_reason"] == "length")
        #expect(long?["message"]?["content"]?.text?.hasPrefix(#"{"books":["#) == true)
        #expect(long?["message"]?["content"]?.text?.hasSuffix("}]}") == false)
    }

    @Test("an answer may be empty or something else")
    func others() throws {
        #expect(choice(try ask(fault: #"{"kind":"empty"}"#).json)?["message"]?["content"] == "")
        #expect(choice(try ask(fault: #"{"kind":"answers","text":"Hm."}"#).json)?["message"]?["content"] == "Hm.")
    }

    @Test("other paths are unknown", arguments: ["/openai/v1/completions", "/openai/v2/models", "/openai"])
    func paths(path: String) throws {
        #expect(try emulator.answer(.POST, path, Self.columns).status == .notFound)
    }
}
