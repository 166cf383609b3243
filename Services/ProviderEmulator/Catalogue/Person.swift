/// A person in Wikidata, or another item of the same name.
struct Person: Sendable {
    /// The real item's id if known, else an invented one above the range of real ids.
    let id: String
    /// The English label.
    let name: String
    let kind: WikidataItemID
    /// Nil leaves the statement out.
    let gender: WikidataItemID?
    /// Ids of states, with ordinary rank.
    let citizenships: [String]
    /// A further state, with preferred rank.
    let preferred: WikidataItemID?
    /// A further state, with deprecated rank.
    let deprecated: WikidataItemID?
    /// `YYYY`, `YYYY-MM-DD`, or negative years for BCE.
    let born: String?
    /// Like `born`; `?` is an unknown date.
    let died: String?
    let occupations: [WikidataItemID]
    /// Other names, native ones included.
    let aliases: [String]
    /// Titles of notable works, each of which has its own item.
    let works: [String]
    /// Whether the item states the Open Library ids of the catalogue's authors of this name.
    let isIdentified: Bool

    /// - Parameter id: By default derived from the name.
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

    /// A person from a table that has no other facts.
    init(_ name: String, id: String?, gender: WikidataItemID?, states: [String]) {
        self.init(
            id: id ?? Self.inventedID(name), name: name, kind: .human, gender: gender, citizenships: states,
            preferred: nil, deprecated: nil, born: nil, died: nil, occupations: [.writer], aliases: [], works: [],
            isIdentified: true)
    }

    /// The memberwise initialiser.
    init(
        id: String, name: String, kind: WikidataItemID, gender: WikidataItemID?, citizenships: [String],
        preferred: WikidataItemID?, deprecated: WikidataItemID?, born: String?, died: String?,
        occupations: [WikidataItemID], aliases: [String], works: [String], isIdentified: Bool
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.gender = gender
        self.citizenships = citizenships
        self.preferred = preferred
        self.deprecated = deprecated
        self.born = born
        self.died = died
        self.occupations = occupations
        self.aliases = aliases
        self.works = works
        self.isIdentified = isIdentified
    }

    static func inventedID(_ text: String) -> String { "Q9\(String(StableHash.of(text)).suffix(9))" }

    /// The name, its other forms, and `J.K.` for `J. K.`.
    var names: [String] {
        let all = [name] + aliases
        return all
            + all.compactMap { name in
                let tight = name.replacing(/(\p{Lu})\. (?=\p{Lu}\.)/) { "\($0.output.1)." }
                return tight == name ? nil : tight
            }
    }
}

extension [Person] {
    /// These people and those of a table. If both have a person (the same id, or the same name if the id is invented), the table's
    /// id, gender and states are used, since answers are compared with the table; everything else is kept.
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
    /// Invented ids are a 9 followed by nine digits; real ids are shorter.
    var hasInventedID: Bool { id.count == 11 }

    fileprivate func corrected(by row: Person) -> Person {
        Person(
            id: row.hasInventedID ? id : row.id, name: name, kind: kind, gender: row.gender,
            citizenships: row.citizenships.isEmpty ? citizenships : row.citizenships,
            preferred: row.citizenships.isEmpty ? preferred : nil, deprecated: deprecated, born: born, died: died,
            occupations: occupations, aliases: row.name == name ? aliases : aliases + [row.name], works: works,
            isIdentified: isIdentified)
    }
}
