extension PersonRecord {
    private static let human = "Q5"

    init(_ item: WikidataItem) {
        self.init(
            id: item.id, names: item.names,
            isHuman: item.statements("P31").contains { $0.item == Self.human },
            occupations: item.statements("P106").compactMap(\.item).uniqued(),
            openLibraryKeys: item.statements("P648").compactMap(\.text).uniqued(),
            goodreadsIDs: item.bestStatements("P2963").compactMap(\.text).uniqued(),
            genders: item.bestStatements("P21").compactMap(\.item).uniqued(),
            citizenships: item.bestStatements("P27").compactMap { statement in
                statement.item.map { Citizenship(country: $0, hasEnded: statement.hasEnded) }
            },
            birthYear: Self.agreedYear(item.bestStatements("P569")),
            deathYear: Self.agreedYear(item.bestStatements("P570")))
    }

    /// The year that all statements of the best rank name.
    private static func agreedYear(_ statements: [WikidataStatement]) -> Int? {
        let years = Set(statements.map(\.year))
        return years.count == 1 ? years.first ?? nil : nil
    }
}
