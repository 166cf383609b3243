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
