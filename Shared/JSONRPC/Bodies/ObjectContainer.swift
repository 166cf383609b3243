/// The members of an object.
struct ObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: JSONOutput
    /// Brackets that are open inside the object, its own counted.
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        output.beginMember(key, at: depth)
        output.writeNull()
    }

    func encode(_ value: Bool, forKey key: Key) {
        output.beginMember(key, at: depth)
        output.writeBoolean(value)
    }

    func encode(_ value: String, forKey key: Key) {
        output.beginMember(key, at: depth)
        output.writeText(value)
    }

    func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) {
        output.beginMember(key, at: depth)
        output.writeInteger(value)
    }

    func encode(_ value: some BinaryFloatingPoint & LosslessStringConvertible & Encodable, forKey key: Key) throws {
        output.beginMember(key, at: depth)
        try output.writeNumber(value)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        output.beginMember(key, at: depth)
        try output.write(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { nested(SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: some CodingKey) -> BodyEncoder {
        output.beginMember(key, at: depth)
        return BodyEncoder(output)
    }
}

/// The member that holds what a class's super class encodes.
struct SuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { return nil }
    init?(intValue: Int) { return nil }
}
