/// Reads the marks with which library catalogs separate the parts of a description (ISBD): `Dune / by Frank Herbert.`, `Emma :`, `Ace Books,`.
/// Older descriptions also have the kind of medium in brackets after the title: `Dune [electronic resource]`.
enum CatalogPunctuation {
    /// The beginnings of statements of responsibility, which name the people behind a book.
    private static let beginnings = [
        "by ", "[by] ", "written by ", "edited by ", "ed. by ", "translated by ", "retold by ", "adapted by ",
        "illustrated by ", "compiled by ", "selected by ",
    ]
    /// Words before a name in a statement of responsibility.
    private static let wordsBeforeNames: Set<Substring> = ["von", "par", "por", "door", "di", "av", "af", "przez"]

    /// Whether a title may have a statement of responsibility, or a kind of medium or a mark at its end; false for most titles.
    static func mayOccur(in title: CellBytes) -> Bool {
        title.bytes.last.map { isMark($0) || $0 == UInt8(ascii: "]") } ?? false
            || title.bytes.contains(UInt8(ascii: "/"))
    }

    private static func isMark(_ byte: UInt8) -> Bool { ",/:;=".utf8.contains(byte) }

    /// How brackets with the kind of medium begin.
    private static let media = [
        "[electronic resource", "[text]", "[text (", "[large print", "[sound recording", "[audiobook", "[ebook",
        "[e-book",
    ]

    /// A title without the kind of medium in brackets at its end.
    static func withoutMedium(_ title: String) -> String {
        guard title.utf8.last == UInt8(ascii: "]"), let open = title.utf8.lastIndex(of: UInt8(ascii: "[")) else {
            return title
        }
        let before = title[..<open].trimmed
        return !before.isEmpty && media.contains(where: title[open...].lowercased().hasPrefix) ? String(before) : title
    }

    /// A title without its statement of responsibility, and the statement; nil if there is none. Text after a slash is a statement only if it begins
    /// like one or first names one of the authors, because a slash may also be part of the title, as in `Either / Or`.
    static func split(title: String, authors: [String]) -> (title: String, statement: Substring)? {
        var rest = title[...]
        while let slash = rest.utf8.firstRange(of: " / ".utf8) {
            rest = rest[slash.upperBound...]
            let before = title[..<slash.lowerBound].trimmed
            if !before.isEmpty, isStatement(rest, authors) { return (String(before), rest) }
        }
        return nil
    }

    private static func isStatement(_ text: Substring, _ authors: [String]) -> Bool {
        if beginnings.contains(where: text.hasPrefix) { return true }
        let first = people(in: text).split { $0 == "," || $0 == "&" }.first?.components(between: " and ").first
        let words = FoldedText.fold(String(first ?? "")).split(separator: " ").filter {
            $0.count > 1 && !wordsBeforeNames.contains($0)
        }
        guard !words.isEmpty else { return false }
        return authors.contains { author in
            let names = FoldedText.fold(author).split(separator: " ")
            return words.allSatisfy(names.contains)
        }
    }

    /// The names in a statement of responsibility, as in a cell of authors.
    static func names(in statement: Substring) -> String {
        let beginning = beginnings.first(where: statement.hasPrefix)
        return String(AuthorNames.withoutFinalPeriod(people(in: statement.dropFirst(beginning?.count ?? 0))))
    }

    /// The people in the first part of a statement; people with other roles follow, as in `Grimm ; illustrated by Anna Smith.`
    private static func people(in statement: Substring) -> Substring {
        statement.prefix { $0 != ";" && $0 != "[" }.trimmed
    }

    /// A field without the mark at its end that separates it from the next field: a comma, or another mark after a space.
    static func withoutMark(_ field: String) -> String {
        guard let last = field.utf8.last, isMark(last) else { return field }
        let rest = Substring(field.utf8.dropLast())
        let isSeparate = last == UInt8(ascii: ",") || rest.utf8.last == UInt8(ascii: " ")
        return isSeparate && !rest.trimmed.isEmpty ? String(rest.trimmed) : field
    }
}
