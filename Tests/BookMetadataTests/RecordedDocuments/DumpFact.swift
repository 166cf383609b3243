import BookIdentifiers
import BookMetadata
import BookstrackContract

/// What one line of a dump says, in one line: key, ISBN-13s, title, author keys, date, pages, language, publisher, format for an
/// edition; key, title, author keys, first year for a work; key, name, years of life, Wikidata item for a person.
struct DumpFact: Hashable, CustomStringConvertible {
    let description: String

    init(line: String) {
        description = line
    }

    init(_ edition: EditionRecord) {
        self.init(columns: [
            edition.identifiers.openLibraryEdition, edition.isbns.map(\.isbn13).joined(separator: " "), edition.title,
            edition.authorKeys.joined(separator: " "), edition.publicationDate, edition.pageCount.map(String.init),
            edition.language, edition.publisher, edition.format?.rawValue,
        ])
    }

    init(_ work: WorkRecord) {
        self.init(columns: [
            work.key, work.title, work.authorKeys.joined(separator: " "), work.firstPublicationYear.map(String.init),
        ])
    }

    init(_ author: AuthorRecord) {
        self.init(columns: [
            author.key, author.name, author.birthYear.map(String.init), author.deathYear.map(String.init),
            author.wikidataID,
        ])
    }

    private init(columns: [String?]) {
        description = columns.map { $0.flatMap { $0.isEmpty ? nil : $0 } ?? "-" }.joined(separator: " | ")
    }
}
