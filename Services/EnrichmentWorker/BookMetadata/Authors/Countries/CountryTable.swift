/// States by their Wikidata item (metadata.md "Authors": every sovereign state and the historical ones that author data contains).
enum CountryTable {
    /// Every line of the tables.
    static let entries: [(item: String, country: Country)] = regions.flatMap(\.entries)

    /// The state of an item such as `Q145`; `nil` for what is no state, and for one that the tables do not know.
    static func country(_ item: String) -> Country? { countries[item] }

    private static let regions: [RegionStates] = [
        .africa, .asia, .caribbean, .centralAsia, .europe, .europeOfThePast, .international, .middleEast,
        .northAmerica, .oceania, .southAmerica,
    ]

    private static let countries = Dictionary(entries.map { ($0.item, $0.country) }) { first, _ in first }
}
