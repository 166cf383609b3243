internal import Foundation
internal import JSON
internal import NIOCore

/// A question to Gemini (https://ai.google.dev/api/generate-content). Models from version 3 on ignore a temperature and refuse penalties, so neither
/// is sent.
struct GeminiRequest: Encodable {
    private struct Content: Encodable {
        struct Photo: Encodable {
            let mimeType: String
            let data: String
        }

        struct Part: Encodable {
            var text: String?
            var inlineData: Photo?
        }

        let role: String?
        let parts: [Part]
    }

    private struct Generation: Encodable {
        struct Thinking: Encodable {
            let thinkingLevel = "minimal"
        }

        let responseMimeType = "application/json"
        let responseSchema: SchemaJSON
        let maxOutputTokens: Int
        let thinkingConfig = Thinking()
    }

    /// Maximum number of output tokens of models from 2.5 on (https://ai.google.dev/gemini-api/docs/models).
    private static let maxAnswerTokens = 65_536

    private let systemInstruction: Content
    private let contents: [Content]
    private let generationConfig: Generation

    /// - Parameter photo: Placeholder for the bytes of a photo.
    init(_ question: StructuredQuestion, photo: String) {
        systemInstruction = Content(role: nil, parts: [.init(text: question.instructions)])
        let parts = question.parts.map { part in
            switch part {
            case .text(let text): Content.Part(text: text)
            case .photo(let type): Content.Part(inlineData: .init(mimeType: type, data: photo))
            }
        }
        contents = [Content(role: "user", parts: parts)]
        generationConfig = Generation(
            responseSchema: SchemaJSON(question.answer, as: .openAPI),
            maxOutputTokens: question.maxTokens ?? Self.maxAnswerTokens)
    }

    /// The path for a model. The key is sent in a header, never in the URL, because URLs end up in logs.
    static func path(model: String) -> String {
        // RFC 3986 §2.3: only unreserved characters are safe in every part of a URL.
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        let name = model.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: letters)) ?? ""
        return "/models/\(name):generateContent"
    }

    /// The request as JSON. Strings, numbers and Booleans can always be encoded.
    var json: ByteBuffer { (try? JSONCoding.encode(self)) ?? ByteBuffer() }
}
