/// How questions are encoded for a kind of engine and how its responses are decoded. The worker makes the calls.
package enum EngineDialect: Sendable, Equatable {
    /// Google's Gemini API (``GeminiRequest``).
    case gemini
    /// OpenAI's route, which Ollama, llama.cpp and vLLM also serve (``ChatCompletionRequest``).
    case chatCompletions

    /// The path, below an engine's base URL, at which servers with OpenAI's route list their models
    /// (https://platform.openai.com/docs/api-reference/models/list).
    package static let modelsPath = "/models"

    /// The path for a question, below the engine's base URL.
    package func path(model: String) -> String {
        switch self {
        case .gemini: GeminiRequest.path(model: model)
        case .chatCompletions: ChatCompletionRequest.path
        }
    }

    /// The request body for a question, into which the sender inserts the photo, if there is one.
    package func body(of question: StructuredQuestion, model: String) -> EngineBody {
        let place = EngineBody.photoPlace()
        return switch self {
        case .gemini: EngineBody(GeminiRequest(question, photo: place).json, photoAt: place)
        case .chatCompletions:
            EngineBody(ChatCompletionRequest(question, model: model, photo: place).json, photoAt: place)
        }
    }

    /// Decodes the body of a 2xx response, or of an error that concerns only the photo.
    package func answer(_ body: some Sequence<UInt8>) throws(AnswerFault) -> EngineAnswer {
        switch self {
        case .gemini: try GeminiAnswer.read(body)
        case .chatCompletions: try ChatCompletionAnswer.read(body)
        }
    }

    /// Decodes a body received with a status of 400 or above.
    package func refusal(_ status: Int, _ body: some Sequence<UInt8>) -> EngineRefusal {
        switch self {
        case .gemini: GeminiError(body).refusal(status)
        case .chatCompletions: ChatCompletionError(body).refusal(status)
        }
    }
}
