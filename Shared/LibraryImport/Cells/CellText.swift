/// The text of a cell without the wrapping added by applications and spreadsheets.
package enum CellText {
    /// A single line of text: a title, a name, a word. Formula quotes and character references are resolved, tags of formatted text are removed, and
    /// white space is collapsed.
    package static func line(_ cell: String) -> String {
        if CellBytes.of(cell, { $0.isTidy }) { return cell }
        return tidied(cell)
    }

    static func line(_ cell: CellBytes) -> String { cell.isTidy ? cell.text : tidied(cell.text) }

    private static func tidied(_ cell: String) -> String {
        singleSpaced(Markup.line(unwrappingFormula(cell)))
    }

    /// Text of several lines: a review or notes. Tags become line breaks or are removed, and empty lines are collapsed.
    package static func prose(_ cell: String) -> String { CellBytes.of(cell, prose) }

    static func prose(_ cell: CellBytes) -> String {
        cell.isTidy ? cell.text : Markup.text(unwrappingFormula(cell.text))
    }

    /// A number, date or identifier: like ``line(_:)``, but also without the apostrophe with which spreadsheets mark text, and without square
    /// brackets around the whole cell; empty for a placeholder.
    package static func value(_ cell: String) -> String { CellBytes.of(cell, value) }

    static func value(_ cell: CellBytes) -> String {
        var text = line(cell)
        if text.hasPrefix("'") || text.hasPrefix("’") { text.removeFirst() }
        if text.hasPrefix("["), text.hasSuffix("]") { text = singleSpaced(String(text.dropFirst().dropLast())) }
        return isPlaceholder(text) ? "" : text
    }

    /// Whether a cell is a placeholder for a missing value, such as `n/a`, or a spreadsheet error, such as `#N/A`.
    static func isPlaceholder(_ text: String) -> Bool {
        guard text.utf8.count <= 13, let first = text.utf8.first, canStartPlaceholder(first) else { return false }
        switch text.lowercased() {
        case "n/a", "na", "null", "none", "nil", "nan", "-", "–", "—", "?", "not available", "unknown", "undefined",
            "#n/a", "#n/d", "#nv", "#ref!", "#value!", "#name?", "#null!", "#num!", "#div/0!":
            return true
        default: return false
        }
    }

    /// Whether a title is a placeholder for a missing title; words like "Unknown" and "None" may be titles.
    static func isPlaceholder(title: String) -> Bool {
        guard isPlaceholder(title) else { return false }
        return title.hasPrefix("#") || ["n/a", "not available", "null", "-"].contains(title.lowercased())
    }

    /// Whether a cell might be a placeholder (``isPlaceholder(_:)``); false for most cells, which then need no further check.
    static func mayBePlaceholder(_ cell: CellBytes) -> Bool {
        cell.count <= 13 && cell.bytes.first.map(canStartPlaceholder) ?? true
    }

    /// Whether a byte is the first byte of a placeholder, or belongs to a character outside ASCII.
    private static func canStartPlaceholder(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "u"), UInt8(ascii: "U"), UInt8(ascii: "-"),
            UInt8(ascii: "?"), UInt8(ascii: "#"), 0x80...0xFF:
            true
        default: false
        }
    }

    /// The text inside `="…"`, which exporters use to prevent spreadsheets from interpreting a number; any other text is unchanged. The quotes may be
    /// escaped twice.
    static func unwrappingFormula(_ cell: String) -> String {
        CellBytes.of(cell) { insideOfFormula($0)?.text } ?? cell
    }

    private static func insideOfFormula(_ cell: CellBytes) -> CellBytes? {
        let bytes = cell.bytes
        guard let equals = bytes.firstIndex(where: { !isQuoteOrSpace($0) }), bytes[equals] == UInt8(ascii: "="),
            equals + 1 < bytes.count, bytes[equals + 1] == UInt8(ascii: "\"")
        else { return nil }
        let start = bytes[(equals + 1)...].firstIndex { !isQuoteOrSpace($0) }
        let last = bytes.lastIndex { !isQuoteOrSpace($0) }
        guard let start, let last else { return CellBytes() }
        return cell[start..<(last + 1)]
    }

    private static func isQuoteOrSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: " ")
    }

    /// The text without control characters and invisible marks, and with white space collapsed to single spaces and trimmed at both ends.
    package static func singleSpaced(_ text: String) -> String { CellBytes.of(text, singleSpaced) }

    static func singleSpaced(_ text: CellBytes) -> String {
        if text.isTidy { return text.text }
        let bytes = text.bytes
        return String(unsafeUninitializedCapacity: bytes.count) { result in
            var (index, count, spaceIsDue) = (0, 0, false)
            while index < bytes.count {
                let length = bytes[index] < 0x80 ? 1 : UTF8Sequence.length(bytes, at: index) ?? 1
                switch blank(bytes, at: index, length: length) {
                case .space: spaceIsDue = count > 0
                case .invisible: break
                case nil:
                    if spaceIsDue {
                        result[count] = UInt8(ascii: " ")
                        count &+= 1
                    }
                    spaceIsDue = false
                    for offset in 0..<length { result[count &+ offset] = bytes[index &+ offset] }
                    count &+= length
                }
                index &+= length
            }
            return count
        }
    }

    private enum Blank {
        case space
        case invisible
    }

    /// Whether the character at an index is white space or invisible; nil for any other character.
    @inline(__always)
    private static func blank(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, length: Int) -> Blank? {
        switch bytes[index] {
        case UInt8(ascii: " "), 9...13: return .space
        case 0..<0x20, 0x7F: return .invisible
        // The first bytes of spaces and invisible characters outside ASCII.
        case 0xC2, 0xE1, 0xE2, 0xE3, 0xEF:
            guard length > 1 else { return nil }
            let scalar = UTF8Sequence.scalar(bytes, at: index, length: length)
            return scalar.properties.isWhitespace ? .space : isInvisible(scalar) ? .invisible : nil
        default: return nil
        }
    }

    /// Whether a character outside ASCII is a control character or an invisible mark such as a byte order mark. Joiners do not count, because Persian
    /// words need them.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        (0x80..<0xA0).contains(scalar.value) || scalar == "\u{AD}" || scalar == "\u{200B}"
            || scalar == "\u{FEFF}"
    }
}
