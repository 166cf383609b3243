/// The schema of an answer, in the format that the engines' servers expect.
struct SchemaJSON: Encodable {
    /// The services' dialects of JSON Schema.
    enum Dialect {
        /// JSON Schema as required for structured outputs: every member is required, and no others are allowed
        /// (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas).
        case jsonSchema
        /// The subset of OpenAPI 3.0 that Gemini supports: type names in capitals, and members in a specified order
        /// (https://ai.google.dev/api/caching#Schema).
        case openAPI

        func name(of type: String) -> String { self == .openAPI ? type.uppercased() : type }
    }

    private enum CodingKeys: String, CodingKey {
        case type, properties, propertyOrdering, required, additionalProperties, items, `enum`
    }

    private struct PropertyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    private let schema: AnswerSchema
    private let dialect: Dialect

    init(_ schema: AnswerSchema, as dialect: Dialect) {
        self.schema = schema
        self.dialect = dialect
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch schema {
        case .object(let properties):
            try container.encode(dialect.name(of: "object"), forKey: .type)
            var members = container.nestedContainer(keyedBy: PropertyKey.self, forKey: .properties)
            for property in properties {
                try members.encode(SchemaJSON(property.schema, as: dialect), forKey: PropertyKey(property.name))
            }
            let names = properties.map(\.name)
            if dialect == .openAPI { try container.encode(names, forKey: .propertyOrdering) }
            try container.encode(names, forKey: .required)
            if dialect == .jsonSchema { try container.encode(false, forKey: .additionalProperties) }
        case .array(let element):
            try container.encode(dialect.name(of: "array"), forKey: .type)
            try container.encode(SchemaJSON(element, as: dialect), forKey: .items)
        case .integer:
            try container.encode(dialect.name(of: "integer"), forKey: .type)
        case .number:
            try container.encode(dialect.name(of: "number"), forKey: .type)
        case .text:
            try container.encode(dialect.name(of: "string"), forKey: .type)
        case .choice(let texts):
            try container.encode(dialect.name(of: "string"), forKey: .type)
            try container.encode(texts, forKey: .enum)
        }
    }
}
