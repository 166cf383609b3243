import JSON

/// An item in a `wbgetentities` response.
struct WikidataItem {
    let id: String
    /// Labels and aliases, each spelling once.
    let names: [String]
    private let claims: JSONNode?

    /// Maximum number of names kept per item.
    private static let maxNames = 100

    init(id: String, node: JSONNode) {
        self.id = id
        claims = node["claims"]
        let labels = node["labels"]?.members.map(\.value) ?? []
        let aliases = node["aliases"]?.members.flatMap { $0.value.elements } ?? []
        names = Array((labels + aliases).compactMap { $0["value"]?.string }.uniqued().prefix(Self.maxNames))
    }

    /// A property's statements that are not deprecated.
    func statements(_ property: StaticString) -> [WikidataStatement] {
        claims?.list(property, WikidataStatement.init).filter { $0.rank != .deprecated } ?? []
    }

    /// A property's preferred statements if there are any, otherwise the normal ones (https://www.wikidata.org/wiki/Help:Ranking).
    func bestStatements(_ property: StaticString) -> [WikidataStatement] {
        let statements = statements(property)
        let preferred = statements.filter { $0.rank == .preferred }
        return preferred.isEmpty ? statements : preferred
    }
}

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

    /// The year on which all statements with the best rank agree.
    private static func agreedYear(_ statements: [WikidataStatement]) -> Int? {
        let years = Set(statements.map(\.year))
        return years.count == 1 ? years.first ?? nil : nil
    }
}
