package import NIOCore

/// Converts values to and from JSON.
///
/// The JSON is equivalent to `JSONEncoder`'s default output. Members are written in the order in which they are encoded, so equal structures without
/// dictionaries or sets produce equal bytes. Foundation's special formats for `Data`, `Date` and similar types are not supported.
package enum JSONCoding {
    /// Encodes a value.
    ///
    /// - Throws: `EncodingError` for a number that JSON cannot express, and any error thrown by the value.
    package static func encode(_ value: some Encodable) throws -> ByteBuffer {
        let output = JSONOutput()
        try output.write(value)
        return output.text.buffer
    }

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError` if the JSON is invalid or does not fit the type, and any error thrown by the type's initializer.
    package static func decode<Value: Decodable>(_ type: Value.Type, from json: ByteBuffer) throws -> Value {
        try json.withUnsafeReadableBytes { try Value(from: ScannedValueDecoder($0)) }
    }
}

/// Writes one value's containers directly into a ``JSONOutput``, without first building a tree.
struct JSONValueEncoder: Encoder {
    let output: JSONOutput
    /// Number of open brackets around the value.
    private let outerDepth: Int

    /// Always empty: the only error thrown here is for an unsupported number, and its description contains the number.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Creates an encoder for the value that comes next in `output`.
    init(_ output: JSONOutput) {
        self.output = output
        outerDepth = output.depth
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A value may request a container more than once; its members share one object.
        if output.depth == outerDepth { output.openObject() }
        return KeyedEncodingContainer(ObjectContainer(output: output, depth: outerDepth + 1))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if output.depth == outerDepth { output.openArray() }
        return ArrayContainer(output: output, depth: outerDepth + 1)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { ValueContainer(output: output) }
}

/// The text shared by the containers of one encoding. The functions change it in place, without copying it, because most RPC bodies are encoded here.
final class JSONOutput {
    private(set) var text = JSONWriter()

    var depth: Int { text.depth }

    /// Writes the next value.
    func write(_ value: some Encodable) throws {
        let (outerDepth, start) = (text.depth, text.buffer.writerIndex)
        try value.encode(to: JSONValueEncoder(self))
        // A value that encodes nothing has not requested a container; it becomes an empty object.
        if text.buffer.writerIndex == start { text.write("{}" as StaticString) }
        text.close(to: outerDepth)
    }

    func writeText(_ value: String) { text.write(value) }

    func writeBoolean(_ flag: Bool) { text.write(flag) }

    func writeNull() { text.write("null" as StaticString) }

    func writeInteger(_ number: some FixedWidthInteger) { text.write(number) }

    func writeNumber(_ number: some BinaryFloatingPoint & LosslessStringConvertible) throws { try text.write(number) }

    func openObject() { text.openObject() }

    func openArray() { text.openArray() }

    func beginNext(at depth: Int) { text.beginNext(at: depth) }

    func beginMember(_ key: some CodingKey, at depth: Int) { text.beginMember(key.stringValue, at: depth) }
}

/// The members of an object.
struct ObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: JSONOutput
    /// Number of open brackets inside the object, including its own.
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

    private func nested(_ key: some CodingKey) -> JSONValueEncoder {
        output.beginMember(key, at: depth)
        return JSONValueEncoder(output)
    }
}

/// The key under which a class encodes its superclass.
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
    /// Number of open brackets inside the array, including its own.
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

    private mutating func nested() -> JSONValueEncoder {
        beginNext()
        return JSONValueEncoder(output)
    }
}

/// The container for a single value of any kind.
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
