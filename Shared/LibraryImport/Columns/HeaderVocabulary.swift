package import BookstrackContract

/// The roles that header words stand for, in the vocabulary's languages.
package enum HeaderVocabulary {
    /// How certainly a word stands for a role.
    package enum Weight: Int, Sendable, Comparable {
        case hint = 1
        case likely = 2
        case sure = 3

        package static func < (lhs: Weight, rhs: Weight) -> Bool { lhs.rawValue < rhs.rawValue }

        var logOdds: Double {
            switch self {
            case .hint: 1.5
            case .likely: 3.5
            case .sure: 6
            }
        }
    }

    /// Roles by word, and the English words. Words are also listed without accents, without spaces and without both, unless the result is another
    /// listed word, has fewer than four characters, or is the English "last", which names a column of family names.
    private static let (words, english): ([String: [ColumnRole: Weight]], Set<String>) = {
        var (words, english) = ([String: [ColumnRole: Weight]](), Set<String>())
        for fields in EmbeddedTable.rows(of: PackageResources.Headers_tsv) where fields.count > 3 {
            guard let role = ColumnRole(rawValue: fields[0]), let weight = Int(fields[1]).flatMap(Weight.init) else {
                preconditionFailure("Headers.tsv has a line of an unknown kind: \(fields.prefix(2))")
            }
            for word in fields.dropFirst(3).map(FoldedText.fold) {
                words[word, default: [:]][role] = weight
                if fields[2] == "en" { english.insert(word) }
            }
        }
        for role in ColumnRole.allCases { words[FoldedText.fold(role.rawValue), default: [:]][role] = .sure }
        for (word, roles) in words.sorted(by: { $0.key < $1.key }) {
            let bare = FoldedText.withoutMarks(word)
            for form in [bare, joined(bare), joined(word)] where form.count > 3 && form != "last" {
                words[form] = words[form] ?? roles
            }
        }
        return (words, english)
    }()

    /// Whether the headers are in a language other than English, judged by the majority of the known headers.
    package static func isForeign(_ foldedHeaders: [String]) -> Bool {
        let known = foldedHeaders.filter { words[$0] != nil }
        return 2 * known.count { !english.contains($0) } > known.count
    }

    /// Whether one of the headers certainly stands for a role.
    static func knows(_ headers: [String]) -> Bool {
        headers.contains { roles($0).values.contains(.sure) }
    }

    /// Whether a row can only be a header: it has a certain word for titles, one for another role, and at least half of its filled cells are headers.
    static func isHeader(_ cells: [String]) -> Bool {
        let filled = cells.filter { !$0.isEmpty }
        guard filled.count > 1, filled.contains(where: { rolesOfWhole(FoldedText.fold($0))?[.title] == .sure }) else {
            return false
        }
        let roles = filled.map(roles)
        let certain = Set(roles.flatMap { $0.filter { $0.value == .sure }.keys })
        return certain.count > 1 && 2 * roles.count { !$0.isEmpty } >= filled.count
    }

    /// Headers of flag columns, which indicate whether a book has been read.
    private static let readFlags: Set<String> = [
        "gelesen", "lu", "leído", "leido", "letto", "gelezen", "przeczytana", "przeczytane", "прочитано", "läst",
        "lido", "read",
        "read it", "finished", "luettu", "llegit", "completed",
    ]

    /// Words for a book title that can also stand for the name of anything.
    private static let generalNames: Set<String> = ["name", "naam", "nom", "nombre", "nome", "nazwa", "имя"]

    /// Whether a header may stand for the name of anything, not only of books.
    static func isGeneralName(_ foldedHeader: String) -> Bool { generalNames.contains(foldedHeader) }

    /// The roles that a header may stand for, with their weights.
    package static func roles(_ header: String) -> [ColumnRole: Weight] {
        let folded = FoldedText.fold(header)
        guard !folded.isEmpty else { return [:] }
        let whole = rolesOfWhole(folded)
        if header.utf8.last == UInt8(ascii: "#"), let number = rolesOfWhole(folded + " number") {
            // `Series #` is a number, but `Series & #` may be a name and a number.
            return number.merging(whole?.mapValues { min($0, .likely) } ?? [:]) { number, _ in number }
        }
        if let whole { return whole }
        let start = words[withoutLastWord(folded)] ?? foldedWithoutNote(header).flatMap(rolesOfWhole)
        return start?.mapValues { min($0, .likely) } ?? [:]
    }

    private static func rolesOfWhole(_ folded: String) -> [ColumnRole: Weight]? {
        words[folded] ?? words[joined(FoldedText.withoutMarks(folded))]
    }

    /// A folded header without the note in brackets at its end: `Date read (YYYY-MM-DD)`, `Read (Y/N)`; nil without a note.
    private static func foldedWithoutNote(_ header: String) -> String? {
        let brackets: [Character: Character] = [")": "(", "]": "[", "）": "（"]
        let start = header.last.flatMap { brackets[$0] }.flatMap { header.lastIndex(of: $0) }
        return start.map { FoldedText.fold(String(header[..<$0])) }
    }

    /// A folded header without the last word, as in `Author 2`, or without the range at its end, as in `Rating 1-10`.
    private static func withoutLastWord(_ folded: String) -> String {
        let parts = folded.split(separator: " ")
        let isRange = parts.count > 2 && parts.suffix(2).allSatisfy { Int($0) != nil }
        return parts.dropLast(isRange ? 2 : 1).joined(separator: " ")
    }

    /// Headers of given names, without spaces and accents.
    private static let givenNames: Set<String> = [
        "authorfirstname", "firstname", "authorgivenname", "givenname", "authorfirst", "vorname", "autorvorname",
        "prenomauteur", "prenom", "prenomdelauteur", "voornaam", "voornaamauteur", "imieautora", "imie", "jmenoautora",
        "jmeno", "nombreautor", "nomeautore", "имяавтора", "имя", "fornamn", "fornavn", "etunimi", "first",
    ]
    /// Headers of family names, without spaces and accents.
    private static let familyNames: Set<String> = [
        "authorlastname", "lastname", "authorsurname", "surname", "authorfamilyname", "familyname", "authorlast",
        "nachname", "autornachname", "nomauteur", "nomdefamille", "achternaam", "achternaamauteur", "nazwiskoautora",
        "nazwisko", "prijmeniautora", "prijmeni", "apellido", "apellidos", "apellidoautor", "apellidosautor", "cognome",
        "cognomeautore", "sobrenome", "фамилия", "фамилияавтора", "efternamn", "etternavn", "sukunimi",
    ]

    /// Whether a header names a column of authors' given names.
    static func isGivenName(_ foldedHeader: String) -> Bool {
        givenNames.contains(joined(FoldedText.withoutMarks(foldedHeader)))
    }

    /// Whether a header names a column of authors' family names.
    static func isFamilyName(_ foldedHeader: String) -> Bool {
        // Without its marks, the Swedish "läst" (read) would be the same word.
        foldedHeader == "last" || familyNames.contains(joined(FoldedText.withoutMarks(foldedHeader)))
    }

    /// Headers of columns of authors with the family name first, which usually repeat another column.
    private static let invertedNames: Set<String> = [
        "author l f", "author lf", "author last first", "author sort", "autor nachname vorname",
    ]

    /// Whether a header names a column of authors with the family name first.
    static func isInvertedName(_ foldedHeader: String) -> Bool { invertedNames.contains(foldedHeader) }

    private static func joined(_ word: String) -> String { word.filter { $0 != " " } }

    /// The folded headers without the first word that most of them share, as in `Citation Title` and `Citation Author`; without such a word, the
    /// headers as they are.
    static func withoutCommonWord(_ headers: [String]) -> [String] {
        let folded = headers.map(FoldedText.fold)
        let starts = folded.compactMap { $0.split(separator: " ", maxSplits: 1).first }
        let counts = Dictionary(grouping: starts, by: \.self).mapValues(\.count)
        guard headers.count >= 4, let (first, count) = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
            5 * count >= 3 * headers.count
        else { return headers }
        return folded.map { $0.hasPrefix(first + " ") ? String($0.dropFirst(first.count + 1)) : $0 }
    }

    /// Whether a header is that of a flag column.
    package static func isReadFlag(_ header: String) -> Bool {
        readFlags.contains(FoldedText.fold(header)) || foldedWithoutNote(header).map(readFlags.contains) ?? false
    }
}
