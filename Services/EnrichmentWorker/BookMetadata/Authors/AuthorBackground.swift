package import BookstrackContract

/// What is known of an author beyond the name (metadata.md "Books"). What is ambiguous is `unknown` or absent (metadata.md "Authors").
package struct AuthorBackground: Hashable, Codable, Sendable {
    package var gender: AuthorGender
    package var culturalRegion: CulturalRegion?
    /// Short English name of the state.
    package var nationality: String?
    /// Negative for BCE.
    package var birthYear: Int?
    /// Negative for BCE.
    package var deathYear: Int?
    /// Goodreads author identifier.
    package var goodreadsID: String?

    package init(
        gender: AuthorGender = .unknown, culturalRegion: CulturalRegion? = nil, nationality: String? = nil,
        birthYear: Int? = nil, deathYear: Int? = nil, goodreadsID: String? = nil
    ) {
        self.gender = gender
        self.culturalRegion = culturalRegion
        self.nationality = nationality
        self.birthYear = birthYear
        self.deathYear = deathYear
        self.goodreadsID = goodreadsID
    }

    /// What a record says.
    init(_ record: PersonRecord) {
        let origin = AuthorOrigin(record.citizenships)
        self.init(
            gender: GenderTable.gender(record.genders), culturalRegion: origin.region, nationality: origin.nationality,
            birthYear: record.birthYear, deathYear: record.deathYear, goodreadsID: record.goodreadsIDs.first)
    }
}
