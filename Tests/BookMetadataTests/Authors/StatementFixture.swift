/// A statement as `wbgetentities` answers it.
struct StatementFixture {
    var object: [String: Any]

    private init(_ snak: [String: Any]) {
        object = ["type": "statement", "rank": "normal", "mainsnak": snak]
    }

    /// The statement names an item.
    static func item(_ id: String) -> StatementFixture {
        StatementFixture(["snaktype": "value", "datavalue": ["type": "wikibase-entityid", "value": ["id": id]]])
    }

    /// The statement names an identifier of another catalogue.
    static func text(_ text: String) -> StatementFixture {
        StatementFixture(["snaktype": "value", "datavalue": ["type": "string", "value": text]])
    }

    /// The statement names a day (precision 11), year (9), decade (8) or century (7).
    static func time(_ time: String, precision: Int = 11) -> StatementFixture {
        StatementFixture([
            "snaktype": "value",
            "datavalue": ["type": "time", "value": ["time": time, "precision": precision]],
        ])
    }

    /// The statement says that the value is unknown (`somevalue`) or that there is none (`novalue`).
    static func withoutValue(_ kind: String) -> StatementFixture { StatementFixture(["snaktype": kind]) }

    /// The same statement with another rank.
    func ranked(_ rank: String) -> StatementFixture {
        var statement = self
        statement.object["rank"] = rank
        return statement
    }

    /// The same statement, which held until some time.
    func ended(_ snak: String = "value") -> StatementFixture {
        var statement = self
        statement.object["qualifiers"] = ["P582": [["snaktype": snak]]]
        return statement
    }
}
