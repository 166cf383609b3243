/// A parameter of an operation.
struct Parameter: Sendable {
    /// Where a parameter stands.
    enum Place: String, Encodable { case query, path }

    var name: String
    var place: Place
    var isRequired: Bool
    var schema: Schema
    var meaning: String
    var example: String?

    /// An item of the query.
    static func query(
        _ name: String, _ schema: Schema, _ meaning: String, isRequired: Bool = false, example: String? = nil
    ) -> Parameter {
        Parameter(
            name: name, place: .query, isRequired: isRequired, schema: schema, meaning: meaning, example: example)
    }

    /// An item of the query that may be any text.
    static func query(
        _ name: String, _ meaning: String, isRequired: Bool = false, example: String? = nil
    ) -> Parameter {
        query(name, .text, meaning, isRequired: isRequired, example: example)
    }

    /// The job in the path.
    static let jobId = Parameter(
        name: "jobId", place: .path, isRequired: true, schema: .jobId, meaning: "The job.", example: nil)
}

extension Parameter: Encodable {
    private enum Key: String, CodingKey {
        case name, schema, description, example, required
        case place = "in"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(place, forKey: .place)
        try container.encode(isRequired, forKey: .required)
        try container.encode(schema, forKey: .schema)
        try container.encode(meaning, forKey: .description)
        try container.encodeIfPresent(example, forKey: .example)
    }
}
