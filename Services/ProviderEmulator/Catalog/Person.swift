/// A person in Wikidata, or another item with a person's name.
struct Person: Sendable {
    /// The real item's ID if known, otherwise an invented ID above the range of real IDs.
    var id: String
    /// The English label.
    let name: String
    let kind: WikidataItemID
    /// If nil, the item has no such statement.
    var gender: WikidataItemID?
    /// IDs of the countries of citizenship with normal rank.
    var citizenships: [String]
    /// Another country of citizenship, with preferred rank.
    var preferred: WikidataItemID?
    /// Another country of citizenship, with deprecated rank.
    let deprecated: WikidataItemID?
    /// Date of birth as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; negative years are BCE.
    let born: String?
    /// Date of death, in the same form as `born`; `?` means an unknown date.
    let died: String?
    let occupations: [WikidataItemID]
    /// Other names, including native ones.
    var aliases: [String]
    /// Titles of notable works, each of which has its own item.
    let works: [String]
    /// Whether the item contains the Open Library IDs of the catalog's authors with this name.
    let isIdentified: Bool

    static func inventedID(_ text: String) -> String { "Q9\(String(StableHash.of(text)).suffix(9))" }

    /// The name and its other forms, with `J.K.` as well as `J. K.`.
    var names: [String] {
        let all = [name] + aliases
        return all
            + all.compactMap { name in
                let tight = name.replacing(/(\p{Lu})\. (?=\p{Lu}\.)/) { "\($0.output.1)." }
                return tight == name ? nil : tight
            }
    }
}

extension Person {
    /// - Parameter id: By default, an ID derived from the name, the date of birth and the kind.
    init(
        _ name: String, _ id: String? = nil, _ gender: WikidataItemID? = nil, _ citizenships: [WikidataItemID] = [],
        _ born: String? = nil, _ died: String? = nil, preferred: WikidataItemID? = nil,
        deprecated: WikidataItemID? = nil, as occupations: [WikidataItemID] = [.writer], kind: WikidataItemID = .human,
        aka aliases: [String] = [], works: [String] = [], isIdentified: Bool = true
    ) {
        self.init(
            id: id ?? Self.inventedID("\(name) \(born ?? "") \(kind)"), name: name, kind: kind, gender: gender,
            citizenships: citizenships.map(\.rawValue), preferred: preferred, deprecated: deprecated, born: born,
            died: died, occupations: occupations, aliases: aliases, works: works, isIdentified: isIdentified)
    }

    /// A person from a table, who counts as a writer; facts that the table lacks are absent.
    init(_ name: String, id: String?, gender: WikidataItemID?, states: [String]) {
        self.init(name, id ?? Self.inventedID(name), gender)
        citizenships = states
    }
}

extension [Person] {
    /// These people and those of a table. A row describes one of these people if it has the same ID, or if it has the name of an identified human and
    /// at least one of the two IDs is invented. The person then takes over the row's gender, its ID if that is real, and its states if it has any
    /// (which also replace `preferred`), because results are compared with the table. If the names differ, the row's becomes an alias. All other
    /// facts are kept.
    func merged(with rows: [Person]) -> [Person] {
        var merged = self
        var places: [String: Int] = [:]
        for (place, person) in enumerated() where places[person.id] == nil { places[person.id] = place }
        var named: [String: Int] = [:]
        for (place, person) in enumerated() where person.isIdentified && person.kind == .human {
            for name in person.names where named[name.folded] == nil { named[name.folded] = place }
        }
        for row in rows {
            let namesake = named[row.name.folded].flatMap { place in
                row.hasInventedID || merged[place].hasInventedID ? place : nil
            }
            if let place = places[row.id] ?? namesake {
                merged[place] = merged[place].corrected(by: row)
                places[merged[place].id] = place
            } else {
                places[row.id] = merged.count
                merged.append(row)
            }
        }
        return merged
    }
}

extension Person {
    /// Whether the ID is invented. Invented IDs are `Q9` followed by nine digits; real IDs are shorter.
    var hasInventedID: Bool { id.count == 11 }

    fileprivate func corrected(by row: Person) -> Person {
        var person = self
        if !row.hasInventedID { person.id = row.id }
        person.gender = row.gender
        if !row.citizenships.isEmpty { (person.citizenships, person.preferred) = (row.citizenships, nil) }
        if row.name != name { person.aliases.append(row.name) }
        return person
    }
}
