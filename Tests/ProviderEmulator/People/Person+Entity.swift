/// The item of a person as `wbgetentities` gives it, with all its parts.
extension Person {
    /// - Parameter openLibraryIDs: Author ids of Open Library, for example `OL26320A`.
    func entity(openLibraryIDs: [String]) -> JSONValue {
        WikidataEntity(
            id: id, label: name, nativeLabel: nativeName, description: description,
            aliases: names.filter { $0 != name },
            statements: statements(openLibraryIDs)
        ).document
    }

    /// In few words, as the search shows it.
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

    /// The first name in another script, and the language in which it is the label.
    var nativeName: WikidataEntity.Label? {
        aliases.lazy.compactMap { name in
            language(of: name).map { WikidataEntity.Label(language: $0, text: name) }
        }.first
    }

    /// The language of a name by its script; Chinese characters are Japanese where the person is. Nil for the Latin script.
    func language(of name: String) -> String? {
        let language = WikidataEntity.language(of: name)
        return language == "zh" && citizenships.contains(WikidataItem.japan.rawValue) ? "ja" : language
    }

    private func statements(_ openLibraryIDs: [String]) -> [WikidataStatement] {
        func items(_ property: String, _ items: [String?], _ rank: WikidataStatement.Rank = .normal)
            -> [WikidataStatement]
        {
            items.compactMap { $0 }.map { WikidataStatement(property: property, value: .item($0), rank: rank) }
        }
        func time(_ property: String, _ date: String?) -> [WikidataStatement] {
            date.map { [WikidataStatement(property: property, value: $0 == "?" ? .unknown : .time($0))] } ?? []
        }
        return items("P31", [kind.rawValue]) + items("P21", [gender?.rawValue]) + items("P27", citizenships)
            + items("P27", [preferred?.rawValue], .preferred) + items("P27", [deprecated?.rawValue], .deprecated)
            + time("P569", born) + time("P570", died) + items("P106", occupations.map(\.rawValue))
            + openLibraryIDs.map { WikidataStatement(property: "P648", value: .text($0)) }
            + items("P800", works.map(Self.workID))
    }

    static func workID(_ title: String) -> String { inventedID("work \(title)") }

    /// The items of the notable works.
    var workEntities: [JSONValue] {
        works.map { title in
            WikidataEntity(
                id: Self.workID(title), label: title, nativeLabel: nil, description: "work by \(name)", aliases: [],
                statements: [
                    WikidataStatement(property: "P31", value: .item(WikidataItem.literaryWork.rawValue)),
                    WikidataStatement(property: "P50", value: .item(id)),
                ]
            ).document
        }
    }

    private static func year(_ date: String) -> String {
        date.hasPrefix("-") ? "\(date.dropFirst()) BCE" : String(date.prefix(4))
    }
}
