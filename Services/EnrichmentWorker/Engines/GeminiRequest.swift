internal import Foundation
internal import JSON
internal import NIOCore

/// A question to Gemini (https://ai.google.dev/api/generate-content). Models from 3 on ignore a temperature and refuse penalties, so none is
/// sent.
struct GeminiRequest: Encodable {
    private struct Content: Encodable {
        struct Part: Encodable {
            let text: String
        }

        let role: String?
        let parts: [Part]
    }

    private struct Generation: Encodable {
        struct Thinking: Encodable {
            let thinkingLevel = "minimal"
        }

        let responseMimeType = "application/json"
        let responseSchema: GeminiSchema
        let maxOutputTokens: Int
        let thinkingConfig = Thinking()
    }

    private let systemInstruction: Content
    private let contents: [Content]
    private let generationConfig: Generation

    init(_ question: StructuredQuestion) {
        systemInstruction = Content(role: nil, parts: [.init(text: question.instructions)])
        let parts = question.parts.map { part in
            switch part {
            case .text(let text): Content.Part(text: text)
            }
        }
        contents = [Content(role: "user", parts: parts)]
        generationConfig = Generation(
            responseSchema: GeminiSchema(question.answer), maxOutputTokens: question.mostTokens)
    }

    /// The key is sent in a header, never here: addresses end up in logs.
    static func path(model: String) -> String {
        // RFC 3986 §2.3: only unreserved characters are safe in every part of an address.
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        let name = model.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: letters)) ?? ""
        return "/models/\(name):generateContent"
    }

    /// Texts and whole numbers always have JSON.
    var json: ByteBuffer { (try? JSONCoding.encode(self)) ?? ByteBuffer() }
}

/// The subset of OpenAPI 3.0 that Gemini knows (https://ai.google.dev/api/caching#Schema).
private struct GeminiSchema: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type, properties, propertyOrdering, required, items, `enum`
    }

    private let schema: AnswerSchema

    init(_ schema: AnswerSchema) { self.schema = schema }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch schema {
        case .object(let properties):
            try container.encode("OBJECT", forKey: .type)
            var members = container.nestedContainer(keyedBy: PropertyKey.self, forKey: .properties)
            for property in properties {
                try members.encode(GeminiSchema(property.schema), forKey: PropertyKey(property.name))
            }
            try container.encode(properties.map(\.name), forKey: .propertyOrdering)
            try container.encode(properties.map(\.name), forKey: .required)
        case .array(let element):
            try container.encode("ARRAY", forKey: .type)
            try container.encode(GeminiSchema(element), forKey: .items)
        case .integer:
            try container.encode("INTEGER", forKey: .type)
        case .choice(let texts):
            try container.encode("STRING", forKey: .type)
            try container.encode(texts, forKey: .enum)
        }
    }
}

/// The name of a property.
struct PropertyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
