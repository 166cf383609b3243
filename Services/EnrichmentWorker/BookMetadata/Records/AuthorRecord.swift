/// What Open Library says about a person.
package struct AuthorRecord: Hashable, Codable, Sendable {
    /// Open Library author key, for example `OL26320A`.
    package let key: String
    /// The name in the provider's order of words.
    package var name: String
    /// Other names and spellings, each once.
    package var alternateNames: [String] = []
    /// Year of birth; negative for BCE.
    package var birthYear: Int?
    /// Year of death; negative for BCE.
    package var deathYear: Int?
    /// Wikidata item, for example `Q892`.
    package var wikidataID: String?
    /// Number of works; only searches say it.
    package var workCount: Int?

    /// Makes a record with nothing but a name.
    package init(key: String, name: String) {
        self.key = key
        self.name = name
    }
}
