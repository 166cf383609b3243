/// One publication of a work: a printing, an e-book, a recording (metadata.md "Books").
///
/// A member that is not optional is always present; an optional that is `nil` is omitted, never sent as `null`.
public struct EditionDTO: Codable, Sendable, Equatable {
    /// ISBNs of the edition, ISBN-13 before ISBN-10, without hyphens.
    public var isbns: [String]
    /// Binding or medium; `Paperback` if unknown, see `formatInferred`.
    public var format: EditionFormat
    /// Amazon identifiers (ASINs); empty if none is known.
    public var amazonASINs: [String]
    /// Google Books volume identifiers.
    public var googleBooksVolumeIDs: [String]
    /// LibraryThing work identifiers.
    public var librarythingIDs: [String]
    /// Completeness score from 50 to 100, calculated as in metadata.md "Mapping" for every provider; 0 for the placeholder in
    /// ``ScannedBook/Enrichment/editions``.
    public var isbndbQuality: Int

    /// Whether `format` is a guess, because no provider specifies the binding: true or absent.
    public var formatInferred: Bool?
    /// First entry of `isbns`; absent if there is none.
    public var isbn: String?
    /// The edition's title, with its subtitle; those of the work if no record of the edition is known.
    public var title: String?
    /// The publisher's name.
    public var publisher: String?
    /// The publication date as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    public var publicationDate: String?
    /// Number of pages.
    public var pageCount: Int?
    /// The `https` URL of this edition's cover.
    public var coverImageURL: String?
    /// Name of this particular edition, for example "Deluxe Illustrated Edition".
    public var editionTitle: String?
    /// Plain text about this edition. It is not called `description`, because Swift clients reserve that name.
    public var editionDescription: String?
    /// Language of the edition, as an ISO 639-1 code.
    public var language: String?

    /// The provider that supplied the match; if it does not have the edition, the most preferred provider that does.
    public var primaryProvider: DataProvider?
    /// All providers that contributed at least one field.
    public var contributors: [DataProvider]?

    /// Open Library edition key, for example `OL7353617M`.
    public var openLibraryID: String?
    /// The same as `openLibraryID`, under the name that newer clients read.
    public var openLibraryEditionID: String?
    /// ISBNdb's identifier of the edition: its ISBN-13.
    public var isbndbID: String?
    /// First entry of `googleBooksVolumeIDs`, for older clients.
    public var googleBooksVolumeID: String?
    /// Goodreads edition identifier.
    public var goodreadsID: String?
    /// When ISBNdb was queried, if it contributed a field: ISO 8601 in UTC without a fraction.
    public var lastISBNDBSync: String?

    /// Creates an edition from its ISBNs and format.
    public init(isbns: [String], format: EditionFormat) {
        self.isbns = isbns
        self.format = format
        isbn = isbns.first
        amazonASINs = []
        googleBooksVolumeIDs = []
        librarythingIDs = []
        isbndbQuality = 0
    }
}

/// Binding or medium: the contract's five values (metadata.md "Books").
public enum EditionFormat: String, Codable, Sendable, CaseIterable {
    case hardcover = "Hardcover"
    case paperback = "Paperback"
    case ebook = "E-book"
    case audiobook = "Audiobook"
    case massMarket = "Mass Market"
}
