/// An item of Wikidata before it is rendered.
struct WikidataEntity: Sendable {
    struct Label: Sendable {
        let language: String
        let text: String
    }

    let id: String
    /// In English.
    let label: String
    let nativeLabel: Label?
    let description: String
    let aliases: [String]
    let statements: [WikidataStatement]

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

    /// By language; an empty map is an empty object.
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

    /// The language that a script stands for; nil for the Latin one.
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
