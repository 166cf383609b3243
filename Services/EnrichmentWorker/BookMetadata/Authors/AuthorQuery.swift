/// An author to look up.
package struct AuthorQuery: Hashable, Codable, Sendable {
    /// The name as credited; may be inverted or have initials.
    package var name: String
    /// Open Library author key without its path, for example `OL26320A`, where the catalogue gave one.
    package var openLibraryKey: String?

    package init(name: String, openLibraryKey: String? = nil) {
        self.name = name
        self.openLibraryKey = openLibraryKey
    }
}
