import BookMetadata
import BookstrackContract
import Foundation
import TestSupport

/// The recorded author tables.
struct AuthorTables: Sendable {
    /// Authors with an item, once for each table.
    let authors: [TabledAuthor]
    /// The countries' items by name and region, which distinguishes the two items named "Russia".
    private let countryItems: [TabledAuthor.TabledCountry: String]
    private let countryItemsByName: [String: String]

    init() throws {
        let countries = try Self.decode([String: TabledAuthor.TabledCountry].self, from: "country_qids_regions.json")
        countryItems = Dictionary(countries.map { ($0.value, $0.key) }) { first, _ in first }
        countryItemsByName = Dictionary(countries.map { ($0.value.name, $0.key) }) { first, _ in first }
        authors = try Self.newTable() + Self.oldTable() + Array(Set(Self.prizes()))
    }

    /// The Wikidata item of a country in the tables.
    func item(of country: TabledAuthor.TabledCountry) -> String? {
        countryItems[country] ?? countryItemsByName[country.name]
    }

    /// The names and genders in the list that does not specify items.
    static func namesAndGenders() throws -> [(name: String, gender: String)] {
        try TestData.lines("wikidata_authors/booktravels_author_genders.csv").dropFirst().map { line in
            let columns = line.split(separator: ",")
            return (columns.dropLast().joined(separator: ","), String(columns.last ?? ""))
        }
    }

    private struct NewRow: Decodable {
        struct Place: Decodable {
            var name: String?
            var region: String
        }
        var id: String
        var gender: String
        var country: [Place]
    }

    private struct OldRow: Decodable {
        var id: String
        var gender: String
        var country: String?
        var region: String
    }

    private static func newTable() throws -> [TabledAuthor] {
        try decode([String: NewRow].self, from: "author_gender_country_1.json").compactMap { name, row in
            author(
                row.id, name, row.gender,
                row.country.compactMap { place in place.name.map { .init(name: $0, region: place.region) } })
        }
    }

    private static func oldTable() throws -> [TabledAuthor] {
        try decode([String: OldRow].self, from: "old_author_gender_country_1.json").compactMap { name, row in
            author(row.id, name, row.gender, row.country.map { [.init(name: $0, region: row.region)] } ?? [])
        }
    }

    private static func prizes() throws -> [TabledAuthor] {
        try TestData.lines("wikidata_authors/us_prizes_author_gender_wikidata_1.csv").dropFirst().compactMap { line in
            let columns = line.split(separator: ",", omittingEmptySubsequences: false)
            return columns.count > 6 && !line.hasPrefix("\"")
                ? author(String(columns[6]), String(columns[0]), String(columns[1]), []) : nil
        }
    }

    private static func author(
        _ id: String, _ name: String, _ gender: String, _ countries: [TabledAuthor.TabledCountry]
    ) -> TabledAuthor? {
        guard id.wholeMatch(of: /Q[0-9]+/) != nil else { return nil }
        return TabledAuthor(
            id: id, name: name, gender: gender, countries: countries.filter { $0.name != "Unknown" })
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, from file: String) throws -> Value {
        try JSONDecoder().decode(type, from: TestData.bytes("wikidata_authors/\(file)"))
    }
}

/// One author of the recorded tables.
struct TabledAuthor: Hashable {
    /// The author's Wikidata item.
    let id: String
    let name: String
    /// The gender's label; `Unknown` where the table has none.
    let gender: String
    /// Countries with their label and the table's own name for the region.
    let countries: [TabledCountry]

    /// A country as listed in the tables.
    struct TabledCountry: Hashable, Decodable {
        var name: String
        var region: String
    }

    /// The contract's gender for a label in the tables.
    static func gender(_ label: String) -> AuthorGender {
        switch label {
        case "female", "transgender female", "F": .female
        case "male", "transgender male", "M": .male
        case "non-binary", "nonbinary/they", "nonbinary/he": .nonBinary
        default: .unknown
        }
    }

    /// The item for a gender label.
    static func genderItem(_ label: String) -> String? {
        switch label {
        case "female": "Q6581072"
        case "male": "Q6581097"
        case "transgender female": "Q1052281"
        case "transgender male": "Q2449503"
        case "non-binary", "nonbinary/they", "nonbinary/he": "Q48270"
        default: nil
        }
    }

    /// The contract's region for a country in the tables; nil if neither the tables nor `manualRegions` have a region for it.
    static func region(_ country: TabledCountry) -> CulturalRegion? {
        switch country.region {
        case "Western Europe", "Northern Europe", "Central Europe", "Eastern Europe", "Europe", "Scandinavia",
            "Fennoscandia":
            .europe
        // States and groups of states, which the tables use instead of a region.
        case "Austria-Hungary", "Central Powers", "Allies of the First World War", "Kingdom of Denmark",
            "Post-Soviet states":
            .europe
        case "North America": .northAmerica
        // This region in the tables covers two of the contract's regions.
        case "Latin America": ["Mexico", "Costa Rica"].contains(country.name) ? .northAmerica : .southAmerica
        case "Oceania", "Australasia": .oceania
        case "East Asia", "South Asia", "Southeast Asia", "China": .asia
        case "West Africa", "East Africa", "Southern Africa", "North Africa": .africa
        case "Middle East": .middleEast
        case "Lesser Antilles": .caribbean
        default: manualRegions[country.name]
        }
    }

    /// Manually assigned regions of countries whose region is unknown in the tables.
    private static let manualRegions: [String: CulturalRegion] = [
        "Ireland": .europe, "Scotland": .europe, "Great Britain": .europe, "Kingdom of Prussia": .europe,
        "Kingdom of the Netherlands": .europe, "Austrian Empire": .europe, "Ancient Rome": .europe,
        "Colonial Nigeria": .africa, "Sri Lanka": .asia, "Muzaffarids of Iran": .middleEast,
    ]
}

/// The people in the recorded tables, by name.
struct TabledPeople {
    private let byName: [String: [PersonRecord]]
    private let authors: [String: [TabledAuthor]]

    init(records: [String: PersonRecord], authors: [String: [TabledAuthor]]) {
        self.authors = authors
        let names = records.values.flatMap { record in record.names.map { (Self.key($0), record) } }
        byName = Dictionary(grouping: names, by: \.0).mapValues { $0.map(\.1) }
    }

    /// The people with the same family name and initial, whom a search for the name might return.
    func named(_ name: String) -> [PersonRecord] { byName[Self.key(name)] ?? [] }

    /// Every region that the tables state for an author.
    func regions(of id: String) -> Set<CulturalRegion> {
        Set((authors[id] ?? []).flatMap(\.countries).compactMap(TabledAuthor.region))
    }

    private static func key(_ name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter }
        return "\(words.first?.first.map(String.init) ?? "") \(words.last ?? "")"
    }
}
