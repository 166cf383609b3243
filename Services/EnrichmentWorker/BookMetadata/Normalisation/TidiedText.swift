/// Collects the lines of a text: each trimmed, at most one empty line between paragraphs, and without what Open Library
/// appends: link definitions, and everything below a rule ("Also contained in …").
struct TidiedText {
    private var bytes: [UInt8] = []
    private var lastIsEmpty = true

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// The lines so far.
    var text: String {
        guard let last = bytes.lastIndex(where: { $0 != UInt8(ascii: "\n") }) else { return "" }
        return String(decoding: bytes[...last], as: UTF8.self)
    }

    /// Adds a line; false at a rule, below which nothing belongs to the text.
    mutating func append(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = bytes.count
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
        let start = bytes.count
        WhiteSpace.appendSingleSpaced(line, to: &bytes)
        let isEmpty = bytes.count == start
        let isRule = Self.isRule(bytes[start...])
        if isRule || (isEmpty && lastIsEmpty) || Self.isLinkDefinition(bytes[start...]) {
            bytes.removeSubrange(end...)
            return !isRule
        }
        lastIsEmpty = isEmpty
        return true
    }

    private static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
        line.count >= 5 && line.allSatisfy { $0 == UInt8(ascii: "-") }
    }

    /// `[1]: https://…`, the footnotes of Markdown.
    private static func isLinkDefinition(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.first == UInt8(ascii: "["), let close = line.firstIndex(of: UInt8(ascii: "]")) else { return false }
        return line[close...].starts(with: "]: http".utf8)
    }
}
