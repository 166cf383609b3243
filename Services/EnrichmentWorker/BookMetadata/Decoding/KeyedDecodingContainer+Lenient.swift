extension KeyedDecodingContainer {
    /// The field, or `nil` when it is absent, `null` or of another type.
    func lenient<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        (try? decodeIfPresent(Value.self, forKey: key)) ?? nil
    }

    /// The elements of a list that have the expected type; empty when the field is no list.
    func list<Element: Decodable>(_ key: Key, of type: Element.Type = Element.self, limit: Int = 100) -> [Element] {
        guard contains(key) else { return [] }
        if let elements = try? decode([Element].self, forKey: key) { return Array(elements.prefix(limit)) }
        return (lenient(key, as: [Lenient<Element>].self) ?? []).prefix(limit).compactMap(\.value)
    }
}
