/// Identifies an author among Wikidata's items for a name (metadata.md "Authors": nothing is guessed).
package enum AuthorIdentity {
    /// The facts about the author; nil if no record matches, if several match, or if the only match is not a human.
    ///
    /// Records with the requested Open Library key match, regardless of their names. If there are none, humans with a writing occupation match by
    /// name: those with the full name or, if there are none, those whose names agree with it by their initials. If a key is requested, records with a
    /// different author key do not match by name. Placeholders ("Various") have no background.
    package static func background(
        of query: AuthorQuery, among records: some Sequence<PersonRecord>
    ) -> AuthorBackground? {
        guard let name = AuthorName(query.name) else { return nil }
        let people = distinct(records)
        let holders = people.filter { record in query.openLibraryKey.map(record.openLibraryKeys.contains) ?? false }
        let found = holders.isEmpty ? bearers(of: name, among: people, asked: query) : holders
        guard found.count == 1, let author = found.first, author.isHuman else { return nil }
        return AuthorBackground(author)
    }

    /// The writers with the author's full name or, if there are none, those whose names agree by their initials; without those who have a different
    /// author key than the requested one.
    private static func bearers(
        of name: AuthorName, among people: [PersonRecord], asked query: AuthorQuery
    ) -> [PersonRecord] {
        let writers = people.filter {
            $0.isHuman && WritingOccupation.contains($0.occupations)
                && !(query.openLibraryKey != nil && hasAuthorKey($0))
        }
        let namesakes = writers.filter { isNamed($0) { $0.isSpelled(like: name) } }
        return namesakes.isEmpty ? writers.filter { isNamed($0) { $0.agreesByInitials(with: name) } } : namesakes
    }

    private static func isNamed(_ record: PersonRecord, _ agrees: (AuthorName) -> Bool) -> Bool {
        record.names.lazy.compactMap(AuthorName.init).contains(where: agrees)
    }

    /// Whether Wikidata links the record to an Open Library author; keys of editions and works end in a different letter.
    private static func hasAuthorKey(_ record: PersonRecord) -> Bool {
        record.openLibraryKeys.contains { $0.hasSuffix("A") }
    }

    /// The records without duplicates. A merged item is found under both of its identifiers, but both records have the current one.
    private static func distinct(_ records: some Sequence<PersonRecord>) -> [PersonRecord] {
        var seen: Set<String> = []
        return records.filter { seen.insert($0.id).inserted }
    }
}

/// An author to look up.
package struct AuthorQuery: Hashable, Codable, Sendable {
    /// The name as credited; may be inverted or contain initials.
    package var name: String
    /// Open Library author key without its path, for example `OL26320A`, if known.
    package var openLibraryKey: String?

    package init(name: String, openLibraryKey: String? = nil) {
        self.name = name
        self.openLibraryKey = openLibraryKey
    }
}

extension AuthorName {
    /// Whether both names are the same full name: the same letters in the same order, regardless of word breaks, so "J.R.R." equals "JRR" and
    /// "LeGuin" equals "Le Guin".
    func isSpelled(like other: AuthorName) -> Bool { words.joined() == other.words.joined() }

    /// Whether one name spells out the other's initials: "J. R. R. Tolkien" and "John Ronald Reuel Tolkien".
    ///
    /// At least two given names are required, because "J. Smith" is too common.
    func agreesByInitials(with other: AuthorName) -> Bool {
        words.count > 2 && words.count == other.words.count && words.last == other.words.last
            && zip(words.dropLast(), other.words.dropLast()).allSatisfy { ours, theirs in
                ours == theirs || (min(ours.count, theirs.count) == 1 && ours.first == theirs.first)
            }
    }
}

/// Occupations (P106) of people who write, draw or translate books. They distinguish an author from other people with the same name.
///
/// The items are listed individually in `Occupations.tsv`, because Wikidata's responses do not show which occupations are kinds of writing. The list
/// deliberately includes many kinds of scholars, because most of them publish; singers, actors, politicians and athletes count only if they are also
/// writers.
enum WritingOccupation {
    /// Whether one of the items is a writing occupation.
    static func contains(_ items: [String]) -> Bool { items.contains(where: all.contains) }

    private static let all = Set(EmbeddedTable.rows(of: PackageResources.Occupations_tsv).map { $0[0] })
}
