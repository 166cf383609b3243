internal import NIOCore

/// A question to a model: an instruction, its subject, and the shape of the answer.
///
/// The content comes from users. It is data, never an instruction: the caller has to check the answer like any guess.
package struct StructuredQuestion: Sendable, Equatable {
    /// A part of the content.
    package enum Part: Sendable, Equatable {
        case text(String)
        /// The photo, if there is one; the sender of the question inserts its bytes.
        case photo(mediaType: String)
    }

    /// What the model has to do.
    package var instructions: String
    /// The content.
    package var parts: [Part]
    /// The schema of the answer.
    package var answer: AnswerSchema
    /// Maximum length of the answer in the model's tokens, including those for reasoning; nil for the model's own limit.
    package var maxTokens: Int?

    package init(instructions: String, parts: [Part], answer: AnswerSchema, maxTokens: Int? = nil) {
        self.instructions = instructions
        self.parts = parts
        self.answer = answer
        self.maxTokens = maxTokens
    }
}

/// The schema of an answer, limited to the types that both kinds of engine support.
package indirect enum AnswerSchema: Sendable, Equatable {
    /// A member of an object.
    package struct Property: Sendable, Equatable {
        let name: String
        let schema: AnswerSchema

        package init(_ name: String, _ schema: AnswerSchema) { (self.name, self.schema) = (name, schema) }
    }

    /// An object with all of these members, written in their order.
    case object([Property])
    case array(of: AnswerSchema)
    case integer
    case number
    case text
    /// One of these texts.
    case choice([String])
}

/// What is posted to ask a question: JSON, with room for a photo in base64.
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

    /// A placeholder for the photo while JSON is made: a random text, which no text of a stranger can contain.
    static func photoPlace() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(UInt64.random(in: .min ... .max, using: &random), radix: 36) }.joined()
    }
}

/// The answer of an engine.
package struct EngineAnswer: Sendable, Equatable {
    /// Maximum length of a body, in bytes.
    package static let maxBodyBytes = 1 << 20

    /// JSON of the requested schema, as far as the engine complies.
    package let json: String

    package init(json: String) { self.json = json }
}

/// Why an engine's answer with status 200 is unusable.
package enum AnswerFault: Error, Sendable, Equatable {
    /// The service withholds the answer, for example for `SAFETY` or `RECITATION`.
    case blocked(reason: String)
    /// The model reached the maximum number of tokens; `text` is the beginning of the answer.
    case cutOff(text: String)
    /// There is no text.
    case empty
    /// The body is not an answer of this kind of engine.
    case malformed
    /// The engine works, but this photo cannot be read.
    case unreadable
}

/// The meaning of an engine's status of 400 and above.
package enum EngineRefusal: Sendable, Equatable {
    /// The key is wrong, expired, or not meant for this service or address.
    case key
    /// The service is not offered in the country that the request comes from.
    case region
    /// There is no such model, or it is no longer available for this key.
    case model
    /// The day's requests are used up.
    case dailyQuota
    /// The minute's requests are used up; `retryAfter` is the time until more are allowed, if known.
    case rate(retryAfter: Duration?)
    /// The photo cannot be read, which says nothing about the next one.
    case photo
    /// Anything else; the status says what it is.
    case other
}
