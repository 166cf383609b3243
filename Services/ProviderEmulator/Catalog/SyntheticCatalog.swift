import BookIdentifiers

/// Synthetic books: made-up ones whose ISBNs are derived from their index `i` in the list:
///
/// - even `i`: `979-8`, then `40000000 + i / 2` in eight digits, then the check digit;
/// - odd `i`: `978-0-99`, then `i / 2` in six digits, then the check digit (these have an ISBN-10).
///
/// The other facts are also derived from `i`, so tests know the expected results.
enum SyntheticCatalog {
    /// Limited by the six digits of the second rule.
    static let maximumCount = 2_000_000

    static func isbn(_ index: Int) -> ISBN? {
        let stem =
            index.isMultiple(of: 2)
            ? "9798\(40_000_000 + index / 2)" : "978099\(String(1_000_000 + index / 2).dropFirst())"
        return ISBN(stem + String(checkDigit(of: stem)))
    }

    static func book(_ index: Int, knownFraction: Double = 1) -> CatalogBook? {
        isbn(index).map { isbn in
            CatalogBook(
                isbn: isbn,
                title: "\(adjectives[index % 16]) \(nouns[index / 16 % 16]) \(index + 1)",
                authors: ["\(firstNames[index / 7 % 8]) \(lastNames[index / 56 % 8])"],
                firstPublished: 1900 + index % 120,
                published: "\(1960 + index % 60)",
                publisher: "Emulated Press \(index % 40 + 1)",
                pages: 96 + index % 700,
                format: index.isMultiple(of: 3) ? .hardcover : .paperback,
                language: .english,
                subjects: [subjects[index % 8]],
                about: "Made-up book number \(index + 1).",
                hasCover: !index.isMultiple(of: 5),
                knownTo: KnownFraction(knownFraction).providers(knowing: isbn))
        }
    }

    /// The authors of the synthetic books; every first name has one gender, and every last name one country.
    static let people: [Person] = lastNames.enumerated().flatMap { place, last in
        firstNames.enumerated().map { index, first in
            Person(
                "\(first) \(last)", nil, index.isMultiple(of: 2) ? .female : .male, [states[place]],
                "\(1900 + index * 8 + place)", as: [.novelist])
        }
    }

    private static func checkDigit(of stem: String) -> Int {
        let sum = stem.utf8.enumerated().reduce(0) { $0 + Int($1.element - 48) * ($1.offset.isMultiple(of: 2) ? 1 : 3) }
        return (10 - sum % 10) % 10
    }

    private static let adjectives = [
        "Amber", "Blue", "Silent", "Distant", "Early", "Final", "Golden", "Hidden", "Inner", "Jade", "Last", "Lost",
        "Northern", "Open", "Patient", "Quiet",
    ]
    private static let nouns = [
        "Archive", "Bridge", "Compass", "Door", "Evening", "Forest", "Garden", "Harbour", "Island", "Journey",
        "Kitchen", "Lantern", "Meadow", "Notebook", "Orchard", "Passage",
    ]
    private static let firstNames = ["Ada", "Boris", "Clara", "Dario", "Elif", "Femi", "Greta", "Hugo"]
    private static let lastNames = ["Abel", "Brandt", "Castro", "Duarte", "Eriksen", "Fontana", "Grant", "Haddad"]
    private static let states: [WikidataItemID] = [
        .germany, .argentina, .nigeria, .portugal, .sweden, .italy, .unitedStates, .egypt,
    ]
    private static let subjects = [
        "Fiction", "Fantasy", "Mystery", "History", "Science", "Poetry", "Romance", "Philosophy",
    ]
}
