/// The items that Wikidata knows: people, the works that distinguish them, and recorded items.
struct WikidataCatalog: Sendable {
    /// An item that a search can find. If only a search result was recorded, the item itself is not available.
    struct Subject: Sendable {
        let id: String
        let label: String
        let description: String?
        let names: [EntityNameIndex.Name]
    }

    let subjects: [Subject]
    let names: EntityNameIndex

    private let entities: [String: @Sendable () -> JSONValue]

    init(_ stock: Stock) {
        let authors = Dictionary(
            stock.works.flatMap { zip($0.authorNames, $0.authorKeys).map { ($0.folded, [$1]) } },
            uniquingKeysWith: { $0 + $1.filter { [known = $0] in !known.contains($0) } })
        var subjects: [Subject] = []
        var entities: [String: @Sendable () -> JSONValue] = [:]
        for entity in stock.entities {
            guard let subject = Subject(entity) else { continue }
            entities[subject.id] = { entity }
            subjects.append(subject)
        }
        for person in stock.people where entities[person.id] == nil {
            let keys = person.isIdentified ? person.names.flatMap { authors[$0.folded] ?? [] } : []
            let ids = keys.reduce(into: [String]()) { $0.appendNew($1) }
                .map { String($0.dropFirst("/authors/".count)) }
            entities[person.id] = { person.entity(openLibraryIDs: ids) }
            subjects.append(Subject(person))
            for work in person.workEntities { if let id = work["id"]?.text { entities[id] = { work } } }
        }
        let known = Set(subjects.map(\.id))
        subjects += stock.searchResults.compactMap(Subject.init(result:)).filter { !known.contains($0.id) }
        self.subjects = subjects
        self.entities = entities
        names = EntityNameIndex(subjects.map(\.names))
    }

    /// The item; nil if there is none.
    func entity(_ id: String) -> JSONValue? { entities[id]?() }

    /// An item other than the requested one, the same in every run.
    func wrongEntity(for id: String) -> JSONValue? {
        let start = Int(StableHash.of(id) % UInt64(max(subjects.count, 1)))
        return (subjects[start...] + subjects[..<start]).lazy.filter { $0.id != id }.compactMap { entity($0.id) }.first
    }
}

extension WikidataCatalog.Subject {
    fileprivate init(_ person: Person) {
        self.init(
            id: person.id, label: person.name, description: person.description,
            names: person.names.enumerated().map { place, name in
                EntityNameIndex.Name(
                    text: name, language: person.language(of: name) ?? "en", isLabel: place == 0)
            })
    }

    /// A recorded item; nil for an item without labels, such as a deleted one.
    fileprivate init?(_ entity: JSONValue) {
        guard let id = entity["id"]?.text, case .object(let labels) = entity["labels"], !labels.isEmpty else {
            return nil
        }
        let english = labels.first { $0.name == "en" } ?? labels[0]
        var names = labels.compactMap { label in
            label.value["value"]?.text.map { EntityNameIndex.Name(text: $0, language: label.name, isLabel: true) }
        }
        if case .object(let aliases) = entity["aliases"] {
            names += aliases.flatMap { alias in
                alias.value.elements.compactMap { $0["value"]?.text }.map {
                    EntityNameIndex.Name(text: $0, language: alias.name, isLabel: false)
                }
            }
        }
        self.init(
            id: id, label: english.value["value"]?.text ?? id,
            description: entity["descriptions"]?["en"]?["value"]?.text, names: names)
    }

    /// A result of a recorded search.
    fileprivate init?(result: JSONValue) {
        guard let id = result["id"]?.text, let label = result["label"]?.text else { return nil }
        self.init(
            id: id, label: label, description: result["description"]?.text,
            names: [EntityNameIndex.Name(text: label, language: "en", isLabel: true)])
    }
}

/// Finds items by the start of their labels and aliases, ignoring case and diacritics.
struct EntityNameIndex: Sendable {
    struct Name: Sendable {
        let text: String
        let language: String
        /// Whether the name is the label; otherwise it is an alias.
        let isLabel: Bool
    }

    struct Match: Sendable {
        /// Index of the subject.
        let subject: Int
        let name: Name
    }

    private struct Entry: Sendable {
        let folded: String
        let match: Match
    }

    private let entries: [Entry]

    /// - Parameter subjects: The names of each subject.
    init(_ subjects: [[Name]]) {
        entries = subjects.enumerated().flatMap { place, names in
            names.map { Entry(folded: $0.text.folded, match: Match(subject: place, name: $0)) }
        }.sorted { ($0.folded, $0.match.subject) < ($1.folded, $1.match.subject) }
    }

    /// One match per subject: exact names first, then in the order of the subjects.
    ///
    /// - Parameter language: Nil for names of every language.
    func search(_ text: String, language: String?) -> [Match] {
        let wanted = text.folded
        guard !wanted.isEmpty else { return [] }
        var best: [Int: (rank: Int, match: Match)] = [:]
        for entry in entries[firstPlace(of: wanted)...] {
            guard entry.folded.hasPrefix(wanted) else { break }
            if let language, entry.match.name.language != language { continue }
            let rank = (entry.folded == wanted ? 0 : 2) + (entry.match.name.isLabel ? 0 : 1)
            if let known = best[entry.match.subject], known.rank <= rank { continue }
            best[entry.match.subject] = (rank, entry.match)
        }
        return best.values.sorted { ($0.rank / 2, $0.match.subject) < ($1.rank / 2, $1.match.subject) }.map(\.match)
    }

    private func firstPlace(of text: String) -> Int {
        var range = 0..<entries.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = entries[middle].folded < text ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
