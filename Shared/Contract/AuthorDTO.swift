/// A creator of works (metadata.md "Books"); unknown values are absent.
public struct AuthorDTO: Codable, Sendable, Equatable {
    /// The name in reading order.
    public var name: String
    /// The author's gender; `Unknown` unless Wikidata has an unambiguous value (metadata.md "Authors").
    public var gender: AuthorGender
    /// Cultural region of the countries of citizenship, if they share one.
    public var culturalRegion: CulturalRegion?
    /// English name of the country of citizenship, if there is only one.
    public var nationality: String?
    /// Year of birth; negative for BCE.
    public var birthYear: Int?
    /// Year of death; negative for BCE.
    public var deathYear: Int?
    /// Open Library author key, for example `OL26320A`.
    public var openLibraryID: String?
    /// ISBNdb identifier; this server never sets it.
    public var isbndbID: String?
    /// Google Books identifier; this server never sets it.
    public var googleBooksID: String?
    /// Goodreads author identifier.
    public var goodreadsID: String?
    /// Number of the author's works on Open Library.
    public var bookCount: Int?

    /// Creates an author from a name and an optional Open Library key.
    public init(name: String, openLibraryID: String? = nil) {
        self.name = name
        self.openLibraryID = openLibraryID
        gender = .unknown
    }
}

/// An author's gender according to Wikidata; `Unknown` if Wikidata has no unambiguous value (metadata.md "Authors").
public enum AuthorGender: String, Codable, Sendable, CaseIterable {
    case female = "Female"
    case male = "Male"
    case nonBinary = "Non-binary"
    case other = "Other"
    case unknown = "Unknown"
}

/// The eleven regions of the contract. Every country belongs to one of them, but none to `Indigenous` (metadata.md "Authors").
public enum CulturalRegion: String, Codable, Sendable, CaseIterable {
    case africa = "Africa"
    case asia = "Asia"
    case europe = "Europe"
    case northAmerica = "North America"
    case southAmerica = "South America"
    case oceania = "Oceania"
    case middleEast = "Middle East"
    case caribbean = "Caribbean"
    case centralAsia = "Central Asia"
    case indigenous = "Indigenous"
    case international = "International"
}
