/// An item of a `wbgetentities` answer.
struct WikidataItem {
    let id: String
    /// Labels and aliases, each spelling once.
    let names: [String]
    private let claims: JSONNode?

    /// Most names kept of one item.
    private static let mostNames = 100

    init(id: String, node: JSONNode) {
        self.id = id
        claims = node["claims"]
        let labels = node["labels"]?.members.map(\.value) ?? []
        let aliases = node["aliases"]?.members.flatMap { $0.value.elements } ?? []
        names = Array((labels + aliases).compactMap { $0["value"]?.string }.uniqued().prefix(Self.mostNames))
    }

    /// Statements of a property that are not deprecated.
    func statements(_ property: StaticString) -> [WikidataStatement] {
        claims?.list(property, WikidataStatement.init).filter { $0.rank != .deprecated } ?? []
    }

    /// The preferred statements of a property where there are some, else the normal ones
    /// (https://www.wikidata.org/wiki/Help:Ranking).
    func bestStatements(_ property: StaticString) -> [WikidataStatement] {
        let statements = statements(property)
        let preferred = statements.filter { $0.rank == .preferred }
        return preferred.isEmpty ? statements : preferred
    }
}
