import NIOCore
import NIOHTTP1

/// Answers as an OpenAI-compatible server would (https://platform.openai.com/docs/api-reference/chat).
struct ChatCompletionAPI: Sendable {
    private enum Route: Sendable {
        case completion(EngineQuestion)
        /// `GET models`
        case models
        case unknown
    }

    private let route: Route

    /// - Parameter target: The target without the provider's prefix.
    init(_ target: RequestTarget, body: ByteBuffer) {
        switch target.components {
        case ["v1", "models"]: route = .models
        case ["v1", "chat", "completions"]:
            let json = try? JSONValue(parsing: Array(body.readableBytesView))
            let messages = json?["messages"]?.elements.filter { $0["role"]?.text == "user" } ?? []
            let parts = messages.flatMap { $0["content"]?.elements ?? [] }
            route = .completion(
                EngineQuestion(
                    model: json?["model"]?.text ?? "", texts: parts.compactMap { $0["text"]?.text },
                    photo: parts.lazy.compactMap { $0["image_url"]?["url"]?.text }.first ?? ""))
        default: route = .unknown
        }
    }

    var question: EngineQuestion? {
        if case .completion(let question) = route { question } else { nil }
    }

    func answer(_ substitutions: Substitutions, fault: EngineFault? = nil) -> Answer {
        switch route {
        case .models: return .json(["object": "list", "data": [["id": "emulated-model", "object": "model"]]])
        case .unknown: return .chatError(.notFound, "Not Found", code: nil)
        case .completion(let question) where substitutions[.model(question.model)] == .missing:
            return .chatError(
                .notFound, "The model `\(question.model)` does not exist.", code: "model_not_found")
        case .completion(let question): return completion(question, fault)
        }
    }

    private func completion(_ question: EngineQuestion, _ fault: EngineFault?) -> Answer {
        var message: JSONValue = ["role": "assistant"]
        var reason = "stop"
        switch fault {
        case .blocked(let reason): message = message.setting("refusal", to: .string(reason))
        case .answers(let text): message = message.setting("content", to: .string(text))
        case .finish(let given):
            reason = given
            let text = given == "length" ? String(question.answer.prefix(question.answer.count / 2)) : ""
            message = message.setting("content", to: .string(text))
        case .empty: message = message.setting("content", to: "")
        case nil: message = message.setting("content", to: .string(question.answer))
        }
        let choice: JSONValue = ["index": 0, "message": message, "finish_reason": .string(reason)]
        return .json(["object": "chat.completion", "model": .string(question.model), "choices": [choice]])
    }
}

extension Answer {
    /// An error from OpenAI's API (https://platform.openai.com/docs/guides/error-codes).
    static func chatError(_ status: HTTPResponseStatus, _ message: String, code: String?) -> Answer {
        .json(
            ["error": ["message": .string(message), "code": code.map { .string($0) } ?? .null]], status: status)
    }
}
