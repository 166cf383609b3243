internal import JSON
internal import NIOCore

/// A question to a server with OpenAI's route (https://platform.openai.com/docs/api-reference/chat/create). The length of the answer is not limited,
/// because the limit's name differs between models and servers, and many refuse a name that they do not know.
struct ChatCompletionRequest: Encodable {
    static let path = "/chat/completions"

    private struct Message: Encodable {
        struct Photo: Encodable {
            let url: String
        }

        struct Part: Encodable {
            private enum CodingKeys: String, CodingKey {
                case type, text
                case photo = "image_url"
            }

            let type: String
            var text: String?
            var photo: Photo?
        }

        enum Content: Encodable {
            case text(String)
            case parts([Part])

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .text(let text): try container.encode(text)
                case .parts(let parts): try container.encode(parts)
                }
            }
        }

        let role: String
        let content: Content
    }

    private struct Format: Encodable {
        struct Named: Encodable {
            let name = "answer"
            let strict = true
            let schema: SchemaJSON
        }

        enum CodingKeys: String, CodingKey {
            case type
            case schema = "json_schema"
        }

        let type = "json_schema"
        let schema: Named
    }

    private enum CodingKeys: String, CodingKey {
        case model, messages
        case format = "response_format"
    }

    private let model: String
    private let messages: [Message]
    private let format: Format

    /// - Parameter photo: Placeholder for the bytes of a photo.
    init(_ question: StructuredQuestion, model: String, photo: String) {
        self.model = model
        let parts = question.parts.map { part in
            switch part {
            case .text(let text): Message.Part(type: "text", text: text)
            case .photo(let type):
                Message.Part(type: "image_url", photo: .init(url: "data:\(type);base64,\(photo)"))
            }
        }
        messages = [
            Message(role: "system", content: .text(question.instructions)),
            Message(role: "user", content: .parts(parts)),
        ]
        format = Format(schema: .init(schema: SchemaJSON(question.answer, as: .jsonSchema)))
    }

    /// The request as JSON. Strings, numbers and Booleans can always be encoded.
    var json: ByteBuffer { (try? JSONCoding.encode(self)) ?? ByteBuffer() }
}

/// Reads a response from a server with OpenAI's route (https://platform.openai.com/docs/api-reference/chat/object).
enum ChatCompletionAnswer {
    static func read(_ body: some Sequence<UInt8>) throws(AnswerFault) -> EngineAnswer {
        guard let root = (try? JSONDocument(body))?.root, root.isObject else { throw .malformed }
        if ChatCompletionError(body).isAboutPhoto { throw .unreadable }
        guard let choice = root.list("choices", limit: 1, \.self).first else { throw .empty }
        let text = choice["message"]?["content"]?.string ?? ""
        switch choice["finish_reason"]?.string {
        case "content_filter": throw .blocked(reason: "content_filter")
        case "length": throw .cutOff(text: text)
        case _ where choice["message"]?["refusal"]?.string?.isEmpty == false: throw .blocked(reason: "refusal")
        case _ where text.isEmpty: throw .empty
        default: return EngineAnswer(json: withoutFence(text))
        }
    }

    /// The text without the Markdown code fence around it, if there is one (https://spec.commonmark.org/0.31.2/#fenced-code-blocks). Models write one
    /// if their server does not enforce the schema.
    private static func withoutFence(_ text: String) -> String {
        let fence = "```"
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count > 2, lines[0].hasPrefix(fence), lines[lines.count - 1] == fence else { return text }
        return lines.dropFirst().dropLast().joined(separator: "\n")
    }
}

/// An error from a server with OpenAI's route (https://platform.openai.com/docs/guides/error-codes). Its format differs between programs, so the code
/// may be missing; the status alone then decides.
struct ChatCompletionError {
    private let code: String?

    init(_ body: some Sequence<UInt8>) { code = (try? JSONDocument(body))?.root["error"]?["code"]?.string }

    /// Codes of the suite's own shelf reader for a photo that is damaged, too large or of an unsupported type, or takes too long to read.
    private static let photoCodes: Set<String> = ["invalid_image", "image_failed"]

    var isAboutPhoto: Bool { code.map(Self.photoCodes.contains) ?? false }

    func refusal(_ status: Int) -> EngineRefusal {
        switch (status, code) {
        case _ where isAboutPhoto: .photo
        case (_, "insufficient_quota"), (402, _): .dailyQuota
        case (403, "unsupported_country_region_territory"): .region
        case (_, "model_not_found"), (404, _): .model
        case (401, _), (403, _): .key
        case (429, _): .rate(retryAfter: nil)
        default: .other
        }
    }
}
