import BookIdentifiers
import Foundation
import Testing

@testable import ProviderEmulator

/// Files that the emulator reads, created here in a temporary folder.
@Suite("Catalog files")
struct CatalogFileTests {
    /// Writes the files, in folders according to their names, and removes them afterward.
    private func with<Result>(_ files: [String: String], _ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try body(folder)
    }

    private func goodbooks(_ text: String) throws -> GoodbooksCatalog {
        try with(["books.csv": text]) {
            try GoodbooksCatalog(file: $0.appending(path: "books.csv"), knownFraction: 1)
        }
    }

    @Test(
        "fields of a CSV line are separated by commas outside quotation marks",
        arguments: [
            ("a,b\nc,d", [["a", "b"], ["c", "d"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            (#""a,b",c"#, [["a,b", "c"]]), (#""say ""hi""",x"#, [[#"say "hi""#, "x"]]),
            ("\"a\nb\",c", [["a\nb", "c"]]),
            (",,", [["", "", ""]]), ("a,", [["a", ""]]), ("", []), ("größe,名", [["größe", "名"]]),
            ("a\n\nb", [["a"], [""], ["b"]]),
        ])
    func csv(text: String, rows: [[String]]) {
        #expect(CSVTable.rows(text) == rows)
    }

    @Test("a goodbooks row becomes a book, and a row with no usable ISBN is only counted")
    func goodbooksRows() throws {
        let catalog = try goodbooks(
            """
            isbn,authors,original_publication_year,original_title,title,language_code
            439023483,"Suzanne Collins, Ann Other",2008.0,The Hunger Games,"The Hunger Games (The Hunger Games, #1)",eng
            ,Nobody,,,Untitled,
            12,Nobody,,,Untitled,
            9780441172719,Frank Herbert,nan,,Dune,en-US
            """)
        #expect(catalog.refused == 2)
        #expect(catalog.books.map(\.isbn.isbn13) == ["9780439023481", "9780441172719"])
        let games = try #require(catalog.books.first)
        #expect(games.title == "The Hunger Games")
        #expect(games.authors == ["Suzanne Collins", "Ann Other"])
        #expect(games.firstPublished == 2008)
        #expect(games.language == .english)
        #expect(catalog.books.last?.firstPublished == nil)
        #expect(catalog.books.last?.language == .english)
    }

    @Test("columns may be in any order, and a row that ends before its ISBN is only counted")
    func columns() throws {
        let catalog = try goodbooks("title,isbn\nDune,9780441172719\nEmma\n")
        #expect(catalog.books.map(\.title) == ["Dune"])
        #expect(catalog.refused == 1)
    }

    @Test(
        "a series in parentheses is removed from a title, and a title that is entirely in parentheses is kept",
        arguments: [("(Untitled)", "(Untitled)"), ("Dune (Dune, #1)", "Dune")])
    func parentheses(title: String, expected: String) throws {
        #expect(try goodbooks("title,isbn\n\"\(title)\",9780441172719\n").books.first?.title == expected)
    }

    @Test("a missing file is an error")
    func absentFile() {
        let nowhere = URL(filePath: "/nonexistent/books.csv")
        #expect(throws: (any Error).self) { try CatalogSources(goodbooks: nowhere).stock() }
        #expect(throws: (any Error).self) { try CatalogSources(recorded: nowhere).stock() }
    }

    @Test("the books of a goodbooks file are added to the sample, and notes report what was read")
    func sources() throws {
        var notes: [String] = []
        let stock = try with(["g.csv": "title,isbn\nNew,9798400000003\nBad,1\n"]) { folder in
            try CatalogSources(synthetic: 0, goodbooks: folder.appending(path: "g.csv")).stock { notes.append($0) }
        }
        #expect(stock.isbns.count == SampleCatalog.books.count + 1)
        #expect(notes.count == 1)
        #expect(notes.first?.hasSuffix("g.csv: 1 books, 1 unusable rows") == true)
    }

    @Test("recorded responses are read from both folders, and documents that are not valid JSON are noted")
    func recorded() throws {
        var notes: [String] = []
        let edition =
            #"{"key":"/books/OL1M","type":{"key":"/type/edition"},"title":"T","isbn_13":["9798400000003"]}"#
        let stock = try with([
            "api_responses/a/one.json": #"{"kind":"books#volume","id":"x","volumeInfo":{}}"#,
            "api_responses/broken.json": "{", "api_responses/notes.html": "ignored",
            "ol_dump/editions.txt": "/type/edition\t/books/OL1M\t3\t2024-01-01\t\(edition)\n",
        ]) { folder in
            try CatalogSources(recorded: folder).stock { notes.append($0) }
        }
        #expect(stock.editions.first?.key == "/books/OL1M")
        #expect(stock.volumes.first?.id == "x")
        #expect(notes.count == 3)
        #expect(notes.first?.hasSuffix("broken.json: documents that are not valid JSON: 1") == true)
        #expect(notes.contains { $0.hasSuffix(": 1 editions, 0 works, 0 search documents, 1 volumes") })
        #expect(notes.last?.hasSuffix("wikidata_authors is absent") == true)
    }

    @Test(
        "a recorded file contains one JSON document, one HTTP response, or one document per line",
        arguments: [
            ("a.json", "{\n\"a\":1}", 1, 0), ("a.http.txt", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n{\"a\":\n1}", 1, 0),
            ("a.http.txt", "HTTP/1.1 204 No Content\r\n\r\n", 0, 1), ("a.jsonl", "{}\n\n[1]\nno\n", 2, 1),
            ("a.txt", "x\ty\t{}\n", 1, 0),
        ])
    func texts(name: String, text: String, values: Int, broken: Int) throws {
        let contents = try with([name: text]) { try RecordedFile(url: $0.appending(path: name)).contents() }
        #expect(contents.values.count == values)
        #expect(contents.broken == broken)
    }
}

@Suite("Tables of people")
struct PeopleTableTests {
    private func tables(
        _ people: String = "{}", old: String = "{}", prizes: String = "", travels: String = ""
    ) throws -> [Person] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "people-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [
            ("country_qids_regions.json", #"{"Q16":{"name":"Canada"},"Q27":{"name":"Ireland"}}"#),
            ("author_gender_country_1.json", people), ("old_author_gender_country_1.json", old),
            ("us_prizes_author_gender_wikidata_1.csv", "head\n" + prizes),
            ("booktravels_author_genders.csv", "head\n" + travels),
        ] {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        return try PeopleTables(folder: folder).people
    }

    @Test(
        "every word for a gender is recognized, and people with no known gender are left out",
        arguments: [
            ("male", WikidataItemID.male as WikidataItemID?), ("M", .male), ("female", .female), ("F", .female),
            ("non-binary", .nonBinary), ("nonbinary/they", .nonBinary), ("nonbinary/he", .nonBinary),
            ("transgender female", .transWoman), ("transgender male", .transMan), ("unknown", nil), ("", nil),
        ])
    func genders(text: String, gender: WikidataItemID?) throws {
        #expect(try tables(#"{"A":{"id":"Q5","gender":"\#(text)"}}"#).first?.gender == gender)
    }

    @Test(
        "a person's countries are read as Wikidata items, and an unknown country is left out",
        arguments: [
            (#"[{"name":"Canada"},{"name":"Ireland"}]"#, ["Q16", "Q27"]), (#""Ireland""#, ["Q27"]),
            (#""Atlantis""#, []),
            ("null", []),
        ])
    func countries(country: String, states: [String]) throws {
        let people = try tables(#"{"A":{"id":"Q5","gender":"male","country":\#(country)}}"#)
        #expect(people.first?.citizenships == states)
    }

    @Test("if two rows have the same item, the first one is used")
    func sameItem() throws {
        let people = try tables(
            #"{"First":{"id":"Q5","gender":"male"}}"#, old: #"{"Second":{"id":"Q5","gender":"female"}}"#)
        #expect(people.map(\.name) == ["First"])
    }

    @Test("a row in the prize table needs an item, and a row in the travel table needs a name that is not known yet")
    func otherTables() throws {
        let people = try tables(
            #"{"Known":{"id":"Q5","gender":"male"}}"#,
            prizes: "Winner,F,,,,,Q77\nWithout item,F,,,,,\nShort,F\n", travels: "known,F\nNew,F\n")
        #expect(people.map(\.name) == ["Known", "Winner", "New"])
        #expect(people.map(\.id).prefix(2) == ["Q5", "Q77"])
        #expect(people.last?.hasInventedID == true)
    }

    @Test("a missing table is an error")
    func absent() {
        #expect(throws: (any Error).self) { try PeopleTables(folder: URL(filePath: "/nonexistent")) }
    }
}
