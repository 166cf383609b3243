/// What a model is asked: an instruction, what it is about, and the shape of the answer.
///
/// What a question is about comes from strangers. It is data, never an instruction: whoever asks has to check the answer like any guess.
package struct StructuredQuestion: Sendable, Equatable {
    /// A piece of what the question is about.
    package enum Part: Sendable, Equatable {
        case text(String)
    }

    /// What the model has to do.
    package var instructions: String
    /// What it is about.
    package var parts: [Part]
    /// The shape of the answer.
    package var answer: AnswerSchema
    /// Longest answer in the model's tokens, those that it thinks with included.
    package var mostTokens: Int

    package init(instructions: String, parts: [Part], answer: AnswerSchema, mostTokens: Int) {
        self.instructions = instructions
        self.parts = parts
        self.answer = answer
        self.mostTokens = mostTokens
    }
}

/// The shape of an answer, as far as both kinds of engine know it.
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
    /// One of these texts.
    case choice([String])
}

/// What an engine has answered.
package struct EngineAnswer: Sendable, Equatable {
    /// The longest body that is read, in bytes.
    package static let longestBody = 1 << 20

    /// JSON of the wanted shape, as far as the engine keeps to it.
    package let json: String

    package init(json: String) { self.json = json }
}

/// Why an engine's answer with status 200 says nothing.
package enum AnswerFault: Error, Sendable, Equatable {
    /// The service holds the answer back, for example for `SAFETY` or `RECITATION`.
    case blocked(reason: String)
    /// The model ran out of tokens in the middle; `text` is what there is of the answer.
    case cutOff(text: String)
    /// There is no text.
    case empty
    /// The body is no answer of this kind of engine.
    case malformed
}

/// What an engine means by a status of 400 and above.
package enum EngineRefusal: Sendable, Equatable {
    /// The key is wrong, expired, or not meant for this service or address.
    case key
    /// The service is not offered in the country that the request comes from.
    case region
    /// There is no such model, or none for this key any more.
    case model
    /// The requests of the day are used up.
    case dailyQuota
    /// The requests of the minute are used up; there are some again after that time, where it is said.
    case rate(retryAfter: Duration?)
    /// Anything else; the status says what it is.
    case other
}
