/// Reads values straight from the bytes of a JSON text, without building a tree of them first.
///
/// A value is scanned once for each bracket around it, which is cheap for bodies that are as flat as those between the services.
struct BodyDecoder: Decoder {
    let value: JSONValue
    let place: CodingPlace?

    var codingPath: [any CodingKey] { place?.path ?? [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The decoder of a whole text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` when it is not one JSON value.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        do throws(ScanFault) {
            var cursor = JSONCursor(bytes)
            cursor.skipWhitespace()
            let begin = cursor.index
            let kind = try cursor.skipValue()
            let end = cursor.index
            try cursor.finish()
            value = JSONValue(bytes: bytes, range: begin..<end, kind: kind)
            place = nil
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(error)"))
        }
    }

    init(_ value: JSONValue, at place: CodingPlace?) {
        self.value = value
        self.place = place
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try ObjectMembers<Key>(value, at: place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ArrayElements(value, at: place) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension BodyDecoder: SingleValueDecodingContainer {
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

/// One value in a text that has been scanned.
struct JSONValue {
    let bytes: UnsafeRawBufferPointer
    /// From its first byte to its last, quotes and brackets included.
    let range: Range<Int>
    let kind: JSONKind

    /// - Throws: `DecodingError`, as all of these.
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
        .dataCorrupted(.init(codingPath: place?.path ?? [], debugDescription: "\(text) is no \(type)"))
    }
}

/// Where a value stands in its text: the keys that lead to it, put together only when an error tells of them.
final class CodingPlace {
    private let key: any CodingKey
    private let outer: CodingPlace?

    init(_ key: any CodingKey, in outer: CodingPlace?) {
        self.key = key
        self.outer = outer
    }

    var path: [any CodingKey] { (outer?.path ?? []) + [key] }
}
