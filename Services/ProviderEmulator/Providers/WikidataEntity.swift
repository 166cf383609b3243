/// A Wikidata item before it is rendered.
struct WikidataEntity: Sendable {
    struct Label: Sendable {
        let language: String
        let text: String
    }

    let id: String
    /// The English label.
    let label: String
    let nativeLabel: Label?
    let description: String
    let aliases: [String]
    let statements: [EntityStatement]

    var document: JSONValue {
        let number = JSONValue.number(String(id.dropFirst()))
        return [
            "pageid": number, "ns": 0, "title": .string(id), "lastrevid": number, "modified": "2024-02-29T12:00:00Z",
            "type": "item", "id": .string(id),
            "labels": texts([Label(language: "en", text: label)] + (nativeLabel.map { [$0] } ?? [])) { $0 },
            "descriptions": texts([Label(language: "en", text: description)]) { $0 },
            "aliases": texts(aliases.prefix(1).map { Label(language: "en", text: $0) }) { _ in
                .array(aliases.map { ["language": "en", "value": .string($0)] })
            },
            "claims": claims,
            "sitelinks": [
                "enwiki": ["site": "enwiki", "title": .string(label), "badges": []]
            ],
        ]
    }

    /// Strings by language; an empty object if there are none.
    private func texts(_ labels: [Label], value: (JSONValue) -> JSONValue) -> JSONValue {
        .object(
            labels.map { label in
                .init(
                    name: label.language,
                    value: value(["language": .string(label.language), "value": .string(label.text)]))
            })
    }

    private var claims: JSONValue {
        var properties: [String] = []
        for statement in statements { properties.appendNew(statement.property) }
        return .object(
            properties.map { property in
                .init(
                    name: property,
                    value: .array(statements.filter { $0.property == property }.map { $0.document(of: id) }))
            })
    }

    /// The language implied by a string's script; nil for the Latin script and any other that is not listed here.
    static func language(of text: String) -> String? {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0400...0x04FF: return "ru"
            case 0x0590...0x05FF: return "he"
            case 0x0600...0x06FF: return "ar"
            case 0x3040...0x30FF: return "ja"
            case 0xAC00...0xD7AF: return "ko"
            case 0x4E00...0x9FFF: return "zh"
            default: continue
            }
        }
        return nil
    }
}

/// One statement of an entity (https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html).
struct EntityStatement: Sendable {
    enum Value: Sendable {
        case item(String)
        case time(String)
        case text(String)
        /// A value that exists but is unknown.
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

    /// - Parameter owner: ID of the entity to which the statement belongs.
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
        case .time(let text): ["value": EntityTime(text).value, "type": "time"]
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

/// A date in Wikidata's form (https://www.wikidata.org/wiki/Help:Dates): the year has a sign and at least four digits, an unknown
/// month or day is `00`, and the precision is 11 (day), 10 (month) or 9 (year).
struct EntityTime: Sendable {
    private let text: String

    /// - Parameter text: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, with a minus sign for BCE.
    init(_ text: String) {
        self.text = text
    }

    var value: JSONValue {
        let isBefore = text.hasPrefix("-")
        let parts = (isBefore ? text.dropFirst() : text[...]).split(separator: "-").map(String.init)
        let year = parts.first ?? "0"
        let padded = String(repeating: "0", count: max(4 - year.count, 0)) + year
        let month = parts.count > 1 ? parts[1] : "00"
        let day = parts.count > 2 ? parts[2] : "00"
        let isJulian = isBefore || (Int(year) ?? 0) < 1583
        return [
            "time": .string("\(isBefore ? "-" : "+")\(padded)-\(month)-\(day)T00:00:00Z"),
            "timezone": 0, "before": 0, "after": 0, "precision": .integer(8 + max(parts.count, 1)),
            "calendarmodel": .string("http://www.wikidata.org/entity/\(isJulian ? "Q1985786" : "Q1985727")"),
        ]
    }
}

/// A person's item as returned by `wbgetentities`, with all its parts.
extension Person {
    /// - Parameter openLibraryIDs: Open Library author IDs, for example `OL26320A`.
    func entity(openLibraryIDs: [String]) -> JSONValue {
        WikidataEntity(
            id: id, label: name, nativeLabel: nativeName, description: description,
            aliases: names.filter { $0 != name },
            statements: statements(openLibraryIDs)
        ).document
    }

    /// A short description, for search results.
    var description: String {
        switch kind {
        case .human:
            let occupation = occupations.first.map { "\($0)" } ?? "person"
            guard let born else { return occupation }
            return "\(occupation) (\(Self.year(born))–\(died.map(Self.year) ?? ""))"
        case .disambiguationPage: return "Wikimedia disambiguation page"
        case .familyName: return "family name"
        case .fictionalHuman: return "fictional character"
        default: return "\(kind)"
        }
    }

    /// The first alias in a script that implies a language, with that language.
    var nativeName: WikidataEntity.Label? {
        aliases.lazy.compactMap { name in
            language(of: name).map { WikidataEntity.Label(language: $0, text: name) }
        }.first
    }

    /// The language of a name by its script; Chinese characters count as Japanese for a Japanese person. Nil if the script implies no language.
    func language(of name: String) -> String? {
        let language = WikidataEntity.language(of: name)
        return language == "zh" && citizenships.contains(WikidataItemID.japan.rawValue) ? "ja" : language
    }

    private func statements(_ openLibraryIDs: [String]) -> [EntityStatement] {
        func items(_ property: String, _ items: [String?], _ rank: EntityStatement.Rank = .normal)
            -> [EntityStatement]
        {
            items.compactMap { $0 }.map { EntityStatement(property: property, value: .item($0), rank: rank) }
        }
        func time(_ property: String, _ date: String?) -> [EntityStatement] {
            date.map { [EntityStatement(property: property, value: $0 == "?" ? .unknown : .time($0))] } ?? []
        }
        return items("P31", [kind.rawValue]) + items("P21", [gender?.rawValue]) + items("P27", citizenships)
            + items("P27", [preferred?.rawValue], .preferred) + items("P27", [deprecated?.rawValue], .deprecated)
            + time("P569", born) + time("P570", died) + items("P106", occupations.map(\.rawValue))
            + openLibraryIDs.map { EntityStatement(property: "P648", value: .text($0)) }
            + items("P800", works.map(Self.workID))
    }

    static func workID(_ title: String) -> String { inventedID("work \(title)") }

    /// The items of the notable works.
    var workEntities: [JSONValue] {
        works.map { title in
            WikidataEntity(
                id: Self.workID(title), label: title, nativeLabel: nil, description: "work by \(name)", aliases: [],
                statements: [
                    EntityStatement(property: "P31", value: .item(WikidataItemID.literaryWork.rawValue)),
                    EntityStatement(property: "P50", value: .item(id)),
                ]
            ).document
        }
    }

    private static func year(_ date: String) -> String {
        date.hasPrefix("-") ? "\(date.dropFirst()) BCE" : String(date.prefix(4))
    }
}
