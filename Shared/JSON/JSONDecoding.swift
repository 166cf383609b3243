/// Reads values directly from the bytes of a JSON text, without first building a tree.
///
/// A value is scanned once with the whole text and once more for each enclosing bracket, which is cheap for the flat bodies sent between the
/// services.
struct ScannedValueDecoder: Decoder {
    let value: ScannedValue
    let place: CodingPlace?

    var codingPath: [any CodingKey] { place?.path ?? [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Creates a decoder for a whole text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the text is not exactly one JSON value.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        do throws(JSONFault) {
            var cursor = JSONCursor(bytes)
            cursor.skipWhitespace()
            let start = cursor.index
            let kind = try cursor.skipValue()
            let end = cursor.index
            try cursor.finish()
            value = ScannedValue(bytes: bytes, range: start..<end, kind: kind)
            place = nil
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(error)"))
        }
    }

    init(_ value: ScannedValue, at place: CodingPlace?) {
        self.value = value
        self.place = place
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try ObjectMembers<Key>(value, at: place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ArrayElements(value, at: place) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ScannedValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try value.boolean(at: place) }

    func decode(_ type: String.Type) throws -> String { try value.string(at: place) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try value.integer(at: place)
    }

    func decode<Number: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Number.Type
    ) throws -> Number {
        try value.number(at: place)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

/// One value in a scanned text.
struct ScannedValue {
    let bytes: UnsafeRawBufferPointer
    /// From the value's first byte to its last, including quotes and brackets.
    let range: Range<Int>
    let kind: JSONKind

    /// The value as a Boolean.
    ///
    /// - Throws: `DecodingError`, like `string`, `integer` and `number`.
    func boolean(at place: @autoclosure () -> CodingPlace?) throws -> Bool {
        guard kind == .boolean else { throw mismatch(Bool.self, at: place()) }
        return bytes[range.lowerBound] == UInt8(ascii: "t")
    }

    func string(at place: @autoclosure () -> CodingPlace?) throws -> String {
        guard kind == .string else { throw mismatch(String.self, at: place()) }
        return JSONString.decode(bytes, in: range)
    }

    /// A whole number in any notation: `1e2` is 100.
    func integer<Number: FixedWidthInteger>(at place: @autoclosure () -> CodingPlace?) throws -> Number {
        guard kind == .number else { throw mismatch(Number.self, at: place()) }
        if let number = Number(text) ?? Double(text).flatMap({ Number(exactly: $0) }) { return number }
        throw outOfRange(Number.self, at: place())
    }

    func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        at place: @autoclosure () -> CodingPlace?
    ) throws -> Number {
        guard kind == .number else { throw mismatch(Number.self, at: place()) }
        if let number = Number(text), number.isFinite { return number }
        throw outOfRange(Number.self, at: place())
    }

    private var text: String { String(decoding: bytes[range], as: UTF8.self) }

    func mismatch(_ type: Any.Type, at place: CodingPlace?) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: place?.path ?? [], debugDescription: "expected \(type), found \(kind)")
        return kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func outOfRange(_ type: Any.Type, at place: CodingPlace?) -> DecodingError {
        .dataCorrupted(.init(codingPath: place?.path ?? [], debugDescription: "\(text) is out of range for \(type)"))
    }
}

/// The position of a value in its text, given by the keys that lead to it; assembled only for error messages.
final class CodingPlace {
    private let key: any CodingKey
    private let outer: CodingPlace?

    init(_ key: any CodingKey, in outer: CodingPlace?) {
        self.key = key
        self.outer = outer
    }

    var path: [any CodingKey] { (outer?.path ?? []) + [key] }
}

/// The members of an object, for a decoder.
struct ObjectMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let bytes: UnsafeRawBufferPointer
    private let members: [MemberCursor.Member]
    /// Finds members by name; nil for an object of usual size, whose members are compared one by one.
    private let index: MemberIndex?
    private let place: CodingPlace?

    var codingPath: [any CodingKey] { place?.path ?? [] }

    var allKeys: [Key] { members.compactMap { Key(stringValue: name(of: $0)) } }

