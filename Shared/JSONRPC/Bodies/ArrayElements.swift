/// The elements of an array, for a decoder.
struct ArrayElements: UnkeyedDecodingContainer {
    private let elements: [JSONValue]
    private let place: CodingPlace?
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { place?.path ?? [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(_ value: JSONValue, at place: CodingPlace?) throws {
        guard value.kind == .array else { throw value.mismatch([Any].self, at: place) }
        self.place = place
        do throws(ScanFault) {
            var cursor = ElementCursor(value.bytes, at: value.range.lowerBound)
            var elements: [JSONValue] = []
            while let (range, kind) = try cursor.next() {
                elements.append(JSONValue(bytes: value.bytes, range: range, kind: kind))
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
        try take(type) { try Value(from: BodyDecoder($0, at: $1.inner)) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try take(type) { try BodyDecoder($0, at: $1.inner).container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take([Any].self) { try BodyDecoder($0, at: $1.inner).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take(Any.self) { BodyDecoder($0, at: $1.inner) } }

    private var inner: CodingPlace { CodingPlace(IndexKey(currentIndex), in: place) }

    private func next(_ type: Any.Type) throws -> JSONValue {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: inner.path, debugDescription: "the array has no more elements"))
        }
        return elements[currentIndex]
    }

    /// Reads the next element, and goes on behind it unless that fails.
    private mutating func take<Value>(_ type: Any.Type, _ read: (JSONValue, Self) throws -> Value) throws -> Value {
        let value = try read(next(type), self)
        currentIndex += 1
        return value
    }
}

/// The place of an element.
private struct IndexKey: CodingKey {
    let index: Int

    var stringValue: String { "\(index)" }
    var intValue: Int? { index }

    init(_ index: Int) { self.index = index }
    init?(stringValue: String) { return nil }
    init?(intValue: Int) { return nil }
}
