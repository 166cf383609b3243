import BookMetadata
import BookstrackContract
import Foundation
import TestSupport
import Testing

@Suite("Recorded author tables", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct AuthorTableTests {
    /// Counts how often a result agreed with the tables.
    private struct Score {
        var right = 0
        var wrong = 0
        var share: Double { Double(right) / Double(max(1, right + wrong)) }

        mutating func add(_ isRight: Bool) {
            if isRight { right += 1 } else { wrong += 1 }
        }
    }

    /// Places that the tables list as countries although they are not.
    private static let placesListedAsCountries: Set<String> = [
        "Oakland", "Oceanside", "Texas", "Melbourne", "Port-au-Prince", "Saint Thomas",
    ]

    /// Two women recorded as men in the list of names.
    private static let wrongInTheList: Set<String> = ["Leigh Bardugo", "Stephenie Meyer"]

    @Test(
        "at least 99 % of genders and regions agree with the tables, and an author without a namesake is always identified"
    )
    func accuracy() throws {
        let tables = try AuthorTables()
        let people = try Self.people(of: tables)
        var (genders, regions) = (Score(), Score())
        var unanswered: [String: Int] = [:]
        for author in tables.authors {
            let homonyms = people.named(author.name)
            let answer = AuthorIdentity.background(of: AuthorQuery(name: author.name), among: homonyms)
            guard let answer else {
                unanswered["homonym", default: 0] += 1
                #expect(homonyms.count > 1, "\(author.name)")
                continue
            }
            if answer.gender == .unknown {
                unanswered["no gender or two", default: 0] += 1
            } else if TabledAuthor.gender(author.gender) != .unknown {
                genders.add(answer.gender == TabledAuthor.gender(author.gender))
            }
            let expected = Set(author.countries.compactMap(TabledAuthor.region))
            if let region = answer.culturalRegion, !expected.isEmpty {
                regions.add(expected.contains(region))
            } else if !author.countries.isEmpty {
                unanswered["several regions, or no state", default: 0] += 1
                let listsPlace = author.countries.contains { Self.placesListedAsCountries.contains($0.name) }
                #expect(listsPlace || people.regions(of: author.id).count > 1, "\(author.name)")
            }
        }
        print("wikidata_authors: \(tables.authors.count) asked; gender right \(genders.right), wrong \(genders.wrong);")
        print("  region right \(regions.right), wrong \(regions.wrong); unanswered \(unanswered)")
        let withBackground = tables.authors.count - (unanswered["homonym"] ?? 0)
        print("  authors with background: \(withBackground * 100 / tables.authors.count) % (> 70)")
        #expect(genders.right > 1_500)
        #expect(genders.share >= 0.99)
        #expect(regions.right > 300)
        #expect(regions.share >= 0.99)
    }

    @Test("if two authors share a name, neither is guessed, and if two tables disagree, no gender is guessed")
    func doubtful() throws {
        let people = try Self.people(of: AuthorTables())
        for name in ["Peter Taylor", "Charles Wright"] {
            let homonyms = people.named(name)
            #expect(homonyms.filter { $0.names.contains(name) }.count == 2)
            #expect(AuthorIdentity.background(of: AuthorQuery(name: name), among: homonyms) == nil)
        }
        // Male in a prize table from 2016, but non-binary in a later one.
        let smith = AuthorIdentity.background(of: AuthorQuery(name: "Danez Smith"), among: people.named("Danez Smith"))
        #expect(smith?.gender == .unknown)
    }

    @Test("authors in the tables have the same gender as in another list, except for two errors in that list")
    func otherList() throws {
        let people = try Self.people(of: AuthorTables())
        var score = Score()
        var contradicted: Set<String> = []
        for (name, gender) in try AuthorTables.namesAndGenders() {
            guard
                let answer = AuthorIdentity.background(of: AuthorQuery(name: name), among: people.named(name)),
                answer.gender != .unknown
            else { continue }
            let agrees = answer.gender == TabledAuthor.gender(gender)
            score.add(agrees)
            if !agrees { contradicted.insert(name) }
        }
        print("booktravels: \(score.right) of \(score.right + score.wrong) genders agree; not \(contradicted.sorted())")
        #expect(score.right > 50)
        #expect(contradicted == Self.wrongInTheList)
    }

    @Test("every country in the tables has a known item, in the tables' region if they state one")
    func countries() throws {
        let table = try JSONDecoder().decode(
            [String: TabledAuthor.TabledCountry].self,
            from: TestData.bytes("wikidata_authors/country_qids_regions.json"))
        var unknown: Set<String> = []
        for (item, country) in table {
            let record = PersonRecord(
                id: "Q1", names: ["A Writer"], occupations: ["Q36180"], citizenships: [Citizenship(country: item)])
            let region = AuthorIdentity.background(of: AuthorQuery(name: "A Writer"), among: [record])?.culturalRegion
            if region == nil { unknown.insert(country.name) }
            if let region, let expected = TabledAuthor.region(country) {
                #expect(region == expected, "\(country.name)")
            }
        }
        #expect(
            unknown == Self.placesListedAsCountries.union(["Guangzhou", "Brooklyn", "Utah", "South Bronx"]))
    }

    /// The people in the tables as Wikidata would return them, merged from several tables.
    private static func people(of tables: AuthorTables) throws -> TabledPeople {
        let byItem = Dictionary(grouping: tables.authors, by: \.id)
        let entities = byItem.map { id, rows in
            let countries = Set(rows.flatMap(\.countries)).compactMap(tables.item).sorted()
            let genders = Set(rows.compactMap { TabledAuthor.genderItem($0.gender) }).sorted()
            let names = Set(rows.map(\.name)).sorted()
            return EntityFixture.writer(
                id, names[0], aliases: Array(names.dropFirst()),
                genders.map { ("P21", .item($0)) } + Set(countries).sorted().map { ("P27", .item($0)) })
        }
        let records = try Wikidata.decodeEntities(EntityFixture.answer(entities))
        return TabledPeople(records: records, authors: byItem)
    }
}
