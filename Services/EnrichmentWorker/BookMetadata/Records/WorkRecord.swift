package import BookIdentifiers
package import BookstrackContract

/// One provider's record of a work, independent of its editions.
package struct WorkRecord: Hashable, Codable, Sendable {
    /// The provider of every field of this record.
    package let provider: DataProvider
    /// Open Library work key, for example `OL45804W`.
    package var key: String
    package var title: String?
    package var subtitle: String?
    /// Authors in the provider's order, without duplicates.
    package var authors: [AuthorCredit] = []
    /// Open Library keys of authors whose names are not in the record.
    package var authorKeys: [String] = []
    /// Year of the first publication of any edition.
    package var firstPublicationYear: Int?
    package var cover: CoverImage?
    /// The description as plain text.
    package var description: String?
    /// Subjects as given.
    package var subjects: [String] = []
    /// ISBNs of the work's editions, not necessarily of all, as strings: popular works have hundreds, which are compared without being parsed.
    package var statedISBNs: [String] = []
    /// Key of the edition that the cover belongs to, for example `OL7353617M`.
    package var representativeEditionKey: String?
    /// Goodreads identifiers of the work itself, if the record has any.
    package var goodreadsIDs: [String]?
    /// The edition that best matches a search, if the search requested editions. Its record has no authors; they are the work's.
    package var bestEdition: EditionRecord?

    /// Creates a record that has only a key.
    package init(provider: DataProvider, key: String) {
        self.provider = provider
        self.key = key
    }

    /// Whether the record contains this ISBN, in either form.
    package func states(_ isbn: ISBN) -> Bool {
        let forms = isbn.forms
        return statedISBNs.contains { forms.contains($0) }
    }

    /// An edition record created from the work, with the key of the edition to which the cover belongs, if it is known.
    var representativeEdition: EditionRecord {
        var edition = EditionRecord(provider: provider)
        (edition.title, edition.subtitle, edition.cover) = (title, subtitle, cover)
        edition.identifiers.openLibraryEdition = representativeEditionKey
        edition.workKeys = [key]
        return edition
    }
}

/// A page of a provider's list of works.
package struct WorkPage: Hashable, Codable, Sendable {
    /// Total number of works reported by the provider.
    package let total: Int
    /// The works on the page, in the provider's order.
    package var works: [WorkRecord]

    /// No results.
    package static let none = WorkPage(total: 0, works: [])

    /// Creates a page; the total is at least the number of works on it.
    package init(total: Int, works: [WorkRecord]) {
        self.total = ProviderDocument.total(total, atLeast: works.count)
        self.works = works
    }

    /// Number of further results that the provider has.
    var totalBeyond: Int { max(0, total - works.count) }
}
