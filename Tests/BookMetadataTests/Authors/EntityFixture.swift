import Foundation

/// An item as `wbgetentities` returns it.
struct EntityFixture {
    var id: String
    var label: String
    var aliases: [String] = []
    var statements: [(property: String, statement: StatementFixture)] = []

    /// A human whose occupation is writer, with additional statements.
    static func writer(
        _ id: String, _ label: String, aliases: [String] = [], _ statements: [(String, StatementFixture)] = []
    ) -> EntityFixture {
        let basics = [("P31", StatementFixture.item("Q5")), ("P106", .item("Q36180"))]
        return EntityFixture(
            id: id, label: label, aliases: aliases,
            statements: (basics + statements).map { (property: $0.0, statement: $0.1) })
    }

    /// A response that contains several items.
    static func answer(_ entities: [EntityFixture]) throws -> Data {
        try answer(Dictionary(uniqueKeysWithValues: entities.map { ($0.id, $0.object) }))
    }

    /// A response that contains objects under the requested identifiers.
    static func answer(_ entities: [String: Any]) throws -> Data {
        try JSONSerialization.data(withJSONObject: ["entities": entities, "success": 1])
    }

    /// The item as a JSON object.
    var object: [String: Any] {
        [
            "type": "item", "id": id,
            "labels": ["en": ["language": "en", "value": label]],
            "aliases": ["en": aliases.map { ["language": "en", "value": $0] }],
            "claims": Dictionary(grouping: statements, by: \.property).mapValues { $0.map(\.statement.object) },
        ]
    }
}

/// A statement as `wbgetentities` returns it.
struct StatementFixture {
    var object: [String: Any]

    private init(_ snak: [String: Any]) {
        object = ["type": "statement", "rank": "normal", "mainsnak": snak]
    }

    /// A statement whose value is an item.
    static func item(_ id: String) -> StatementFixture {
        StatementFixture(["snaktype": "value", "datavalue": ["type": "wikibase-entityid", "value": ["id": id]]])
    }

    /// A statement whose value is an identifier in another catalog.
    static func text(_ text: String) -> StatementFixture {
        StatementFixture(["snaktype": "value", "datavalue": ["type": "string", "value": text]])
    }

    /// A statement whose value is a date; precision 11 means a day, 10 a month, 9 a year, 8 a decade, 7 a century.
    static func time(_ time: String, precision: Int = 11) -> StatementFixture {
        StatementFixture([
            "snaktype": "value",
            "datavalue": ["type": "time", "value": ["time": time, "precision": precision]],
        ])
    }

    /// A statement whose value is unknown (`somevalue`) or explicitly absent (`novalue`).
    static func withoutValue(_ kind: String) -> StatementFixture { StatementFixture(["snaktype": kind]) }

    /// The same statement with a different rank.
    func ranked(_ rank: String) -> StatementFixture {
        var statement = self
        statement.object["rank"] = rank
        return statement
    }

    /// The same statement with an end date, which may be unknown or absent.
    func ended(_ snak: String = "value") -> StatementFixture {
        var statement = self
        statement.object["qualifiers"] = ["P582": [["snaktype": snak]]]
        return statement
    }
}
