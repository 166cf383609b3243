import Testing

@testable import ProviderEmulator

@Suite("Wikidata items")
struct WikidataEntityTests {
    private static let writer = Person(
        "Jane Doe", "Q1234", .female, [.france], "1901-02-03", "?", preferred: .germany, deprecated: .spain,
        as: [.poet, .novelist], aka: ["J. D. Doe", "ジェーン"], works: ["Her Book"])

    private func values(_ person: Person, _ property: String) -> [JSONValue?] {
        let statements = person.entity(openLibraryIDs: ["OL1A", "OL2A"])["claims"]?[property]?.elements ?? []
        return statements.map { $0["mainsnak"]?["datavalue"]?["value"] }
    }

    @Test(
        "each fact is a statement with its own property",
        arguments: [
            ("P31", ["Q5"]), ("P21", ["Q6581072"]), ("P27", ["Q142", "Q183", "Q29"]), ("P106", ["Q49757", "Q6625963"]),
            ("P800", ["Q9027788384"]),
        ])
    func items(property: String, ids: [String]) {
        #expect(values(Self.writer, property).map { $0?["id"]?.text } == ids)
    }

    @Test("each of a person's countries has its rank: normal, preferred or deprecated")
    func ranks() {
        let statements = Self.writer.entity(openLibraryIDs: [])["claims"]?["P27"]?.elements
        #expect(statements?.map { $0["rank"] } == ["normal", "preferred", "deprecated"])
    }

    @Test("Open Library IDs are stored as external IDs")
    func openLibrary() {
        #expect(values(Self.writer, "P648") == ["OL1A", "OL2A"])
        let statement = Self.writer.entity(openLibraryIDs: ["OL1A"])["claims"]?["P648"]?.elements.first
        #expect(statement?["mainsnak"]?["datatype"] == "external-id")
        #expect(statement?["mainsnak"]?["datavalue"]?["type"] == "string")
    }

    @Test("a date that is stated to be unknown becomes a statement with an unknown value")
    func unknownDate() {
        let snak = Self.writer.entity(openLibraryIDs: [])["claims"]?["P570"]?.elements.first?["mainsnak"]
        #expect(snak?["snaktype"] == "somevalue")
        #expect(snak?["datatype"] == "time")
        #expect(snak?["datavalue"] == nil)
    }

    @Test("a fact that is not stated has no statement", arguments: ["P21", "P27", "P569", "P570", "P648", "P800"])
    func unstated(property: String) {
        #expect(Person("Nobody", "Q1").entity(openLibraryIDs: [])["claims"]?[property] == nil)
    }

    @Test("labels are in English and the native language, and aliases are in English")
    func names() {
        let entity = Self.writer.entity(openLibraryIDs: [])
        #expect(
            entity["labels"]?.json
                == #"{"en":{"language":"en","value":"Jane Doe"},"ja":{"language":"ja","value":"ジェーン"}}"#)
        let aliases = entity["aliases"]?["en"]?.elements.map { $0["value"] }
        #expect(aliases == ["J. D. Doe", "ジェーン", "J.D. Doe"])
    }

    @Test(
        "an item has the members that all Wikidata items have",
        arguments: [
            ("id", "Q1234" as JSONValue), ("title", "Q1234"), ("type", "item"), ("pageid", 1234), ("ns", 0),
        ])
    func head(member: String, value: JSONValue) {
        #expect(Self.writer.entity(openLibraryIDs: [])[member] == value)
    }

    @Test("a person with no other names has no aliases")
    func withoutAliases() {
        #expect(Person("Nobody", "Q1").entity(openLibraryIDs: [])["aliases"] == .object([]))
    }

