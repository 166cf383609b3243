import TestSupport
import Testing

@testable import ProviderEmulator

@Suite("People")
struct PeopleTests {
    @Test("every item of the sample has a unique ID, and most authors of the sample have an item")
    func sample() {
        #expect(Set(SamplePeople.all.map(\.id)).count == SamplePeople.all.count)
        let names = Set(SamplePeople.all.filter(\.isIdentified).flatMap(\.names).map(\.folded))
        let authors = Set(SampleCatalog.books.flatMap(\.authors).map(\.folded))
        #expect(authors.count { names.contains($0) } * 10 > authors.count * 9)
        #expect(authors.contains("bessel van der kolk"))
        #expect(!names.contains("bessel van der kolk"))
    }

    @Test("every column of the table of people is read")
    func columns() throws {
        func person(_ name: String) throws -> Person { try #require(SamplePeople.all.first { $0.name == name }) }
        let frank = try person("Anne Frank")
        #expect(frank.id == "Q4583")
        #expect(frank.kind == .human)
        #expect(frank.gender == .female)
        #expect(frank.citizenships == [WikidataItemID.germany.rawValue])
        #expect(frank.deprecated == .netherlands)
        #expect(frank.born == "1929-06-12")
        #expect(frank.died == "1945")
        #expect(frank.works == ["The Diary of a Young Girl"])
        #expect(frank.isIdentified)
        let conrad = try person("Joseph Conrad")
        #expect(conrad.preferred == .unitedKingdomOfGreatBritainAndIreland)
        #expect(conrad.occupations == [.novelist])
        #expect(conrad.aliases == ["Józef Teodor Konrad Korzeniowski"])
        let simpson = try person("Homer Simpson")
        #expect(simpson.kind == .fictionalHuman)
        #expect(simpson.occupations == [])
        #expect(!simpson.isIdentified)
        #expect(try person("Bram Stoker").hasInventedID)
    }

    @Test("initials match with and without spaces between them")
    func initials() {
        #expect(Person("J. R. R. Tolkien").names.contains("J.R.R. Tolkien"))
        #expect(Person("Ursula K. Le Guin").names == ["Ursula K. Le Guin"])
    }

    @Test(
        "a table corrects people with the same ID, or with the same name if their ID is invented, and adds other people"
    )
    func merging() {
        let people = [
            Person("Ann Other", nil, .male, [.france], "1900"),
            Person("J. M. Coetzee", "Q43293", .male, [.southAfrica]),
            Person("Ann Other", nil, .male, [.spain], "1950", isIdentified: false),
        ]
        let merged = people.merged(with: [
            Person("Ann Other", id: "Q77", gender: .female, states: ["Q30"]),
            Person("J.M Coetzee", id: "Q43293", gender: .male, states: []),
            Person("Somebody Else", id: "Q78", gender: .female, states: []),
        ])
        #expect(merged.map(\.name) == ["Ann Other", "J. M. Coetzee", "Ann Other", "Somebody Else"])
        #expect(merged[0].id == "Q77")
        #expect(merged[0].gender == .female)
        #expect(merged[0].citizenships == ["Q30"])
        #expect(merged[0].born == "1900")
        #expect(merged[1].citizenships == ["Q258"])
        #expect(merged[1].aliases == ["J.M Coetzee"])
        #expect(merged[2].gender == .male)
    }

    @Test(
        "Wikidata dates have a sign, a padded year and a precision",
        arguments: [
            ("1920-10-08", "+1920-10-08T00:00:00Z", 11), ("1564-04", "+1564-04-00T00:00:00Z", 10),
            ("-0750", "-0750-00-00T00:00:00Z", 9), ("800", "+0800-00-00T00:00:00Z", 9),
        ])
    func dates(text: String, time: String, precision: Int) {
        let value = EntityTime(text).value
        #expect(value["time"]?.text == time)
        #expect(value["precision"]?.integer == precision)
    }

    @Test(
        "people in the tables can be looked up, and recorded items are served unchanged",
        .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
    func tables() throws {
        let catalog = WikidataCatalog(try CatalogSources(recorded: TestData.root).stock())
        func ids(_ name: String) -> [String] {
            catalog.names.search(name, language: nil).filter { $0.name.text == name }.map {
                catalog.subjects[$0.subject].id
            }
        }
        #expect(ids("Emma Donoghue") == ["Q52255"])
        #expect(Set(ids("Peter Taylor")) == ["Q979076", "Q7177265"])
        #expect(ids("Andy Weir") == ["Q18590295"])
        let states = try #require(catalog.entity("Q52255")?["claims"]?["P27"]?.elements)
        #expect(states.map { $0["mainsnak"]?["datavalue"]?["value"]?["id"] } == ["Q16", "Q27"])
        #expect(ids("Alicia Jasinska").isEmpty)
        #expect(catalog.entity("Q42")?["claims"]?["P648"]?.elements.count == 1)
        #expect(ids("Attila the Hun").count > 2)
    }
}
