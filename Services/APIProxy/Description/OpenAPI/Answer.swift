/// One documented answer of an operation.
struct Answer: Sendable {
    var status: Int
    var meaning: String
    /// What a body of one of `types` looks like; nil without a body.
    var schema: Schema?
    var types = ["application/json"]
    var fields: [AnswerField] = []

    /// An answer in the success envelope.
    static func envelope(_ status: Int, _ data: SchemaName, _ meaning: String) -> Answer {
        Answer(status: status, meaning: meaning, schema: .envelope(data))
    }
}

extension Answer: Encodable {
    private enum Key: String, CodingKey { case description, content, headers }
    private struct Content: Encodable { var schema: Schema }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(meaning, forKey: .description)
        if let schema {
            var content = container.nestedContainer(keyedBy: MemberName.self, forKey: .content)
            for type in types { try content.encode(Content(schema: schema), forKey: MemberName(type)) }
        }
        guard !fields.isEmpty else { return }
        var headers = container.nestedContainer(keyedBy: MemberName.self, forKey: .headers)
        for field in fields {
            try headers.encode(
                Reference(to: "#/components/headers/\(field.rawValue)"), forKey: MemberName(field.rawValue))
        }
    }
}
