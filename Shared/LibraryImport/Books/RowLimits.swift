import BookstrackContract
import JSON

/// Limits for one row's data in the results. Sizes are lengths in JSON, where an escaped character takes up to six bytes, so that no row is longer
/// than ``ImportPage/maxRowBytes``.
enum RowLimits {
    /// Maximum length in bytes of a review or notes.
    static let prose = 24 << 10
    /// Maximum length in bytes of single-line text.
    static let line = 2 << 10
    /// Maximum length in bytes of a shelf, tag or name.
    static let word = 256
    /// Maximum number of shelves, tags, names or remarks.
    static let words = 100
    /// Maximum number of readings.
    static let readings = 200
    /// Maximum size in bytes of a row's raw cells.
    static let rawCells = 24 << 10
    /// Maximum number of rows merged into one book; the next row starts a new book.
    static let joinedRows = 20_000

    /// Maximum number of code points by which a string is shortened further so that a character is not divided.
    private static let character = 32

    /// The start of a string that exceeds a limit, cut between characters; nil if the string fits. A character of very many code points, such as a
    /// letter with hundreds of accents, is cut between code points.
    static func cut(_ text: String, to bytes: Int) -> String? {
        guard text.utf8.count > bytes / JSONString.maxEscape else { return nil }
        var left = bytes
        let excess = text.utf8.firstIndex { byte in
            left -= JSONText.length(of: byte)
            return left < 0
        }
        guard var end = excess else { return nil }
        let scalars = text.unicodeScalars
        while UTF8.isContinuation(text.utf8[end]) { end = text.utf8.index(before: end) }
        let start = scalars.index(end, offsetBy: -character, limitedBy: scalars.startIndex) ?? scalars.startIndex
        // The last character of the text up to the first code point that does not fit.
        let near = Substring(scalars[start...end])
        guard let last = near.indices.last else { return "" }
        return String(text[..<(last > start || start == text.startIndex ? last : end)])
    }

    /// The first words of a list, each cut to the limit.
    static func cut(_ words: [String]) -> [String] {
        if words.count <= Self.words, words.allSatisfy({ cut($0, to: word) == nil }) { return words }
        return words.prefix(Self.words).map { cut($0, to: word) ?? $0 }
    }

    /// The part of ``rawCells`` that a cell takes.
    static func size(_ cell: RawCells.Cell) -> Int { JSONText.length(of: cell.column) + JSONText.length(of: cell.text) }
}
