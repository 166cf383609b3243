package import BookIdentifiers
package import BookstrackContract

/// One provider's record of one edition, in the contract's terms; unknown fields are absent.
package struct EditionRecord: Hashable, Codable, Sendable {
    /// The provider of every field of this record.
    package let provider: DataProvider
    /// Title as the provider states it, usually without the subtitle.
    package var title: String?
    /// Subtitle, if the provider has it separately.
    package var subtitle: String?
    /// Description of the particular edition, for example "1st American ed.".
    package var editionTitle: String?
    /// Authors in the provider's order, without duplicates.
    package var authors: [AuthorCredit] = []
    /// Open Library keys of authors whose names are not in the record.
    package var authorKeys: [String] = []
    /// All ISBNs that the record states.
    package var isbns: [ISBN] = []
    package var publisher: String?
    /// The date as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    package var publicationDate: String?
    package var pageCount: Int?
    /// The language, as an ISO 639-1 code.
    package var language: String?
    /// ISO 639-1 code of the language from which the edition was translated.
    package var originalLanguage: String?
    package var format: EditionFormat?
    package var cover: CoverImage?
    /// The description as plain text.
    package var description: String?
    /// The subjects as given by the provider.
    package var subjects: [String] = []
    /// Open Library keys of the edition's works, for example `OL45804W`.
    package var workKeys: [String] = []
    package var identifiers = EditionIdentifiers()
    /// When the record was retrieved, in seconds since 1970; set only for ISBNdb.
    package var retrievedAt: Int64?

    /// Creates an empty record.
    package init(provider: DataProvider) {
        self.provider = provider
    }

    /// Whether the record's own identifiers contain this ISBN, in either form (metadata.md "Lookup": the ISBN decides).
    package func states(_ isbn: ISBN) -> Bool { isbns.contains(isbn) }

    /// The title, followed by the subtitle unless the title contains it.
    package var fullTitle: String? {
        guard let title else { return nil }
        guard let subtitle, !title.lowercased().contains(subtitle.lowercased()) else { return title }
        return "\(title): \(subtitle)"
    }
}

/// An edition's identifiers in catalogs.
package struct EditionIdentifiers: Hashable, Codable, Sendable {
    /// Maximum number of identifiers to keep of each kind.
    static let limit = 50
    /// Maximum length of an identifier in bytes; identifiers in catalogs are at most a few dozen bytes long.
    private static let maxLength = 100

    /// Whether a provider's string is short enough for an identifier.
    static func admits(_ identifier: String) -> Bool { identifier.utf8.count <= maxLength }

    /// Open Library edition key, for example `OL7353617M`.
    package var openLibraryEdition: String?
    /// Goodreads edition identifiers.
    package var goodreads: [String] = []
    /// LibraryThing work identifiers.
    package var librarything: [String] = []
    /// Amazon identifiers (ASINs).
    package var amazon: [String] = []
    /// Google Books volume identifiers.
    package var googleVolumes: [String] = []
    /// ISBNdb's identifier of the edition: its ISBN-13.
    package var isbndb: String?
}

/// A page of a provider's list of editions.
package struct EditionPage: Hashable, Codable, Sendable {
    /// Total number of editions reported by the provider.
    package let total: Int
    /// The editions on the page, in the provider's order.
    package var editions: [EditionRecord]

    /// No results.
    package static let none = EditionPage(total: 0, editions: [])

    /// Creates a page; the total is at least the number of editions on it.
    package init(total: Int, editions: [EditionRecord]) {
        self.total = ProviderDocument.total(total, atLeast: editions.count)
        self.editions = editions
    }

    /// Number of further results that the provider has.
    var totalBeyond: Int { max(0, total - editions.count) }
}
