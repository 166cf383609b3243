/// What other catalogues call an edition.
package struct EditionIdentifiers: Hashable, Codable, Sendable {
    /// Most identifiers of one kind that are kept.
    static let limit = 50

    /// Open Library edition key, for example `OL7353617M`.
    package var openLibraryEdition: String?
    /// Goodreads edition identifiers.
    package var goodreads: [String] = []
    /// LibraryThing work identifiers.
    package var librarything: [String] = []
    /// Amazon identifiers.
    package var amazon: [String] = []
    /// Google Books volume identifiers.
    package var googleVolumes: [String] = []
    /// What ISBNdb calls the edition: its ISBN-13.
    package var isbndb: String?
}
