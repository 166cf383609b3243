package import BookstrackContract

/// Facts about an author beyond the name (metadata.md "Books"). Ambiguous facts are `unknown` or absent (metadata.md "Authors"), except that the
/// first of several Goodreads identifiers is kept.
package struct AuthorBackground: Hashable, Codable, Sendable {
    package var gender: AuthorGender
    package var culturalRegion: CulturalRegion?
    /// Short English name of the country of citizenship.
    package var nationality: String?
    /// Year of birth; negative for BCE.
    package var birthYear: Int?
    /// Year of death; negative for BCE.
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

    /// The unambiguous facts in a record.
    init(_ record: PersonRecord) {
        let origin = AuthorOrigin(record.citizenships)
        self.init(
            gender: GenderTable.gender(record.genders), culturalRegion: origin.region, nationality: origin.nationality,
            birthYear: record.birthYear, deathYear: record.deathYear, goodreadsID: record.goodreadsIDs.first)
    }
}

extension AuthorDTO {
    /// The author with Wikidata's facts added; fields without a fact are unchanged.
    package func adding(_ background: AuthorBackground) -> AuthorDTO {
        var author = self
        if background.gender != .unknown { author.gender = background.gender }
        author.culturalRegion = background.culturalRegion ?? culturalRegion
        author.nationality = background.nationality ?? nationality
        author.birthYear = background.birthYear ?? birthYear
        author.deathYear = background.deathYear ?? deathYear
        author.goodreadsID = background.goodreadsID ?? goodreadsID
        return author
    }
}

/// Nationality and region, derived from a person's citizenships.
///
/// - A citizenship that has ended counts only if all of the person's citizenships have ended.
/// - If one of the counted states is not in the table, both values are nil.
/// - A dissolved state is ignored if there is also a present-day state in one of the regions of its territory: the Soviet Union and Ukraine yield
///   Ukraine.
/// - The region is known if all remaining states are in one region, and the nationality if they have one name. A citizen of Chile and the United
///   States has neither; a citizen of France and Germany is European.
struct AuthorOrigin {
    let region: CulturalRegion?
    let nationality: String?

    init(_ citizenships: [Citizenship]) {
        let held = citizenships.filter { !$0.hasEnded }
        let counted = held.isEmpty ? citizenships : held
        let known = counted.compactMap { CountryTable.country($0.country) }
        let countries = known.filter { country in !known.contains(where: country.isSucceeded) }
        let isComplete = known.count == counted.count
        region = isComplete ? Self.agreed(countries.map(\.region)) : nil
        nationality = isComplete ? Self.agreed(countries.map(\.name)) : nil
    }

    private static func agreed<Value: Hashable>(_ values: [Value]) -> Value? {
        Set(values).count == 1 ? values.first : nil
    }
}

/// Maps Wikidata's values of P21 (sex or gender) to the contract's genders (metadata.md "Authors").
enum GenderTable {
    private static let genders: [String: AuthorGender] = [
        // Female, cisgender woman, trans woman, female organism (sometimes stated for people by mistake).
        "Q6581072": .female, "Q15145779": .female, "Q1052281": .female, "Q43445": .female,
        // Male, cisgender man, trans man, male organism.
        "Q6581097": .male, "Q15145778": .male, "Q2449503": .male, "Q44148": .male,
        // Non-binary, genderqueer, genderfluid, agender, neutrois, pangender, two-spirit.
        "Q48270": .nonBinary, "Q12964198": .nonBinary, "Q18116794": .nonBinary, "Q505371": .nonBinary,
        "Q1289754": .nonBinary, "Q7130936": .nonBinary, "Q301702": .nonBinary,
    ]

    /// The gender on which all items agree, where an item that is not listed counts as `other`; `unknown` if there are no items or they differ.
    static func gender(_ items: [String]) -> AuthorGender {
        let stated = Set(items.map { genders[$0] ?? .other })
        return stated.count == 1 ? stated.first ?? .unknown : .unknown
    }
}
