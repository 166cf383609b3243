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
