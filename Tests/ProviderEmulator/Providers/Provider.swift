/// The providers that are emulated. The raw value is the first component of their paths.
enum Provider: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case openLibrary = "openlibrary"
    case googleBooks = "googlebooks"
    case isbndb
    case wikidata
    case covers

    /// What answers say that they are.
    var contentType: String { self == .covers ? "image/jpeg" : "application/json" }

    /// Those that can be asked for a book.
    static let catalogues: Set<Provider> = [.openLibrary, .googleBooks, .isbndb]
}
