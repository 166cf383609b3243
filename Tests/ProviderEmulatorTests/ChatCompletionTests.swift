import NIOCore
import NIOHTTP1
import Testing

@testable import ProviderEmulator

@Suite("Emulated OpenAI-compatible server")
struct ChatCompletionTests {
    private static let route = "/openai/v1/chat/completions"
    private static let question =
        #"{"model":"llama3","messages":[{"role":"system","content":[{"type":"text","text":"ignored"}]},"#
        + #"{"role":"user","content":[{"type":"text","text":"{\"columns\":[{\"index\":2,\"header\":\"awdur\"}]}"}]}]}"#

    private func answer(
        faults: String = "[]", headers: HTTPHeaders = [:], question: String = question
    ) throws -> Answer {
        try InProcessEmulator(faults: faults).answer(.POST, Self.route, headers: headers, body: question)
    }

    private func choice(_ answer: Answer) throws -> JSONValue? { try answer.json["choices"]?.elements.first }

    @Test("a request without a key returns one choice, a message from the assistant")
    func completion() throws {
        let answer = try answer()
        #expect(answer.status == .ok)
        #expect(try answer.json["object"] == "chat.completion")
        #expect(try answer.json["model"] == "llama3")
        #expect(try answer.json["choices"]?.elements.count == 1)
        let message = try choice(answer)?["message"]
        #expect(message?["role"] == "assistant")
        #expect(message?["content"] == #"{"columns":[{"index":2,"role":"author"}]}"#)
        #expect(try choice(answer)?["finish_reason"] == "stop")
    }

    @Test("the models can be listed")
    func models() throws {
        let answer = try InProcessEmulator().answer(.GET, "/openai/v1/models")
        #expect(answer.text == #"{"object":"list","data":[{"id":"emulated-model","object":"model"}]}"#)
    }

    @Test(
        "an unknown route returns a 404", arguments: ["/openai/v1/completions", "/openai/chat/completions", "/openai"])
    func otherRoutes(route: String) throws {
        let answer = try InProcessEmulator().answer(.POST, route, body: Self.question)
        #expect(answer.status == .notFound)
        #expect(answer.text == #"{"error":{"message":"Not Found","code":null}}"#)
    }

    @Test(
        "the response to a request that cannot be parsed has an empty JSON object as its content",
        arguments: ["", "{}", "nonsense"])
    func unreadable(body: String) throws {
        let answer = try answer(question: body)
        #expect(answer.status == .ok)
        #expect(try choice(answer)?["message"]?["content"] == "{}")
    }

    @Test(
        "an error has the status and the code of the real service",
        arguments: [
            (#"{"kind":"unservedRegion"}"#, 403, "unsupported_country_region_territory"),
            (#"{"kind":"missing"}"#, 404, "model_not_found"), (#"{"kind":"quota"}"#, 429, "insufficient_quota"),
            (#"{"kind":"status","code":429}"#, 429, nil), (#"{"kind":"status","code":500}"#, 500, nil),
        ])
    func refusals(rule: String, status: UInt, code: String?) throws {
        let answer = try answer(faults: "[\(rule)]")
        #expect(answer.status.code == status)
        #expect(try answer.json["error"]?["code"] == (code.map { .string($0) } ?? .null))
    }

    @Test(
        "a rate-limit error has a Retry-After header, and an insufficient-credit error has none",
        arguments: [
            (#"{"kind":"status","code":429,"retryAfter":9}"#, "9"), (#"{"kind":"quota"}"#, nil),
        ])
    func retryAfter(rule: String, seconds: String?) throws {
        #expect(try answer(faults: "[\(rule)]").header("Retry-After") == seconds)
    }

    @Test(
        "a wrong key returns a 401, and a request with no key still succeeds",
        arguments: [
            (["Authorization": "Bearer wrong"], 401), ([:], 200),
        ] as [([String: String], UInt)])
    func wrongKey(headers: [String: String], status: UInt) throws {
        let answer = try answer(
            faults: #"[{"kind":"invalidKey"}]"#, headers: HTTPHeaders(headers.map { ($0.key, $0.value) }))
        #expect(answer.status.code == status)
        #expect(answer.text.contains(#""code":"invalid_api_key""#) == (status == 401))
    }

    @Test("the error for a missing model names it, and a rule that is used up affects no later request")
    func oneModel() throws {
        let emulator = try InProcessEmulator(faults: #"[{"kind":"missing","path":"chat","times":1}]"#)
        let missing = try emulator.answer(.POST, Self.route, body: Self.question)
        #expect(try missing.json["error"]?["message"] == "The model `llama3` does not exist.")
        #expect(try emulator.answer(.POST, Self.route, body: Self.question).status == .ok)
    }

    @Test("a model's refusal is returned in its own member, in place of the content")
    func refusedByModel() throws {
        let message = try choice(try answer(faults: #"[{"kind":"blocked","reason":"I cannot."}]"#))?["message"]
        #expect(message?.json == #"{"role":"assistant","refusal":"I cannot."}"#)
    }

    @Test(
        "a truncated response contains the first half of the text, and a filtered one contains no text",
        arguments: [
            ("length", #"{"columns":[{"index""#), ("content_filter", ""),
        ])
    func finished(reason: String, text: String) throws {
        let choice = try choice(try answer(faults: #"[{"kind":"finish","reason":"\#(reason)"}]"#))
        #expect(choice?["finish_reason"]?.text == reason)
        #expect(choice?["message"]?["content"]?.text == text)
    }

    @Test(
        "a model can be made to return no text or any given text",
        arguments: [
            (#"{"kind":"empty"}"#, ""), (#"{"kind":"answers","text":"42"}"#, "42"),
        ])
    func texts(rule: String, text: String) throws {
        let choice = try choice(try answer(faults: "[\(rule)]"))
        #expect(choice?["message"]?["content"]?.text == text)
        #expect(choice?["finish_reason"] == "stop")
    }

    @Test("the log contains the requested model")
    func logged() throws {
        let emulator = try InProcessEmulator()
        _ = try emulator.answer(.POST, Self.route, body: Self.question)
        let line = try JSONValue(
            parsing: Array(try emulator.answer(.GET, "/_emulator/log").body.readableBytesView.dropLast()))
        #expect(line["keys"] == ["llama3"])
        #expect(line["path"] == "/v1/chat/completions")
    }
}
