package import NIOCore

/// Writes a JSON text and keeps track of its open brackets and their commas.
package struct JSONWriter {
    /// An open object or array.
    private struct Level {
        let closing: UInt8
        var isEmpty = true
    }

    /// The text so far.
    package private(set) var buffer = ByteBufferAllocator().buffer(capacity: 1_024)
    private var levels: [Level] = []

    package init() {}

    /// Number of open brackets.
    package var depth: Int { levels.count }

    package mutating func write(_ text: String) { JSONString.write(text, to: &buffer) }

    package mutating func write(_ literal: StaticString) { buffer.writeStaticString(literal) }

    package mutating func write(_ number: some FixedWidthInteger) { buffer.writeString(String(number)) }

    /// Writes the shortest text that reads back as the same number; whole numbers are written without a fraction. Throws `EncodingError` for infinity
    /// and NaN.
    package mutating func write<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: [], debugDescription: "JSON cannot express \(number) (RFC 8259 §6)"))
        }
        let text = String(number)
        buffer.writeString(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    package mutating func write(_ flag: Bool) { write((flag ? "true" : "false") as StaticString) }

    /// Writes a value that is already JSON text.
    package mutating func write(json: ByteBuffer) { buffer.writeImmutableBuffer(json) }

    package mutating func openObject() { open(UInt8(ascii: "{"), closing: UInt8(ascii: "}")) }

    package mutating func openArray() { open(UInt8(ascii: "["), closing: UInt8(ascii: "]")) }

    package mutating func close(to depth: Int) {
        while levels.count > depth { buffer.writeInteger(levels.removeLast().closing) }
    }

    /// Closes the brackets that are deeper than `depth`, and begins the next member or element at that depth.
    package mutating func beginNext(at depth: Int) {
        close(to: depth)
        if levels[depth - 1].isEmpty {
            levels[depth - 1].isEmpty = false
        } else {
            buffer.writeInteger(UInt8(ascii: ","))
        }
    }

    /// Like ``beginNext(at:)``, with a member's name.
    package mutating func beginMember(_ name: String, at depth: Int) {
        beginNext(at: depth)
        write(name)
        buffer.writeInteger(UInt8(ascii: ":"))
    }

    package mutating func writeMember(_ name: String, _ text: String, at depth: Int) {
        beginMember(name, at: depth)
        write(text)
    }

    package mutating func writeMember(_ name: String, _ number: some FixedWidthInteger, at depth: Int) {
        beginMember(name, at: depth)
        write(number)
    }

    package mutating func writeMember(_ name: String, _ flag: Bool, at depth: Int) {
        beginMember(name, at: depth)
        write(flag)
    }

    private mutating func open(_ opening: UInt8, closing: UInt8) {
        buffer.writeInteger(opening)
        levels.append(Level(closing: closing))
    }
}