    @Test(
        "a description states a person's occupation and years, or the kind of any other item",
        arguments: [
            (writer, "poet (1901–?)"), (Person("A", "Q1", as: []), "person"),
            (Person("A", "Q1", nil, [], "1950-01-01", as: [.composer]), "composer (1950–)"),
            (Person("A", "Q1", nil, [], "-0544", "-0496"), "writer (0544 BCE–0496 BCE)"),
            (Person("A", "Q1", kind: .disambiguationPage), "Wikimedia disambiguation page"),
            (Person("A", "Q1", kind: .familyName), "family name"),
            (Person("A", "Q1", kind: .fictionalHuman), "fictional character"), (Person("A", "Q1", kind: .band), "band"),
        ])
    func descriptions(person: Person, description: String) {
        #expect(person.description == description)
    }

    @Test("a notable work is an item that names its author")
    func work() throws {
        let work = try #require(Self.writer.workEntities.first)
        #expect(work["id"] == "Q9027788384")
        #expect(work["labels"]?["en"]?["value"] == "Her Book")
        let author = work["claims"]?["P50"]?.elements.first?["mainsnak"]?["datavalue"]?["value"]?["id"]
        #expect(author == "Q1234")
    }

    @Test(
        "the script of a name implies its language unless it is Latin",
        arguments: [
            ("Фёдор", "ru"), ("אשכול", "he"), ("نجيب", "ar"), ("ノルウェイ", "ja"), ("한강", "ko"), ("余华", "zh"),
            ("Jane", nil), ("Brontë", nil), ("", nil),
        ])
    func scripts(name: String, language: String?) {
        #expect(WikidataEntity.language(of: name) == language)
    }

    @Test(
        "Chinese characters in the name of a person from Japan are treated as Japanese",
        arguments: [
            (WikidataItemID.japan, "ja"), (.china, "zh"),
        ])
    func kanji(state: WikidataItemID, language: String) {
        let person = Person("Haruki Murakami", "Q1", nil, [state], aka: ["村上春樹"])
        #expect(person.nativeName?.language == language)
    }

    @Test(
        "dates before 1583 use the Julian calendar",
        arguments: [
            ("1582", "Q1985786"), ("1583", "Q1985727"), ("-0044-03-15", "Q1985786"), ("2001-01-01", "Q1985727"),
        ])
    func calendars(date: String, model: String) {
        #expect(EntityTime(date).value["calendarmodel"]?.text == "http://www.wikidata.org/entity/\(model)")
    }

    @Test("a person with no known ID is given an invented one")
    func inventedIDs() {
        #expect(Person.inventedID("Jane Doe") == "Q9457940929")
        #expect(Person("Jane Doe", id: nil, gender: nil, states: []).hasInventedID)
        #expect(!Self.writer.hasInventedID)
    }
}

@Suite("Item names")
struct EntityNameIndexTests {
    private let index = EntityNameIndex([
        [.init(text: "Homer", language: "en", isLabel: true), .init(text: "Homère", language: "fr", isLabel: false)],
        [
            .init(text: "Homer Simpson", language: "en", isLabel: true),
            .init(text: "Homer", language: "en", isLabel: false),
        ],
        [.init(text: "Homera", language: "pl", isLabel: true)],
    ])

    private func subjects(_ text: String, language: String? = nil) -> [Int] {
        index.search(text, language: language).map(\.subject)
    }

    @Test(
        "items are found by the start of a name, and exact names come first",
        arguments: [
            ("homer", [0, 1, 2]), ("HOMER S", [1]), ("homere", [0]), ("omer", []), ("", []), ("homer simpsons", []),
        ])
    func prefixes(text: String, found: [Int]) {
        #expect(subjects(text) == found)
    }

    @Test("an item is found once, by a name that matches exactly if it has one")
    func once() {
        #expect(index.search("homer", language: nil).map(\.name.text) == ["Homer", "Homer", "Homera"])
        #expect(index.search("homer", language: nil).map(\.name.isLabel) == [true, false, true])
    }

    @Test(
        "a search with a strict language excludes names in other languages",
        arguments: [("en", [0, 1]), ("fr", [0]), ("pl", [2]), ("de", [])])
    func languages(language: String, found: [Int]) {
        #expect(subjects("hom", language: language) == found)
    }
}
