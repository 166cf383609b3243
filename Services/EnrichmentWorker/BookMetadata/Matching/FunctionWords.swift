/// Articles, prepositions, conjunctions and other common words in titles, folded like the words of titles.
///
/// They are the rows of `FunctionWords.tsv`: the word; the languages (ISO 639-1) in which it is an article, those that it indicates without being an
/// article, and those in whose titles it is common; then its roles. The languages may differ: "das" is a German article, but also common in
/// Portuguese titles.
enum FunctionWords {
    /// Articles with their languages; a title may begin or end with one.
    static let articles = languages(.article)
    /// Words other than articles, with the languages that they indicate.
    private static let signs = languages(.sign)
    /// The words that are common in titles, by language.
    static let common = rows.reduce(into: [String: Set<String>]()) { common, row in
        for language in row.list(.common) { common[language, default: []].insert(row.word) }
    }
    /// Words that do not distinguish books.
    static let fillers = words(.filler)
    /// Words for "of" after the number of a part: "part 1 of 2".
    static let partitives = words(.partitive)

    /// The languages that a word indicates; nil if it indicates none.
    static func languages(shownBy word: String) -> Set<String>? { signs[word] ?? articles[word] }

    private enum Column: Int {
        case article = 1
        case sign, common, roles
    }

    private enum Role: String {
        case filler, partitive
    }

    private struct Row {
        let word: String
        let fields: [String]

        func list(_ column: Column) -> [String] {
            column.rawValue < fields.count ? fields[column.rawValue].split(separator: " ").map(String.init) : []
        }
    }

    private static let rows = EmbeddedTable.rows(of: PackageResources.FunctionWords_tsv).map {
        Row(word: $0[0], fields: $0)
    }

    private static func languages(_ column: Column) -> [String: Set<String>] {
        rows.reduce(into: [:]) { languages, row in
            let list = row.list(column)
            if !list.isEmpty { languages[row.word] = Set(list) }
        }
    }

    private static func words(_ role: Role) -> Set<String> {
        Set(rows.filter { $0.list(.roles).contains(role.rawValue) }.map(\.word))
    }
}
