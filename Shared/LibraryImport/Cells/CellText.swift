/// The text of a cell without the wrapping of applications and spreadsheets.
package enum CellText {
    /// One line of text: a title, a name, a word. Formula quotes and character references are resolved, white space is
    /// single.
    package static func line(_ cell: String) -> String {
        if CellBytes.of(cell, { $0.isTidy }) { return cell }
        return tidied(cell)
    }

    static func line(_ cell: CellBytes) -> String { cell.isTidy ? cell.text : tidied(cell.text) }

    private static func tidied(_ cell: String) -> String {
        singleSpaced(Markup.decodingReferences(unwrappingFormula(cell)))
    }

    /// Text of several lines: a review or notes. Tags become line breaks or nothing, and empty lines are single.
    package static func prose(_ cell: String) -> String { CellBytes.of(cell, prose) }

    static func prose(_ cell: CellBytes) -> String {
        cell.isTidy ? cell.text : Markup.text(unwrappingFormula(cell.text))
    }

    /// A cell that is a number, a date or an identifier: also without the apostrophe with which spreadsheets mark text,
    /// and without brackets around the whole.
    package static func value(_ cell: String) -> String { CellBytes.of(cell, value) }

    static func value(_ cell: CellBytes) -> String {
        var text = line(cell)
        if text.hasPrefix("'") || text.hasPrefix("’") { text.removeFirst() }
        if text.hasPrefix("["), text.hasSuffix("]") { text = singleSpaced(String(text.dropFirst().dropLast())) }
        return isPlaceholder(text) ? "" : text
    }

    /// Whether a cell is a word for an empty one, such as `n/a`.
    static func isPlaceholder(_ text: String) -> Bool {
        guard text.utf8.count <= 13, let first = text.utf8.first, canStartPlaceholder(first) else { return false }
        switch text.lowercased() {
        case "n/a", "na", "null", "none", "nil", "nan", "-", "–", "—", "?", "not available", "unknown", "undefined":
            return true
        default: return false
        }
    }

    /// The first letters of the words above, and marks outside ASCII.
    private static func canStartPlaceholder(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "u"), UInt8(ascii: "U"), UInt8(ascii: "-"),
            UInt8(ascii: "?"), 0x80...0xFF:
            true
        default: false
        }
    }

    /// The text inside `="…"`, with which exporters keep spreadsheets from reading a number. The quotes may be escaped
    /// twice.
    static func unwrappingFormula(_ cell: String) -> String {
        let bytes = Array(cell.utf8)
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals + 1 < bytes.count,
            bytes[..<equals].allSatisfy(isQuoteOrSpace), bytes[equals + 1] == UInt8(ascii: "\"")
        else { return cell }
        let inner = bytes[(equals + 1)...].drop(while: isQuoteOrSpace)
        guard let last = inner.lastIndex(where: { !isQuoteOrSpace($0) }) else { return "" }
        return String(decoding: inner[...last], as: UTF8.self)
    }

    private static func isQuoteOrSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: " ")
    }

    /// The text with one space where there was white space, and none at the ends.
    package static func singleSpaced(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        var spaceIsDue = false
        for scalar in text.unicodeScalars {
            if isSpace(scalar) {
                spaceIsDue = !result.isEmpty
            } else if !isInvisible(scalar) {
                if spaceIsDue { result.unicodeScalars.append(" ") }
                spaceIsDue = false
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == " " || (9...13).contains(scalar.value) }
        return scalar.properties.isWhitespace
    }

    /// Control characters and byte order marks, which are invisible. Joiners stay: Persian words need them.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value == 0xFEFF || scalar.value == 0x200B
    }
}
