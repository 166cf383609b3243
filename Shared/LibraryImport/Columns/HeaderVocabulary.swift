package import BookstrackContract

/// What the words of a header say about a column's role, in the vocabulary's languages.
package enum HeaderVocabulary {
    /// How surely a word names a role.
    package enum Weight: Int, Sendable, Comparable {
        case hint = 1
        case likely = 2
        case sure = 3

        package static func < (lhs: Weight, rhs: Weight) -> Bool { lhs.rawValue < rhs.rawValue }

        /// The weight as log-odds.
        var logOdds: Double {
            switch self {
            case .hint: 1.5
            case .likely: 3.5
            case .sure: 6
            }
        }
    }

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
        return (words, english)
    }()

    /// Whether headers are in another language than English: most of the known ones.
    package static func isForeign(_ foldedHeaders: [String]) -> Bool {
        let known = foldedHeaders.filter { words[$0] != nil }
        return 2 * known.count { !english.contains($0) } > known.count
    }

    /// Words that mark a column of flags: whether a book is read.
    private static let readFlags: Set<String> = [
        "gelesen", "lu", "leído", "leido", "letto", "gelezen", "przeczytana", "przeczytane", "прочитано", "läst",
        "lido", "read",
        "read it", "finished", "luettu", "llegit", "completed",
    ]

    /// The roles that a folded header names.
    package static func roles(_ foldedHeader: String) -> [ColumnRole: Weight] {
        guard !foldedHeader.isEmpty else { return [:] }
        if let roles = words[foldedHeader] { return roles }
        // `ISBN13 (Hardcover)`, `Title (English)`: what stands before the brackets.
        let bare = foldedHeader.split(separator: " ")
        guard bare.count > 1 else { return [:] }
        for count in stride(from: bare.count - 1, through: 1, by: -1) where count >= bare.count - 1 {
            if let roles = words[bare.prefix(count).joined(separator: " ")] {
                return roles.mapValues { min($0, .likely) }
            }
        }
        return [:]
    }

    /// Whether a status column holds yes or no.
    package static func isReadFlag(_ foldedHeader: String) -> Bool { readFlags.contains(foldedHeader) }
}
