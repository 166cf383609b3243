/// One statement of an entity (https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html).
struct WikidataStatement: Sendable {
    enum Value: Sendable {
        case item(String)
        case time(String)
        case text(String)
        /// It is known that there is a value, and not which.
        case unknown
    }

    enum Rank: String, Sendable {
        case preferred
        case normal
        case deprecated
    }

    let property: String
    let value: Value
    var rank = Rank.normal

    /// - Parameter owner: The id of the entity that has the statement.
    func document(of owner: String) -> JSONValue {
        let hash = String(StableHash.of("\(owner) \(property) \(value) \(rank)"), radix: 16)
        return [
            "mainsnak": .members([
                "snaktype": datavalue == nil ? "somevalue" : "value",
                "property": .string(property),
                "hash": .string(hash),
                "datavalue": datavalue,
                "datatype": .string(datatype),
            ]),
            "type": "statement",
            "id": .string("\(owner)$\(hash)"),
            "rank": .string(rank.rawValue),
        ]
    }

    private var datavalue: JSONValue? {
        switch value {
        case .item(let id):
            [
                "value": [
                    "entity-type": "item", "numeric-id": .number(String(id.dropFirst())), "id": .string(id),
                ],
                "type": "wikibase-entityid",
            ]
        case .time(let text): ["value": WikidataTime(text).value, "type": "time"]
        case .text(let text): ["value": .string(text), "type": "string"]
        case .unknown: nil
        }
    }

    private var datatype: String {
        switch value {
        case .item: "wikibase-item"
        case .time, .unknown: "time"
        case .text: "external-id"
        }
    }
}
