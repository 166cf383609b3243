import NIOCore

/// JSON text as it grows, and the brackets that are open in it.
struct JSONText {
    /// An open object or array.
    private struct Level {
        let closing: UInt8
        var isEmpty = true
    }

    private(set) var buffer = ByteBufferAllocator().buffer(capacity: 1_024)
    private var levels: [Level] = []

    /// How many brackets are open.
    var depth: Int { levels.count }

    mutating func write(_ text: String) { JSONString.write(text, to: &buffer) }

    mutating func write(_ literal: StaticString) { buffer.writeStaticString(literal) }

    mutating func write(_ number: some FixedWidthInteger) { buffer.writeString(String(number)) }

    /// Writes the shortest text that reads back as the same number; a whole number without a fraction.
    mutating func write<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: [], debugDescription: "JSON has no \(number) (RFC 8259 §6)"))
        }
        let text = String(number)
        buffer.writeString(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    mutating func openObject() { open(UInt8(ascii: "{"), closing: UInt8(ascii: "}")) }

    mutating func openArray() { open(UInt8(ascii: "["), closing: UInt8(ascii: "]")) }

    mutating func close(to depth: Int) {
        while levels.count > depth { buffer.writeInteger(levels.removeLast().closing) }
    }

    /// Closes the brackets inside of `depth` and begins the next member or element there.
    mutating func beginNext(at depth: Int) {
        close(to: depth)
        if levels[depth - 1].isEmpty {
            levels[depth - 1].isEmpty = false
        } else {
            buffer.writeInteger(UInt8(ascii: ","))
        }
    }

    /// ``beginNext(at:)`` with a member's name.
    mutating func beginMember(_ name: String, at depth: Int) {
        beginNext(at: depth)
        write(name)
        buffer.writeInteger(UInt8(ascii: ":"))
    }

    private mutating func open(_ opening: UInt8, closing: UInt8) {
        buffer.writeInteger(opening)
        levels.append(Level(closing: closing))
    }
}

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
