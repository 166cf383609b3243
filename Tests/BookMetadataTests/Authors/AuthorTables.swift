import Foundation
import TestSupport

/// The recorded tables of authors.
struct AuthorTables: Sendable {
    /// Authors with an item, once for each table.
    let authors: [TabledAuthor]
    /// Items of the countries by their label; "Russia" names two, which their region tells apart.
    private let countryItems: [TabledAuthor.TabledCountry: String]
    private let countryItemsByName: [String: String]

    init() throws {
        let countries = try Self.decode([String: TabledAuthor.TabledCountry].self, from: "country_qids_regions.json")
        countryItems = Dictionary(countries.map { ($0.value, $0.key) }) { first, _ in first }
        countryItemsByName = Dictionary(countries.map { ($0.value.name, $0.key) }) { first, _ in first }
        authors = try Self.newTable() + Self.oldTable() + Array(Set(Self.prizes()))
    }

    /// The item that a country of the tables is in Wikidata.
    func item(of country: TabledAuthor.TabledCountry) -> String? {
        countryItems[country] ?? countryItemsByName[country.name]
    }

    /// Names and genders of the list that has no items.
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