    init(_ value: ScannedValue, at place: CodingPlace?) throws {
        guard value.kind == .object else { throw value.mismatch([String: Any].self, at: place) }
        bytes = value.bytes
        self.place = place
        var members: [MemberCursor.Member] = []
        members.reserveCapacity(8)
        do throws(JSONFault) {
            var cursor = try MemberCursor(bytes, at: value.range.lowerBound)
            while let member = try cursor.next() { members.append(member) }
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: place?.path ?? [], debugDescription: "\(error)"))
        }
        self.members = members
        index = members.count > MemberIndex.maxComparedMembers ? MemberIndex(members, in: bytes) : nil
    }

    func contains(_ key: Key) -> Bool { value(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try required(key).kind == .null }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try required(key).boolean(at: inner(key)) }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(key).string(at: inner(key)) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
        try required(key).integer(at: inner(key))
    }

    func decode<Number: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Number.Type, forKey key: Key
    ) throws -> Number {
        try required(key).number(at: inner(key))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: ScannedValueDecoder(required(key), at: inner(key)))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key)?.boolean(at: inner(key))
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key)?.string(at: inner(key))
    }

    func decodeIfPresent<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type, forKey key: Key
    ) throws -> Number? {
        try present(key)?.integer(at: inner(key))
    }

    func decodeIfPresent<Number: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Number.Type, forKey key: Key
    ) throws -> Number? {
        try present(key)?.number(at: inner(key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try Value(from: ScannedValueDecoder($0, at: inner(key))) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try ScannedValueDecoder(required(key), at: inner(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try ScannedValueDecoder(required(key), at: inner(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try superDecoder(of: SuperKey()) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(of: key) }

    private func superDecoder(of key: any CodingKey) throws -> any Decoder {
        guard let value = value(key) else { throw missing(key) }
        return ScannedValueDecoder(value, at: CodingPlace(key, in: place))
    }

    /// A member's value; the last one if several have the same name.
    private func value(_ key: any CodingKey) -> ScannedValue? {
        member(key.stringValue).map { ScannedValue(bytes: bytes, range: $0.value, kind: $0.kind) }
    }

    private func member(_ name: String) -> MemberCursor.Member? {
        if let index { return index.member(name) }
        var name = name
        return name.withUTF8 { name in members.last { matches($0, UnsafeRawBufferPointer(name)) } }
    }

    private func required(_ key: Key) throws -> ScannedValue {
        guard let value = value(key) else { throw missing(key) }
        return value
    }

    /// A member's value; nil if it is missing or null.
    private func present(_ key: Key) -> ScannedValue? {
        value(key).flatMap { $0.kind == .null ? nil : $0 }
    }

    private func missing(_ key: any CodingKey) -> DecodingError {
        .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing"))
    }

    private func inner(_ key: Key) -> CodingPlace { CodingPlace(key, in: place) }

    private func matches(_ member: MemberCursor.Member, _ name: UnsafeRawBufferPointer) -> Bool {
        if member.keyHasEscapes { return self.name(of: member).utf8.elementsEqual(name) }
        return member.key.count == name.count && bytes[member.key].elementsEqual(name)
    }

    private func name(of member: MemberCursor.Member) -> String {
        member.name(in: bytes)
    }
}

/// The members of a large object by name. The index is built at the first lookup.
private final class MemberIndex {
    /// A name that is compared byte by byte. Two strings, in contrast, are also equal if they are only canonically equivalent.
    private struct Name: Hashable {
        let text: String

        static func == (one: Name, other: Name) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Maximum number of members that are compared one by one, which is faster for the records of this suite.
    static let maxComparedMembers = 64

    private let members: [MemberCursor.Member]
    private let bytes: UnsafeRawBufferPointer
    /// The position of the last member with each name.
    private lazy var positions: [Name: Int] = Dictionary(
        members.indices.map { (Name(text: members[$0].name(in: bytes)), $0) }, uniquingKeysWith: { _, last in last })

    init(_ members: [MemberCursor.Member], in bytes: UnsafeRawBufferPointer) {
        self.members = members
        self.bytes = bytes
    }

    /// The last member with this name; nil if there is none.
    func member(_ name: String) -> MemberCursor.Member? { positions[Name(text: name)].map { members[$0] } }
}

/// The elements of an array, for a decoder.
struct ArrayElements: UnkeyedDecodingContainer {
    private let elements: [ScannedValue]
    private let place: CodingPlace?
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { place?.path ?? [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(_ value: ScannedValue, at place: CodingPlace?) throws {
        guard value.kind == .array else { throw value.mismatch([Any].self, at: place) }
        self.place = place
        do throws(JSONFault) {
            var cursor = ElementCursor(value.bytes, at: value.range.lowerBound)
            var elements: [ScannedValue] = []
            while let (range, kind) = try cursor.next() {
                elements.append(ScannedValue(bytes: value.bytes, range: range, kind: kind))
            }
            self.elements = elements
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: place?.path ?? [], debugDescription: "\(error)"))
        }
    }

    mutating func decodeNil() throws -> Bool {
        guard try next(Never?.self).kind == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { try $0.boolean(at: $1.inner) } }

    mutating func decode(_ type: String.Type) throws -> String { try take(type) { try $0.string(at: $1.inner) } }

    mutating func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try take(type) { try $0.integer(at: $1.inner) }
    }

    mutating func decode<Number: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Number.Type
    ) throws -> Number {
        try take(type) { try $0.number(at: $1.inner) }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try take(type) { try Value(from: ScannedValueDecoder($0, at: $1.inner)) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try take(type) { try ScannedValueDecoder($0, at: $1.inner).container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take([Any].self) { try ScannedValueDecoder($0, at: $1.inner).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take(Any.self) { ScannedValueDecoder($0, at: $1.inner) } }

    private var inner: CodingPlace { CodingPlace(IndexKey(currentIndex), in: place) }

    private func next(_ type: Any.Type) throws -> ScannedValue {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: inner.path, debugDescription: "the array has no more elements"))
        }
        return elements[currentIndex]
    }

    /// Reads the next element and moves past it, unless reading throws.
    private mutating func take<Value>(_ type: Any.Type, _ read: (ScannedValue, Self) throws -> Value) throws -> Value {
        let value = try read(next(type), self)
        currentIndex += 1
        return value
    }
}

/// The position of an element.
private struct IndexKey: CodingKey {
    let index: Int

    var stringValue: String { "\(index)" }
    var intValue: Int? { index }

    init(_ index: Int) { self.index = index }
    init?(stringValue: String) { return nil }
    init?(intValue: Int) { return nil }
}
