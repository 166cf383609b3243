import BookstrackContract

/// Nationality and region that follow from a person's citizenships.
///
/// - A citizenship that ended counts only when all of them did.
/// - One of a state that the tables do not know leaves everything open.
/// - A dissolved state gives way to a state of today on its lands: Soviet Union and Ukraine make Ukraine.
/// - What is left must agree: one region for the region, one state for the nationality. A citizen of Chile and the
///   United States has neither, one of France and Germany is European.
struct AuthorOrigin {
    let region: CulturalRegion?
    let nationality: String?

    init(_ citizenships: [Citizenship]) {
        let held = citizenships.filter { !$0.hasEnded }
        let counted = held.isEmpty ? citizenships : held
        let known = counted.compactMap { CountryTable.country($0.country) }
        let countries = known.filter { country in !known.contains(where: country.givesWay) }
        let isComplete = known.count == counted.count
        region = isComplete ? Self.agreed(countries.map(\.region)) : nil
        nationality = isComplete ? Self.agreed(countries.map(\.name)) : nil
    }

    private static func agreed<Value: Hashable>(_ values: [Value]) -> Value? {
        Set(values).count == 1 ? values.first : nil
    }
}
