import NIOCore

/// The text that the containers of one encoding share. Members are changed in one access each: there are many, and the frames of every
/// job pass through here.
final class JSONOutput {
    private(set) var text = JSONText()

    var depth: Int { text.depth }

    /// Writes a value where one is due.
    func write(_ value: some Encodable) throws {
        let (outerDepth, begin) = (text.depth, text.buffer.writerIndex)
        try value.encode(to: BodyEncoder(self))
        // A value without members has asked for no container.
        if text.buffer.writerIndex == begin { text.write("{}" as StaticString) }
        text.close(to: outerDepth)
    }

    func writeText(_ value: String) { text.write(value) }

    func writeBoolean(_ flag: Bool) { text.write((flag ? "true" : "false") as StaticString) }

    func writeNull() { text.write("null" as StaticString) }

    func writeInteger(_ number: some FixedWidthInteger) { text.write(number) }

    func writeNumber(_ number: some BinaryFloatingPoint & LosslessStringConvertible) throws { try text.write(number) }

    func openObject() { text.openObject() }

    func openArray() { text.openArray() }

    func beginNext(at depth: Int) { text.beginNext(at: depth) }

    func beginMember(_ key: some CodingKey, at depth: Int) { text.beginMember(key.stringValue, at: depth) }
}
