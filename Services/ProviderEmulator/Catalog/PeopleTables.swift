import Foundation

/// People from tables of authors with their genders and countries: the files of the test data's `wikidata_authors` folder. Facts that no table
/// contains are omitted, and so are people without a recognized gender.
struct PeopleTables {
    private(set) var people: [Person] = []
    private let stateIDs: [String: String]
    private var ids: Set<String> = []
    private var names: Set<String> = []

    /// - Throws: An error if a file cannot be read or is not valid JSON.
    init(folder: URL) throws {
        let states = try Self.json(folder.appending(path: "country_qids_regions.json"))
        stateIDs = Dictionary(
            states.objectMembers.compactMap { state in state.value["name"]?.text.map { ($0, state.name) } },
            uniquingKeysWith: { first, _ in first })
        for file in ["author_gender_country_1.json", "old_author_gender_country_1.json"] {
            for row in try Self.json(folder.appending(path: file)).objectMembers { add(row) }
        }
        try addPrizes(folder.appending(path: "us_prizes_author_gender_wikidata_1.csv"))
        try addTravels(folder.appending(path: "booktravels_author_genders.csv"))
    }

    private mutating func add(_ row: JSONValue.Member) {
        guard let gender = Self.gender(row.value["gender"]?.text) else { return }
        let country = row.value["country"]
        let states = (country?.elements ?? []).compactMap { $0["name"]?.text } + [country?.text].compactMap(\.self)
        add(row.name, id: row.value["id"]?.text, gender, states: states.compactMap { stateIDs[$0] })
    }

    private mutating func addPrizes(_ file: URL) throws {
        let rows = CSVTable.rows(String(decoding: try Data(contentsOf: file), as: UTF8.self))
        for row in rows.dropFirst() where row.count > 6 && row[6].hasPrefix("Q") {
            if let gender = Self.gender(row[1]) { add(row[0], id: row[6], gender, states: []) }
        }
    }

    private mutating func addTravels(_ file: URL) throws {
        let rows = CSVTable.rows(String(decoding: try Data(contentsOf: file), as: UTF8.self))
        for row in rows.dropFirst() where row.count == 2 && !names.contains(row[0].folded) {
            if let gender = Self.gender(row[1]) { add(row[0], id: nil, gender, states: []) }
        }
    }

    /// Adds a person, unless an earlier row has the same ID.
    private mutating func add(_ name: String, id: String?, _ gender: WikidataItemID, states: [String]) {
        names.insert(name.folded)
        let person = Person(name, id: id.flatMap { $0.hasPrefix("Q") ? $0 : nil }, gender: gender, states: states)
        if ids.insert(person.id).inserted { people.append(person) }
    }

    private static func json(_ file: URL) throws -> JSONValue {
        try JSONValue(parsing: [UInt8](try Data(contentsOf: file)))
    }

    private static func gender(_ text: String?) -> WikidataItemID? {
        switch text {
        case "male", "M": .male
        case "female", "F": .female
        case "non-binary", "nonbinary/they", "nonbinary/he": .nonBinary
        case "transgender female": .transWoman
        case "transgender male": .transMan
        default: nil
        }
    }
}
