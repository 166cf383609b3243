/// The members of an object, for a decoder.
struct ObjectMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let bytes: UnsafeRawBufferPointer
    private let members: [MemberCursor.Member]
    private let place: CodingPlace?

    var codingPath: [any CodingKey] { place?.path ?? [] }

    var allKeys: [Key] { members.compactMap { Key(stringValue: name(of: $0)) } }

    init(_ value: JSONValue, at place: CodingPlace?) throws {
        guard value.kind == .object else { throw value.mismatch([String: Any].self, at: place) }
        bytes = value.bytes
        self.place = place
        var members: [MemberCursor.Member] = []
        members.reserveCapacity(8)
        do throws(ScanFault) {
            var cursor = try MemberCursor(bytes, at: value.range.lowerBound)
            while let member = try cursor.next() { members.append(member) }
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: place?.path ?? [], debugDescription: "\(error)"))
        }
        self.members = members
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
        try Value(from: BodyDecoder(required(key), at: inner(key)))
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
        try present(key).map { try Value(from: BodyDecoder($0, at: inner(key))) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try BodyDecoder(required(key), at: inner(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try BodyDecoder(required(key), at: inner(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try superDecoder(of: SuperKey()) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(of: key) }

    private func superDecoder(of key: any CodingKey) throws -> any Decoder {
        guard let value = value(key) else { throw missing(key) }
        return BodyDecoder(value, at: CodingPlace(key, in: place))
    }

    /// A member's value; of several with one name that of the last.
    private func value(_ key: any CodingKey) -> JSONValue? {
        var name = key.stringValue
        let member = name.withUTF8 { name in members.last { matches($0, UnsafeRawBufferPointer(name)) } }
        return member.map { JSONValue(bytes: bytes, range: $0.value, kind: $0.kind) }
    }

    private func required(_ key: Key) throws -> JSONValue {
        guard let value = value(key) else { throw missing(key) }
        return value
    }

    /// A member's value; nil when it is missing or null.
    private func present(_ key: Key) -> JSONValue? {
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
        JSONString.decode(bytes[member.key], hasEscapes: member.keyHasEscapes)
    }
}
