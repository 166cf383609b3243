/// A value that is no container itself.
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
