import BookstrackContract

/// The providers that the worker asks.
enum ProviderName: String, CaseIterable, Sendable {
    case openLibrary = "openlibrary"
    case googleBooks = "google-books"
    case isbndb
    case wikidata

    /// The contract's name of a provider of books; Wikidata, which knows authors, is none.
    var bookProvider: DataProvider? { DataProvider(rawValue: rawValue) }
}
