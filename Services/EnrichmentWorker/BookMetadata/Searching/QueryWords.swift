/// The words of a request: the user's text without punctuation that a search would interpret as syntax or could not find.
enum QueryWords {
    /// Maximum number of words; further words of a long title do not make a search more precise.
    private static let maxWords = 12

    /// The words of a title without its brackets, its subtitle (``TitleForms/main``) and the name of an edition at its end, or all of its words if
    /// none are left.
    static func title(_ title: String) -> [String] {
        let main = withoutEdition(words(TitleForms(title).main))
        return Array((main.isEmpty ? words(title) : main).prefix(maxWords))
    }

    /// The words without the name of an edition, which many records lack: "Programming C#, Third Edition".
    private static func withoutEdition(_ words: [String]) -> [String] {
        let folded = TitleWords.folded(words.joined(separator: " "))
        let bare = PrintingWords.withoutEdition(folded)
        guard bare.count < folded.count, bare.contains(where: TitleWords.tells) else { return words }
        let count = words.indices.last { TitleWords.folded(words[..<$0].joined(separator: " ")) == bare }
        return count.map { Array(words[..<$0]) } ?? words
    }

    /// The words of a title, as ``title(_:)`` returns them, and of the first person of an author cell; all words of the name if there is no title.
    static func words(title: String?, author: String?) -> (title: [String], name: [String]) {
        let title = title.map { Self.title($0) } ?? []
        let name = author.flatMap { AuthorCell($0).first }.map { title.isEmpty ? words($0) : person($0) }
        return (title, name ?? [])
    }

    /// The words of a title with its subtitle but without its brackets; nil if no subtitle distinguishes the book from others with the same title.
    static func withSubtitle(_ title: String) -> String? {
        let subtitle = TitleForms(title).subtitleWords
        let whole = words(TitlePunctuation.separatingBrackets(title).line).prefix(maxWords).joined(separator: " ")
        let isDistinct = !subtitle.isEmpty && !SubtitleShape.plain.contains(subtitle)
        return isDistinct && Self.title(whole) != Self.title(title) ? whole : nil
    }

    /// The words of a person's name on which catalogs agree. Catalogs spell initials differently ("J.R.R.", "J. R. R.", "JRR"), so initials are
    /// omitted if the rest is a name by itself.
    static func person(_ name: String) -> [String] {
        let parts = name.split(whereSeparator: \.isWhitespace)
        let full = parts.filter { !areInitials($0) && !areJoinedInitials($0, of: name) }
        let named = words(full.joined(separator: " "))
        return named.isEmpty ? words(name) : named
    }

    /// An author cell for comparing requests: without capitals, unless these show which words are initials. "JRR Tolkien" is requested as "Tolkien",
    /// but "jrr tolkien" and "JRR TOLKIEN" with all words.
    static func comparable(author cell: String) -> String {
        let words = cell.split { !$0.isLetter }
        return words.contains { areJoinedInitials($0, of: cell) } ? cell : cell.lowercased()
    }

    /// Whether a part of a name consists of initials without periods: "JRR" in "JRR Tolkien". In a name in capitals, every part would look like this.
    private static func areJoinedInitials(_ part: Substring, of name: String) -> Bool {
        (2...3).contains(part.count) && part.allSatisfy(\.isUppercase) && name.contains(where: \.isLowercase)
    }

    /// Whether a part of a name consists of initials: "J.", "J.K.", "J-P.", "A".
    static func areInitials(_ part: Substring) -> Bool {
        let letters = part.split { !$0.isLetter }
        return !letters.isEmpty && part.allSatisfy { !$0.isNumber }
            && letters.allSatisfy { $0.count == 1 && $0.unicodeScalars.allSatisfy(isCased) }
    }

    /// The words of a string: runs of letters and digits, with the apostrophes and hyphens between them.
    static func words(_ text: String) -> [String] {
        text.split { !isPartOfWord($0) }.compactMap { run in
            let word = run.drop(while: isMark)
            let length = word.reversed().drop(while: isMark).count
            return length == 0 ? nil : String(word.prefix(length))
        }
    }

    /// Whether a letter belongs to a script with capitals; 金 alone is a name, not an initial.
    private static func isCased(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isCased || scalar.properties.generalCategory == .nonspacingMark
    }

    private static func isMark(_ character: Character) -> Bool { "'’-‐".contains(character) }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || isMark(character)
            || character.unicodeScalars.contains { $0.properties.generalCategory == .spacingMark }
    }
}
