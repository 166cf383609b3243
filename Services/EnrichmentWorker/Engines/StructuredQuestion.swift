internal import NIOCore

/// A question to a model: an instruction, the content that it is about, and the schema of the answer.
///
/// The content comes from users: it is data, never an instruction. The answer is a guess, which the caller must check.
package struct StructuredQuestion: Sendable, Equatable {
    package enum Part: Sendable, Equatable {
        case text(String)
        /// The photo, of which there is at most one; the sender of the question inserts its bytes.
        case photo(mediaType: String)
    }

    /// The instruction for the model.
    package var instructions: String
    /// The content, in the order in which the model receives it.
    package var parts: [Part]
    /// The schema of the answer.
    package var answer: AnswerSchema
    /// Maximum length of the answer in tokens, including reasoning tokens; nil for the model's own limit. It is sent only to Gemini.
    package var maxTokens: Int?

    package init(instructions: String, parts: [Part], answer: AnswerSchema, maxTokens: Int? = nil) {
        self.instructions = instructions
        self.parts = parts
        self.answer = answer
        self.maxTokens = maxTokens
    }
}

/// The schema of an answer, limited to types that both kinds of engine support.
package indirect enum AnswerSchema: Sendable, Equatable {
    /// A member of an object.
    package struct Property: Sendable, Equatable {
        let name: String
        let schema: AnswerSchema

        package init(_ name: String, _ schema: AnswerSchema) { (self.name, self.schema) = (name, schema) }
    }

    /// An object with all of these members, in this order.
    case object([Property])
    case array(of: AnswerSchema)
    case integer
    case number
    case text
    /// One of these strings.
    case choice([String])
}

/// The request body for a question: the JSON before and after the photo, which the sender inserts in base64.
package struct EngineBody: Sendable, Equatable {
    /// The JSON up to the photo, or all of it.
    package let start: String
    /// The JSON after the photo; nil if there is no photo.
    package let end: String?

    /// - Parameter place: The placeholder for the photo in `json`.
    init(_ json: ByteBuffer, photoAt place: String) {
        let text = String(buffer: json)
        guard let range = text.firstRange(of: place) else {
            (start, end) = (text, nil)
            return
        }
        (start, end) = (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
    }

    /// A placeholder for the photo while the JSON is created: a random text that no user's text contains.
    static func photoPlace() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(UInt64.random(in: .min ... .max, using: &random), radix: 36) }.joined()
    }
}

/// An engine's answer, before it is checked against the schema.
package struct EngineAnswer: Sendable, Equatable {
    /// Maximum length of a response body in bytes.
    package static let maxBodyBytes = 1 << 20

    /// JSON with the requested schema, if the engine complies.
    package let json: String

    package init(json: String) { self.json = json }
}

/// Why an engine's response contains no usable answer.
package enum AnswerFault: Error, Sendable, Equatable {
    /// The service withholds the answer, for example because of `SAFETY` or `RECITATION`.
    case blocked(reason: String)
    /// The model reached the maximum number of tokens; `text` is the beginning of the answer.
    case cutOff(text: String)
    /// The response contains no text.
    case empty
    /// The response, or the answer in it, does not have the expected format.
    case malformed
    /// The engine works, but cannot read this photo.
    case unreadable
}

/// The meaning of a status of 400 or above from an engine.
package enum EngineRefusal: Sendable, Equatable {
    /// The key is not accepted.
    case key
    /// The service is not available in the country from which the request comes.
    case region
    /// The model does not exist, or is not available for this key.
    case model
    /// The daily request limit or the account's credit is used up.
    case dailyQuota
    /// A short-term limit is used up; `retryAfter` is the time until more requests are allowed, if known.
    case rate(retryAfter: Duration?)
    /// The photo cannot be read; other photos may still be readable.
    case photo
    /// Any other error, identified by the status.
    case other
}
