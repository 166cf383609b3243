/// The Wikidata statements about a person that are relevant for authors.
package struct PersonRecord: Hashable, Codable, Sendable {
    /// Item identifier, for example `Q42`.
    package var id: String
    /// Labels and aliases in the requested languages.
    package var names: [String]
    /// Whether the item is an instance of human (P31), not a collective pseudonym, a band or a character.
    package var isHuman: Bool
    /// Occupations (P106), as item identifiers.
    package var occupations: [String]
    /// Open Library keys (P648), for example `OL272947A`.
    package var openLibraryKeys: [String]
    /// Goodreads identifiers (P2963) with the best rank.
    package var goodreadsIDs: [String]
    /// Genders (P21) with the best rank, as item identifiers.
    package var genders: [String]
    /// Citizenships (P27) with the best rank.
    package var citizenships: [Citizenship]
    /// Year of birth (P569), negative for BCE; `nil` if no year is known or the statements with the best rank disagree.
    package var birthYear: Int?
    /// Year of death (P570), with the same rules.
    package var deathYear: Int?

    package init(
        id: String, names: [String], isHuman: Bool = true, occupations: [String] = [], openLibraryKeys: [String] = [],
        goodreadsIDs: [String] = [],
        genders: [String] = [], citizenships: [Citizenship] = [], birthYear: Int? = nil, deathYear: Int? = nil
    ) {
        self.id = id
        self.names = names
        self.isHuman = isHuman
        self.occupations = occupations
        self.openLibraryKeys = openLibraryKeys
        self.goodreadsIDs = goodreadsIDs
        self.genders = genders
        self.citizenships = citizenships
        self.birthYear = birthYear
        self.deathYear = deathYear
    }
}

/// A citizenship stated by Wikidata (P27).
package struct Citizenship: Hashable, Codable, Sendable {
    /// Item identifier of the state, for example `Q145`.
    package var country: String
    /// Whether, according to the statement, the citizenship has ended (P582).
    package var hasEnded: Bool

    package init(country: String, hasEnded: Bool = false) {
        self.country = country
        self.hasEnded = hasEnded
    }
}
