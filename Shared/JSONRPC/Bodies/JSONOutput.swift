import NIOCore

/// JSON text as it grows, and the brackets that are open in it. One encoding's containers share it.
final class JSONOutput {
    /// An open object or array.
    private struct Level {
        let closing: UInt8
        var isEmpty = true
    }

    private(set) var buffer = ByteBufferAllocator().buffer(capacity: 512)
    private var levels: [Level] = []

    /// How many brackets are open.
    var depth: Int { levels.count }

    /// Writes a value where one is due.
    func write(_ value: some Encodable) throws {
        let (outerDepth, begin) = (depth, buffer.writerIndex)
        try value.encode(to: BodyEncoder(self))
        // A value without members has asked for no container.
        if buffer.writerIndex == begin { buffer.writeStaticString("{}") }
        close(to: outerDepth)
    }

    func writeText(_ text: String) { JSONString.write(text, to: &buffer) }

    func writeBoolean(_ flag: Bool) { buffer.writeStaticString(flag ? "true" : "false") }

    func writeNull() { buffer.writeStaticString("null") }

    func writeInteger(_ number: some FixedWidthInteger) { buffer.writeString(String(number)) }

    /// Writes the shortest text that reads back as the same number; a whole number without a fraction.
    func writeNumber<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: [], debugDescription: "JSON has no \(number) (RFC 8259 §6)"))
        }
        let text = String(number)
        buffer.writeString(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    func openObject() { open(UInt8(ascii: "{"), closing: UInt8(ascii: "}")) }

    func openArray() { open(UInt8(ascii: "["), closing: UInt8(ascii: "]")) }

    /// Closes the brackets inside of `depth` and begins the next member or element there.
    func beginNext(at depth: Int) {
        close(to: depth)
        if levels[depth - 1].isEmpty {
            levels[depth - 1].isEmpty = false
        } else {
            buffer.writeInteger(UInt8(ascii: ","))
        }
    }

    /// ``beginNext(at:)`` with a member's name.
    func beginMember(_ key: some CodingKey, at depth: Int) {
        beginNext(at: depth)
        writeText(key.stringValue)
        buffer.writeInteger(UInt8(ascii: ":"))
    }

    private func open(_ opening: UInt8, closing: UInt8) {
        buffer.writeInteger(opening)
        levels.append(Level(closing: closing))
    }

    private func close(to depth: Int) {
        while levels.count > depth { buffer.writeInteger(levels.removeLast().closing) }
    }
}
