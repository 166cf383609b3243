import NIOCore
import NIOHTTP1

/// Answers as the Gemini API would (https://ai.google.dev/api/generate-content).
struct GeminiAPI: Sendable {
    /// The prompt; nil unless the route is `generateContent`.
    let question: EngineQuestion?

    /// - Parameter target: The target without the provider's prefix.
    init(_ target: RequestTarget, body: ByteBuffer) {
        let path = target.components
        guard path.count == 3, path[..<2] == ["v1beta", "models"], path[2].hasSuffix(":generateContent") else {
            question = nil
            return
        }
        let contents = (try? JSONValue(parsing: Array(body.readableBytesView)))?["contents"]?.elements ?? []
        let parts = contents.flatMap { $0["parts"]?.elements ?? [] }
        question = EngineQuestion(
            model: String(path[2].dropLast(":generateContent".count)),
            texts: parts.compactMap { $0["text"]?.text },
            photo: parts.lazy.compactMap { $0["inlineData"]?["data"]?.text }.first ?? "")
    }

    /// - Parameter key: The `x-goog-api-key` header; any string that is not empty is accepted as a key.
    func answer(_ substitutions: Substitutions, key: String?, fault: EngineFault? = nil) -> Answer {
        guard let question else { return .googleStatus(.notFound, "NOT_FOUND", "Not Found") }
        guard key?.isEmpty == false else {
            return .googleStatus(
                .forbidden, "PERMISSION_DENIED", "Method doesn't allow unregistered callers.")
        }
        guard substitutions[.model(question.model)] != .missing else {
            return .googleStatus(
                .notFound, "NOT_FOUND", "models/\(question.model) is not found for API version v1beta.")
        }
        guard !question.texts.isEmpty else {
            return .googleStatus(.badRequest, "INVALID_ARGUMENT", "contents is not specified")
        }
        return .json(body(question, fault))
    }

    private func body(_ question: EngineQuestion, _ fault: EngineFault?) -> JSONValue {
        let version = JSONValue.Member(name: "modelVersion", value: .string(question.model))
        switch fault {
        case .blocked(let reason):
            return .object([.init(name: "promptFeedback", value: ["blockReason": .string(reason)]), version])
        case .answers(let text): return candidates(text, "STOP", version)
        case .finish(let reason):
            // A blocked response has no content; a response that is too long is truncated.
            let text = reason == "MAX_TOKENS" ? String(question.answer.prefix(question.answer.count / 2)) : nil
            return candidates(text, reason, version)
        case .empty: return candidates(nil, "STOP", version)
        case nil: return candidates(question.answer, "STOP", version)
        }
    }

    private func candidates(_ text: String?, _ reason: String, _ version: JSONValue.Member) -> JSONValue {
        let content: JSONValue = text.map { ["parts": [["text": .string($0)]], "role": "model"] } ?? ["role": "model"]
        let candidate: JSONValue = ["content": content, "finishReason": .string(reason), "index": 0]
        return .object([.init(name: "candidates", value: [candidate]), version])
    }
}

extension Answer {
    /// An error response from a Google API (https://cloud.google.com/apis/design/errors).
    static func googleStatus(
        _ code: HTTPResponseStatus, _ status: String, _ message: String, details: [JSONValue] = []
    ) -> Answer {
        .json(
            [
                "error": [
                    "code": .integer(Int(code.code)), "message": .string(message), "status": .string(status),
                    "details": .array(details),
                ]
            ], status: code)
    }

    /// Gemini's 429: contains the exceeded limit and, with `retryAfter`, the number of seconds after which to retry
    /// (https://ai.google.dev/gemini-api/docs/rate-limits).
    static func geminiLimit(_ quota: String, retryAfter: Int?) -> Answer {
        let failure: JSONValue = [
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [
                ["quotaId": .string("GenerateRequests\(quota)PerProjectPerModel-FreeTier")]
            ],
        ]
        let retry = retryAfter.map { seconds -> JSONValue in
            ["@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": .string("\(seconds)s")]
        }
        return googleStatus(
            .tooManyRequests, "RESOURCE_EXHAUSTED", "You exceeded your current quota.",
            details: [failure] + (retry.map { [$0] } ?? []))
    }
}
