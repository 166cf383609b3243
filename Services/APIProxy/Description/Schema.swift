import BookstrackContract

/// A JSON schema: the part of JSON Schema 2020-12 that this API needs. OpenAPI 3.1 and AsyncAPI 3 both use it.
indirect enum Schema: Sendable, Equatable {
    case string(TextRule)
    /// One of these strings.
    case choice([String])
    case whole(ClosedRange<Int>?)
    case number(ClosedRange<Double>)
    case flag
    case null
    /// Bytes that are not JSON.
    case bytes
    case list(of: Schema, atMost: Int? = nil)
    /// An object with any keys, whose values all match one schema.
    case map(of: Schema)
    case object([Property])
    case anyOf([Schema])
    /// Exactly one of these schemas.
    case oneOf([Schema])
    case named(SchemaName)

    /// Constraints on a string; the length is in characters.
    struct TextRule: Sendable, Equatable {
        /// A JSON Schema format, for example "date-time"; nil for any string.
        var format: String?
        var pattern: String?
        var length: ClosedRange<Int>?
    }

    /// One of the values of an enumeration.
    static func choice<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Schema {
        .choice(type.allCases.map(\.rawValue))
    }

    /// Any string.
    static let text = Schema.string(TextRule())
    /// Any whole number.
    static let integer = Schema.whole(nil)
    /// A string with constraints.
    static func text(_ rule: TextRule) -> Schema { .string(rule) }

    /// A whole number within a range.
    static func integer(_ range: ClosedRange<Int>) -> Schema { .whole(range) }

    /// A whole number from 0 to `Int32.max`.
    static let count = Schema.integer(0...Int(Int32.max))
    /// A time in milliseconds since 1970.
    static let timestamp = Schema.integer(0...Int.max)
    /// A time in ISO 8601 format.
    static let time = Schema.text(TextRule(format: "date-time"))
    /// A job's identifier.
    static let jobId = jobId(shortest: JobID.shortest)
    /// An identifier that a client chooses for a new job (http-api.md "Validation").
    static let newJobId = jobId(shortest: JobID.shortestNew)
    /// A fraction from 0 to 1, such as a job's progress.
    static let fraction = Schema.number(0...1)

    private static func jobId(shortest: Int) -> Schema {
        let lengths = shortest...JobID.longest
        return .text(
            TextRule(pattern: "^[A-Za-z0-9_-]{\(lengths.lowerBound),\(lengths.upperBound)}$", length: lengths))
    }

    /// A list whose elements match a named schema.
    static func list(of name: SchemaName, atMost: Int? = nil) -> Schema { .list(of: .named(name), atMost: atMost) }

    /// The success envelope around `data` (http-api.md "Envelope").
    static func envelope(_ data: SchemaName) -> Schema { .object(envelopeMembers(data)) }

    /// The success envelope, with the members of `data` repeated at the top level (``FlatEnvelope``).
    static func flatEnvelope(_ data: SchemaName) -> Schema {
        guard case .object(let members) = data.schema else { return envelope(data) }
        return .object(envelopeMembers(data) + members)
    }

    private static func envelopeMembers(_ data: SchemaName) -> [Property] {
        [
            .required("success", .flag, "Always true."), .required("data", .named(data)),
            .required("metadata", .named(.metadata)),
        ]
    }
}

/// One member of an object.
struct Property: Sendable, Equatable {
    var name: String
    var schema: Schema
    var meaning: String?
    var isRequired: Bool

    /// A member that is always present.
    static func required(_ name: String, _ schema: Schema, _ meaning: String? = nil) -> Property {
        Property(name: name, schema: schema, meaning: meaning, isRequired: true)
    }

    /// A member that may be absent; in a response, it is never null (http-api.md "Envelope").
    static func optional(_ name: String, _ schema: Schema, _ meaning: String? = nil) -> Property {
        Property(name: name, schema: schema, meaning: meaning, isRequired: false)
    }
}

/// A coding key that is known only at run time.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Schema: Encodable {
    fileprivate enum Key: String, CodingKey {
        case type, format, pattern, minLength, maxLength, minimum, maximum, items, maxItems, properties, required
        case additionalProperties, anyOf, oneOf, description
        case choice = "enum"
        case reference = "$ref"
    }

    func encode(to encoder: any Encoder) throws { try encode(to: encoder, meaning: nil) }

    fileprivate func encode(to encoder: any Encoder, meaning: String?) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(meaning, forKey: .description)
        if let type { try container.encode(type, forKey: .type) }
        switch self {
        case .string(let rule): try rule.encode(to: &container)
        case .choice(let texts): try container.encode(texts, forKey: .choice)
        case .whole(let range):
            try container.encodeIfPresent(range?.lowerBound, forKey: .minimum)
            try container.encodeIfPresent(range?.upperBound, forKey: .maximum)
        case .number(let range):
            try container.encode(range.lowerBound, forKey: .minimum)
            try container.encode(range.upperBound, forKey: .maximum)
        case .flag, .null: break
        case .bytes: try container.encode("binary", forKey: .format)
        case .list(let element, let most):
            try container.encode(element, forKey: .items)
            try container.encodeIfPresent(most, forKey: .maxItems)
        case .map(let value): try container.encode(value, forKey: .additionalProperties)
        case .object(let properties): try Self.encode(properties, to: &container)
        case .anyOf(let schemas): try container.encode(schemas, forKey: .anyOf)
        case .oneOf(let schemas): try container.encode(schemas, forKey: .oneOf)
        case .named(let name): try container.encode("#/components/schemas/\(name.rawValue)", forKey: .reference)
        }
    }

    private var type: String? {
        switch self {
        case .string, .choice, .bytes: "string"
        case .whole: "integer"
        case .number: "number"
        case .flag: "boolean"
        case .null: "null"
        case .list: "array"
        case .map, .object: "object"
        case .anyOf, .oneOf, .named: nil
        }
    }

    private static func encode(
        _ properties: [Property], to container: inout KeyedEncodingContainer<Key>
    ) throws {
        var members = container.nestedContainer(keyedBy: MemberName.self, forKey: .properties)
        for property in properties { try members.encode(property, forKey: MemberName(property.name)) }
        let required = properties.filter(\.isRequired).map(\.name)
        if !required.isEmpty { try container.encode(required, forKey: .required) }
    }
}

extension Schema.TextRule {
    fileprivate func encode(to container: inout KeyedEncodingContainer<Schema.Key>) throws {
        try container.encodeIfPresent(format, forKey: .format)
        try container.encodeIfPresent(pattern, forKey: .pattern)
        try container.encodeIfPresent(length?.lowerBound, forKey: .minLength)
        try container.encodeIfPresent(length?.upperBound, forKey: .maxLength)
    }
}

extension Property: Encodable {
    func encode(to encoder: any Encoder) throws { try schema.encode(to: encoder, meaning: meaning) }
}
