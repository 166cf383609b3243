import Testing

@testable import ProviderEmulator

@Suite("Emulated Wikidata")
struct WikidataTests {
    private static let search = "/wikidata/w/api.php?action=wbsearchentities&format=json&language=en&search="
    private static let entities = "/wikidata/w/api.php?action=wbgetentities&format=json&ids="

    private func ids(_ answer: JSONValue) -> [String] {
        (answer["search"]?.elements ?? []).compactMap { $0["id"]?.text }
    }

    private func values(_ entity: JSONValue?, _ property: String) -> [JSONValue] {
        (entity?["claims"]?[property]?.elements ?? []).compactMap { $0["mainsnak"]?["datavalue"]?["value"] }
    }

    @Test(
        "a name is found by label or alias, in every script, ignoring case",
        arguments: [
            ("frank+herbert", "Q7934", "label"), ("J.K.+Rowling", "Q34660", "alias"), ("村上春樹", "Q134798", "alias"),
            ("Gabriel+Garcia+Marquez", "Q5878", "label"), ("Fyodor+Dostoyevsky", "Q991", "alias"),
        ])
    func found(name: String, id: String, match: String) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json(Self.search + name)
            #expect(answer["success"] == 1)
            let first = try #require(answer["search"]?.elements.first)
            #expect(first["id"]?.text == id)
            #expect(first["match"]?["type"]?.text == match)
            #expect(first["concepturi"]?.text == "http://www.wikidata.org/entity/\(id)")
        }
    }

    @Test("all items with the same name are found, including items that are not people")
    func homonyms() async throws {
        try await RunningEmulator.run { emulator in
            let found = ids(try await emulator.json(Self.search + "John+Williams"))
            #expect(found.count == 3)
            let entities = try await emulator.json(Self.entities + found.joined(separator: "|"))["entities"]
            let occupations = found.map { values(entities?[$0], "P106").first?["id"]?.text }
            #expect(occupations.count { $0 == WikidataItemID.novelist.rawValue } == 2)
            let homers = ids(try await emulator.json(Self.search + "homer"))
            let classes = try await emulator.json(Self.entities + homers.joined(separator: "|"))["entities"]
            #expect(homers.first == "Q6691")
            #expect(Set(homers.compactMap { values(classes?[$0], "P31").first?["id"]?.text }).count == 3)
        }
    }

    @Test("an unknown person is not found, and an unknown item is marked as missing")
    func missing() async throws {
        try await RunningEmulator.run { emulator in
            #expect(ids(try await emulator.json(Self.search + "Bessel+van+der+Kolk")).isEmpty)
            let answer = try await emulator.json(Self.entities + "Q10908976")
            #expect(answer == ["entities": ["Q10908976": ["id": "Q10908976", "missing": ""]], "success": 1])
        }
    }

    @Test("an item's statements have their rank, date and precision in Wikidata's format")
    func statements() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json(Self.entities + "Q5878|Q6691|Q692")
            let writer = answer["entities"]?["Q5878"]
            #expect(values(writer, "P21").map { $0["id"] } == ["Q6581097"])
            #expect(values(writer, "P27").map { $0["id"] } == ["Q96", "Q739"])
            #expect(writer?["claims"]?["P27"]?.elements.map { $0["rank"] } == ["normal", "preferred"])
            #expect(values(writer, "P569").first?["time"] == "+1927-03-06T00:00:00Z")
            #expect(values(writer, "P569").first?["precision"] == 11)
            let poet = answer["entities"]?["Q6691"]
            #expect(values(poet, "P569").first?["time"] == "-0750-00-00T00:00:00Z")
            #expect(values(poet, "P569").first?["precision"] == 9)
            #expect(poet?["claims"]?["P570"]?.elements.first?["mainsnak"]?["snaktype"] == "somevalue")
            #expect(values(answer["entities"]?["Q692"], "P569").first?["precision"] == 10)
        }
    }

    @Test("an author has the emulated Open Library's ID, and another item with the same name has none")
    func openLibraryID() async throws {
        try await RunningEmulator.run { emulator in
            let work = try await emulator.json("/openlibrary/search.json?title=neuromancer")["docs"]?.elements.first
            let key = try #require(work?["author_key"]?.texts.first)
            let found = ids(try await emulator.json(Self.search + "William+Gibson"))
            let entities = try await emulator.json(Self.entities + found.joined(separator: "|"))["entities"]
            #expect(found.map { values(entities?[$0], "P648").compactMap(\.text) } == [[key], []])
            let notable = try #require(values(entities?["Q188987"], "P800").first?["id"]?.text)
            let item = try await emulator.json(Self.entities + notable)["entities"]?[notable]
            #expect(item?["labels"]?["en"]?["value"] == "Neuromancer")
        }
    }

    @Test("only the requested parts and languages are returned")
    func selection() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json(Self.entities + "Q134798&props=labels|info&languages=ja")
            let entity = try #require(answer["entities"]?["Q134798"])
            #expect(entity["labels"] == ["ja": ["language": "ja", "value": "村上春樹"]])
            #expect(entity["claims"] == nil)
            #expect(entity["title"] == "Q134798")
        }
    }

    @Test("at most fifty items are returned per request, and requesting more is an error with status 200")
    func tooMany() async throws {
        try await RunningEmulator.run { emulator in
            let fifty = (1...50).map { "Q\($0)" }.joined(separator: "|")
            #expect(try await emulator.json(Self.entities + fifty)["entities"]?.objectMembers.count == 50)
            let answer = try await emulator.get(Self.entities + fifty + "|Q51")
            #expect(answer.status == 200)
            #expect(answer.header("MediaWiki-API-Error") == "toomanyvalues")
            #expect(try JSONValue(parsing: answer.body)["error"]?["code"] == "toomanyvalues")
        }
    }

    @Test(
        "invalid requests are refused with an error code",
        arguments: [
            ("action=wbsearchentities&format=json&language=en", "missingparam"),
            ("action=wbsearchentities&format=json&search=x", "missingparam"),
            ("action=wbgetentities&format=json&ids=Qx", "no-such-entity"), ("action=sing&format=json", "badvalue"),
        ])
    func refused(query: String, code: String) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json("/wikidata/w/api.php?\(query)")
            #expect(answer["error"]?["code"]?.text == code)
        }
    }

    @Test(
        "a client that sends no contact information is refused",
        arguments: [
            ("curl/8.5.0", 403), ("BooksTrack/2.1 (gzip)", 403), ("BooksTrack/2.1 (books@example.org; gzip)", 200),
        ])
    func identification(agent: String, status: Int) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get(Self.search + "ada", headers: ["User-Agent": agent])
            #expect(answer.status == status)
            #expect(answer.text.contains("robot policy") == (status == 403))
        }
    }

    @Test("without format=json, the response is an HTML page")
    func page() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get("/wikidata/w/api.php?action=wbgetentities&ids=Q42")
            #expect(answer.header("Content-Type") == "text/html")
        }
    }

    @Test("a search can be continued where its previous page ended")
    func continuation() async throws {
        try await RunningEmulator.run { emulator in
            let first = try await emulator.json(Self.search + "ada&limit=5")
            #expect(first["search-continue"] == 5)
            let second = try await emulator.json(Self.search + "ada&limit=5&continue=5")
            #expect(Set(ids(first) + ids(second)).count == 8)
            #expect(second["search-continue"] == nil)
        }
    }

    @Test("faults apply to one name or one item, and the log contains the requested keys")
    func faults() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(
                """
                [{"kind":"status","code":429,"retryAfter":5,"provider":"wikidata","author":"frank herbert"},
                 {"kind":"missing","entity":"Q42"},{"kind":"wrongBook","entity":"Q7934"}]
                """)
            #expect(try await emulator.get(Self.search + "Frank+Herbert").status == 429)
            #expect(ids(try await emulator.json(Self.search + "Andy+Weir")) == ["Q18590295"])
            let answer = try await emulator.json(Self.entities + "Q42|Q7934|Q892")["entities"]
            #expect(answer?["Q42"]?["missing"] == "")
            #expect(try #require(answer?["Q7934"]?["id"]) != "Q7934")
            #expect(answer?["Q892"]?["id"] == "Q892")
            let asked = try await emulator.log().map { $0["keys"] }
            #expect(asked == [["frank herbert"], ["andy weir"], ["Q42", "Q7934", "Q892"]])
            let statistics = try await emulator.json("/_emulator/stats")["providers"]?["wikidata"]
            #expect(statistics?["requests"] == 3)
            #expect(statistics?["keys"] == 5)
        }
    }
}
