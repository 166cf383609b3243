import BookMetadata
import BookstrackContract
import Foundation
import TestSupport
import Testing

@Suite("Recorded Wikidata responses", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct RecordedWikidataTests {
    private func body(_ file: String) throws -> Data { try TestData.bytes("wikidata_authors/\(file)") }

    private func record(_ id: String, in file: String) throws -> PersonRecord {
        try #require(try Wikidata.decodeEntities(body(file))[id])
    }

    /// The item of Veronica Roth, which was recorded as an item page rather than an API response.
    private func veronicaRoth() throws -> PersonRecord {
        let page = try JSONSerialization.jsonObject(with: body("Q328212_veronica_roth.json"))
        let answer = try EntityFixture.answer(["Q328212": page])
        return try #require(try Wikidata.decodeEntities(answer)["Q328212"])
    }

    @Test("the record for Douglas Adams agrees with his page")
    func douglasAdams() throws {
        let record = try record("Q42", in: "Q42_wbgetentities_full.json")
        #expect(record.isHuman)
        #expect(record.names.contains("Douglas Adams"))
        #expect(record.names.contains("Дуглас Адамс"))
        #expect(
            record.occupations == ["Q214917", "Q28389", "Q6625963", "Q4853732", "Q18844224", "Q245068", "Q36180"])
        #expect(record.openLibraryKeys == ["OL272947A"])
        #expect(record.goodreadsIDs == ["4"])
        #expect(record.genders == ["Q6581097"])
        #expect(record.citizenships == [Citizenship(country: "Q145")])
        #expect(record.birthYear == 1952)
        #expect(record.deathYear == 2001)
        let expected = AuthorBackground(
            gender: .male, culturalRegion: .europe, nationality: "United Kingdom", birthYear: 1952, deathYear: 2001,
            goodreadsID: "4")
        for query in [
            AuthorQuery(name: "Douglas Adams"), AuthorQuery(name: "Adams, Douglas"),
            AuthorQuery(name: "Douglas N. Adams", openLibraryKey: "OL272947A"),
        ] {
            #expect(AuthorIdentity.background(of: query, among: [record]) == expected)
        }
        let another = AuthorQuery(name: "Douglas Adams", openLibraryKey: "OL1A")
        #expect(AuthorIdentity.background(of: another, among: [record]) == nil)
    }

    @Test("the record for Veronica Roth agrees with her page")
    func veronicaRothIsFound() throws {
        let record = try veronicaRoth()
        #expect(record.openLibraryKeys == ["OL6895646A"])
        #expect(record.occupations.contains("Q18844224"))
        #expect(record.names.contains("Veronica Anne Roth"))
        #expect(record.deathYear == nil)
        #expect(
            AuthorIdentity.background(
                of: AuthorQuery(name: "Veronica Roth"),
                among: [record, try self.record("Q42", in: "Q42_wbgetentities_full.json")])
                == AuthorBackground(
                    gender: .female, culturalRegion: .northAmerica, nationality: "United States", birthYear: 1988,
                    goodreadsID: "4039811"))
    }

    @Test("a deleted item yields no record")
    func deletedItem() throws {
        #expect(try Wikidata.decodeEntities(body("deleted_item.json")).isEmpty)
    }

    @Test("a band with an explicitly absent end date is decoded, and does not count as an author")
    func noValue() throws {
        let band = try record("Q483718", in: "novalue_snak.json")
        #expect(!band.isHuman)
        #expect(band.names == ["Foo Fighters"])
        #expect(band.birthYear == nil)
        #expect(AuthorIdentity.background(of: AuthorQuery(name: "Foo Fighters"), among: [band]) == nil)
    }

    @Test("an item without labels can be decoded")
    func noLabels() throws {
        let game = try record("Q3235026", in: "wikibase_sdk_wbgetentities_response.json")
        #expect(!game.isHuman)
        #expect(game.names.isEmpty)
    }

    @Test("people with the same name are found in order, and one is chosen only if exactly one of them is a writer")
    func homonyms() throws {
        let ids = try Wikidata.decodeSearch(body("wbsearchentities_homonyms.json"))
        #expect(ids == ["Q36724", "Q17987270", "Q4818461", "Q4818464", "Q4818462"])
        let query = AuthorQuery(name: "Attila the Hun")
        let people = ids.map { PersonRecord(id: $0, names: ["Attila the Hun"], genders: ["Q6581097"]) }
        #expect(AuthorIdentity.background(of: query, among: people) == nil)
        var writers = people
        for index in [0, 3] {
            writers[index].occupations = ["Q36180"]
        }
        #expect(AuthorIdentity.background(of: query, among: writers) == nil)
        #expect(AuthorIdentity.background(of: query, among: writers.dropFirst())?.gender == .male)
    }

    @Test(
        "responses from other APIs are rejected",
        arguments: [
            "wikibase_sdk_cirrus_search_response.json", "wikibase_sdk_sparql_results_with_optional_values.json",
        ])
    func otherInterfaces(file: String) throws {
        let bytes = try body(file)
        #expect(throws: ProviderBodyError.malformed) { try Wikidata.decodeSearch(bytes) }
        #expect(throws: ProviderBodyError.malformed) { try Wikidata.decodeEntities(bytes) }
    }

    @Test("the recorded gender items have the meanings that their labels state")
    func genderItems() throws {
        let labels = try JSONDecoder().decode([String: String].self, from: body("gender_qids.json"))
        #expect(labels.count == 5)
        for (item, label) in labels {
            let person = PersonRecord(id: "Q1", names: ["A Writer"], occupations: ["Q36180"], genders: [item])
            let answer = AuthorIdentity.background(of: AuthorQuery(name: "A Writer"), among: [person])
            #expect(answer?.gender == TabledAuthor.gender(label), "\(label)")
        }
    }
}
