/// Cells that list several words: shelves, tags, genres.
package enum WordList {
    /// Marks between two words, the one that decides first. Openreads writes `|||||`.
    private static let separators = ["|||||", ";", "|", "\n", ","]

    /// The words of a cell in order, without positions such as `(#12)` and without repetitions.
    package static func words(_ cell: String) -> [String] {
        if cell.isEmpty { return [] }
        let text = cell.utf8.contains(UInt8(ascii: "\n")) ? CellText.prose(cell) : CellText.line(cell)
        let separator = separators.first { text.firstRange(of: $0) != nil }
        let parts = separator.map { text.components(between: $0) } ?? [text[...]]
        var words: [String] = []
        for part in parts {
            let word = withoutPosition(part.trimmed)
            if !word.isEmpty, !words.contains(word) { words.append(word) }
        }
        return words
    }

    /// `fiction (#102)` is `fiction`.
    private static func withoutPosition(_ word: Substring) -> String {
        guard word.hasSuffix(")"), let mark = word.firstRange(of: " (#"),
            word[mark.upperBound...].dropLast().utf8.allSatisfy({ CellNumber.digit($0) != nil })
        else { return String(word) }
        return String(word[..<mark.lowerBound])
    }
}
