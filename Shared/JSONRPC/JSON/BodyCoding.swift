package import NIOCore

/// Bodies of typed methods to and from JSON.
///
/// The JSON says the same as `JSONEncoder`'s does by default, in the order in which the members are encoded, so that equal values of
/// structures are equal bytes. What `JSONDecoder` treats in its own way, such as `Data` and `Date`, is not in any body.
package enum BodyCoding {
    private static let empty = ByteBuffer(staticString: "{}")

    /// - Throws: `EncodingError` for a number that JSON cannot express, and whatever the body throws.
    package static func encode(_ body: some Encodable) throws -> ByteBuffer {
        if body is Nothing { return empty }
        let output = JSONOutput()
        try output.write(body)
        return output.text.buffer
    }

    /// - Throws: `DecodingError`
    package static func decode<Body: Decodable>(_ type: Body.Type, from json: ByteBuffer) throws -> Body {
        if Body.self == Nothing.self, let nothing = Nothing() as? Body { return nothing }
        return try json.withUnsafeReadableBytes { try Body(from: BodyDecoder($0)) }
    }
}

/// Writes one value's containers straight into a ``JSONOutput``, without building a tree of them first.
struct BodyEncoder: Encoder {
    let output: JSONOutput
    /// Brackets that are open around the value.
    private let outerDepth: Int

    /// Not kept: errors here come from a single number, which says what it is.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// For the value that is due in `output`.
    init(_ output: JSONOutput) {
        self.output = output
        outerDepth = output.depth
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A value may ask more than once; its members share one object.
        if output.depth == outerDepth { output.openObject() }
        return KeyedEncodingContainer(ObjectContainer(output: output, depth: outerDepth + 1))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if output.depth == outerDepth { output.openArray() }
        return ArrayContainer(output: output, depth: outerDepth + 1)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { ValueContainer(output: output) }
}

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

/// The elements of an array.
struct ArrayContainer: UnkeyedEncodingContainer {
    let output: JSONOutput
    /// Brackets that are open inside the array, its own counted.
    let depth: Int
    private(set) var count = 0

    var codingPath: [any CodingKey] { [] }

    init(output: JSONOutput, depth: Int) {
        self.output = output
        self.depth = depth
    }

    mutating func encodeNil() {
        beginNext()
        output.writeNull()
    }

    mutating func encode(_ value: Bool) {
        beginNext()
        output.writeBoolean(value)
    }

    mutating func encode(_ value: String) {
        beginNext()
        output.writeText(value)
    }

    mutating func encode(_ value: some FixedWidthInteger & Encodable) {
        beginNext()
        output.writeInteger(value)
    }

    mutating func encode(_ value: some BinaryFloatingPoint & LosslessStringConvertible & Encodable) throws {
        beginNext()
        try output.writeNumber(value)
    }

    mutating func encode(_ value: some Encodable) throws {
        beginNext()
        try output.write(value)
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { nested() }

    private mutating func beginNext() {
        output.beginNext(at: depth)
        count += 1
    }

    private mutating func nested() -> BodyEncoder {
        beginNext()
        return BodyEncoder(output)
    }
}

/// A value that is not a container.
struct ValueContainer: SingleValueEncodingContainer {
    let output: JSONOutput

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { output.writeNull() }

    func encode(_ value: Bool) { output.writeBoolean(value) }
    func encode(_ value: String) { output.writeText(value) }
    func encode(_ value: some FixedWidthInteger & Encodable) { output.writeInteger(value) }
    func encode(_ value: some BinaryFloatingPoint & LosslessStringConvertible & Encodable) throws {
        try output.writeNumber(value)
    }
    func encode(_ value: some Encodable) throws { try output.write(value) }
}
