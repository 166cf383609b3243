/// One statement about an item.
struct WikidataStatement {
    /// How much the editors think of a statement.
    enum Rank: String {
        case preferred, normal, deprecated
    }

    let rank: Rank
    private let value: JSONNode?
    private let qualifiers: JSONNode?

    /// `nil` for a rank that does not exist.
    init?(_ node: JSONNode) {
        guard let rank = Rank(rawValue: node["rank"]?.string ?? "normal") else { return nil }
        self.rank = rank
        // A snak that says "no value" or "some value" has no data value.
        value = node["mainsnak"]?["datavalue"]?["value"]
        qualifiers = node["qualifiers"]
    }

    /// The item that the statement names.
    var item: String? {
        value?["id"]?.string ?? value?["numeric-id"]?.int.map { "Q\($0)" }
    }

    /// The text of an external identifier.
    var text: String? { value?.string }

    /// The year that the statement names; `nil` where it names a decade or century only.
    var year: Int? { value.flatMap(WikidataTime.year) }

    /// Whether the statement held only until some time, known or not (qualifier P582).
    var hasEnded: Bool {
        qualifiers?["P582"]?.elements.contains { $0["snaktype"]?.string != "novalue" } ?? false
    }
}
