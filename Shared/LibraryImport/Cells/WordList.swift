/// Reads cells that list several words: shelves, tags, genres.
package enum WordList {
    /// The words of a cell in order, without positions such as `(#12)` and without duplicates; at most as many as a row keeps.
    package static func words(_ cell: String) -> [String] { CellBytes.of(cell, words) }

    static func words(_ cell: CellBytes) -> [String] {
        if cell.isEmpty { return [] }
        let text = cell.contains(UInt8(ascii: "\n")) ? CellText.prose(cell) : CellText.line(cell)
        var words = DistinctWords()
        for part in parts(of: text) where !words.isFull {
            let word = withoutPosition(part.trimmed)
            if !word.isEmpty { words.add(word) }
        }
        return words.words
    }

    /// The entries of a list in the suite's own CSV: separated by `; `, with `;;` for each `;` inside an entry.
    package static func ownEntries(_ cell: String) -> [String] {
        if cell.isEmpty { return [] }
        var (entries, entry, rest) = ([String](), "", cell[...])
        while let mark = rest.utf8.firstIndex(of: UInt8(ascii: ";")) {
            entry += rest[..<mark]
            rest = rest[rest.utf8.index(after: mark)...]
            if rest.utf8.first == UInt8(ascii: " ") {
                entries.append(entry)
                entry = ""
            } else {
                entry += ";"
            }
            if let next = rest.utf8.first, next == UInt8(ascii: ";") || next == UInt8(ascii: " ") {
                rest = rest[rest.utf8.index(after: rest.startIndex)...]
            }
        }
        return entries + [entry + rest]
    }

    /// Separators of words, in order of precedence.
    private static let separators = [UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "\n"), UInt8(ascii: ",")]

    private static func parts(of text: String) -> [Substring] {
        // Openreads separates words by `|||||`.
        if text.utf8.contains(UInt8(ascii: "|")), text.contains("|||||") { return text.components(between: "|||||") }
        guard let separator = separators.first(where: text.utf8.contains) else { return [text[...]] }
        return text.utf8.split(separator: separator).map(Substring.init)
    }

    /// `fiction (#102)` becomes `fiction`.
    private static func withoutPosition(_ word: Substring) -> String {
        guard word.utf8.last == UInt8(ascii: ")"), let mark = word.firstRange(of: " (#"),
            word[mark.upperBound...].dropLast().utf8.allSatisfy(\.isASCIIDigit)
        else { return String(word) }
        return String(word[..<mark.lowerBound])
    }
}

/// Distinct words in order, at most as many as a row keeps.
struct DistinctWords {
    /// Number of words up to which comparing them one by one is faster than a set.
    private static let few = 16

    private(set) var words: [String] = []
    /// The same words; empty until they are first needed for a comparison.
    private var seen: Set<String> = []

    /// Whether no more words are added.
    var isFull: Bool { words.count >= RowLimits.words }

    mutating func add(_ word: String) {
        guard !isFull else { return }
        if words.count < Self.few {
            guard !words.contains(word) else { return }
        } else {
            if seen.isEmpty { seen = Set(words) }
            guard seen.insert(word).inserted else { return }
        }
        words.append(word)
    }

    mutating func add(_ more: DistinctWords) {
        if words.isEmpty {
            self = more
        } else {
            for word in more.words { add(word) }
        }
    }
}
