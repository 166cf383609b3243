/// The abstract creative work, independent of any printing of it (metadata.md "Books").
///
/// A member that is not optional is always present; an optional that is `nil` is omitted, never sent as `null`.
public struct WorkDTO: Codable, Sendable, Equatable {
    /// The work's title or, if `synthetic` is true, an edition's; a separate subtitle is not added.
    public var title: String
    /// Canonical genres first, then other subjects; at most 25 (metadata.md "Mapping").
    public var subjectTags: [String]
    /// Goodreads work identifiers.
    public var goodreadsWorkIDs: [String]
    /// Amazon identifiers (ASINs) of the work's editions; empty if none is known.
    public var amazonASINs: [String]
    /// LibraryThing work identifiers.
    public var librarythingIDs: [String]
    /// Google Books volume identifiers of the work's editions.
    public var googleBooksVolumeIDs: [String]
    /// Completeness score from 50 to 100, calculated as in metadata.md "Mapping" for every provider.
    public var isbndbQuality: Int
    /// Whether a person should review the match.
    public var reviewStatus: ReviewStatus

    /// ISO 639-1 code of the work's original language.
    public var originalLanguage: String?
    /// Year of the first publication of any edition; negative for BCE.
    public var firstPublicationYear: Int?
    /// Plain-text synopsis.
    public var description: String?
    /// The `https` URL of the largest known cover.
    public var coverImageURL: String?

    /// Whether the work was inferred from an edition because no provider describes the work itself.
    public var synthetic: Bool?
    /// The provider that supplied the match.
    public var primaryProvider: DataProvider?
    /// All providers that contributed at least one field.
    public var contributors: [DataProvider]?

    /// Open Library work key, for example `OL45804W`.
    public var openLibraryID: String?
    /// The same as `openLibraryID`, under the name that newer clients read.
    public var openLibraryWorkID: String?
    /// ISBNdb's identifier of one of the editions: its ISBN-13.
    public var isbndbID: String?
    /// First entry of `googleBooksVolumeIDs`, for older clients.
    public var googleBooksVolumeID: String?
    /// First entry of `goodreadsWorkIDs`, for older clients.
    public var goodreadsID: String?
    /// When ISBNdb was queried, if it contributed a field: ISO 8601 in UTC without a fraction.
    public var lastISBNDBSync: String?

    /// Path of the photo in which the book was found; present in scan results.
    public var originalImagePath: String?
    /// Position of the book's spine in the photo; present in scan results.
    public var boundingBox: BoundingBox?

    /// Creates a work from its title.
    public init(title: String, reviewStatus: ReviewStatus = .verified) {
        self.title = title
        self.reviewStatus = reviewStatus
        subjectTags = []
        goodreadsWorkIDs = []
        amazonASINs = []
        librarythingIDs = []
        googleBooksVolumeIDs = []
        isbndbQuality = 0
    }
}

/// Whether a match can be shown without review (metadata.md "Lookup").
public enum ReviewStatus: String, Codable, Sendable, CaseIterable {
    /// Matched by identifier or with a score of at least 0.85; a book in a photo must also have been read with sufficient confidence.
    case verified
    /// Any other match: a person should review it.
    case needsReview
    /// Changed by the user; never set by the server.
    case userEdited
}
