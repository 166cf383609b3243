/// Decides whether a cell looks like a single value rather than part of a value or several values.
///
/// The fraction of such cells distinguishes an intended delimiter from one that only occurs in the text (van den Burg, Nazábal and Sutton, "Wrangling
/// messy CSV files by detecting row and type patterns", 2019).
enum CellKind {
    /// Whether a cell looks like a single value.
    ///
    /// - Parameter isQuoted: Whether the cell was quoted; delimiters inside it are then text.
    static func isTyped(_ cell: UnsafeBufferPointer<UInt8>, isQuoted: Bool, delimiter: UInt8) -> Bool {
        var start = 0
        var end = cell.count
        while start < end, cell[start] == UInt8(ascii: " ") { start += 1 }
        while end > start, cell[end - 1] == UInt8(ascii: " ") { end -= 1 }
        guard start < end else { return true }
        if isQuoted { return true }
        // A quote at either end suggests a quoted text, or half of one, that was read with the wrong quote or delimiter.
        if isQuote(cell[start]) || isQuote(cell[end - 1]) { return false }
        for index in start..<end {
            switch cell[index] {
            case delimiter: return false
            case UInt8(ascii: "\t"), UInt8(ascii: "|"), UInt8(ascii: "\""): return false
            case UInt8(ascii: ";"), UInt8(ascii: ","):
                // In a sentence or a name, a comma or semicolon is followed by a space.
                guard index + 1 < end, cell[index + 1] == UInt8(ascii: " ") || isDecimal(cell, index) else {
                    return false
                }
            default: break
            }
        }
        return true
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") }

    /// Whether a byte is a decimal comma, as in `3,95`.
    private static func isDecimal(_ cell: UnsafeBufferPointer<UInt8>, _ comma: Int) -> Bool {
        guard cell[comma] == UInt8(ascii: ","), comma > 0 else { return false }
        return cell[comma - 1].isASCIIDigit && cell[comma + 1].isASCIIDigit
    }
}
