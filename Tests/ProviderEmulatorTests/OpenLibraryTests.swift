import JSON
import Testing

@testable import ProviderEmulator

@Suite("Emulated Open Library")
struct OpenLibraryTests {
    @Test("a batch returns each known book under the requested key, and no unknown ones")
    func batch() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json(
                "/openlibrary/api/books?bibkeys=ISBN:0451524934,ISBN:9780618260300,ISBN:9780199535569&jscmd=details&format=json"
            )
            guard case .object(let members) = answer else { throw JSONFault(.notAnObject, at: 0) }
            #expect(members.map(\.name) == ["ISBN:0451524934", "ISBN:9780618260300"])
            let details = answer["ISBN:9780618260300"]?["details"]
            #expect(answer["ISBN:9780618260300"]?["bib_key"] == "ISBN:9780618260300")
            #expect(details?["title"] == "The Hobbit")
            #expect(details?["authors"]?.elements.first?["name"] == "J. R. R. Tolkien")
            #expect(details?["languages"] == [["key": "/languages/eng"]])
            #expect(details?["isbn_13"] == ["9780618260300"])
        }
    }

    @Test("a batch of unknown books returns an empty object")
    func unknownBatch() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get(
                "/openlibrary/api/books?bibkeys=ISBN:9780199535569&jscmd=data&format=json")
            #expect(answer.text == "{}")
            #expect(answer.status == 200)
        }
    }

    @Test("jscmd=data includes publishers, authors and identifiers")
    func data() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json(
                "/openlibrary/api/books?bibkeys=ISBN:9780441569595&jscmd=data&format=json")
            let book = answer["ISBN:9780441569595"]
            #expect(book?["publishers"] == [["name": "Ace Books"]])
            #expect(book?["authors"]?.elements.first?["name"] == "William Gibson")
            #expect(book?["identifiers"]?["isbn_10"] == ["0441569595"])
        }
    }

    @Test("without format=json, the response is a script, as in the real service")
    func script() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get("/openlibrary/api/books?bibkeys=ISBN:9780441569595")
            #expect(answer.text.hasPrefix("var _OLBookInfo = {"))
        }
    }

    @Test("a search for many ISBNs returns each work once, with the requested fields")
    func worksByISBN() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json(
                "/openlibrary/search.json?q=isbn:(9780441172719+OR+0441013597+OR+9780060929879)&fields=key,title,isbn,first_publish_year"
            )
            let works = answer["docs"]?.elements ?? []
            #expect(answer["numFound"] == 2)
            #expect(works.map { $0["title"] } == ["Dune", "Brave New World"])
            #expect(works.first?["first_publish_year"] == 1965)
            #expect(works.first?["isbn"]?.texts.contains("9780441013593") == true)
            #expect(works.first?["subject"] == nil)
        }
    }

    @Test("without the fields parameter, a search document has neither ISBNs nor subjects")
    func standardFields() async throws {
        try await RunningEmulator.run { emulator in
            let work = try await emulator.json("/openlibrary/search.json?q=isbn:9780441172719")["docs"]?.elements.first
            #expect(work?["title"] == "Dune")
            #expect(work?["isbn"] == nil)
            #expect(work?["subject"] == nil)
        }
    }

    @Test(
        "titles are found in any script, ignoring case and diacritics",
        arguments: [
            ("title=капитанская+ДОЧКА", "Капитанская дочка"), ("q=吾輩は猫である", "吾輩は猫である"),
            ("title=etranger&author=camus", "L'Étranger"), ("title=أولاد+حارتنا", "أولاد حارتنا"),
            ("q=good+omens+gaiman", "Good Omens"),
        ])
    func titles(query: String, title: String) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json("/openlibrary/search.json?\(query)&limit=1")
            #expect(answer["docs"]?.elements.first?["title"]?.text == title)
        }
    }

    @Test("an ISBN's page redirects to the edition, whose work and authors can be read")
    func documents() async throws {
        try await RunningEmulator.run { emulator in
            let redirect = try await emulator.get("/openlibrary/isbn/9780618260300.json")
            #expect(redirect.status == 302)
            let location = try #require(redirect.header("Location"))
            #expect(location.hasPrefix("http://emulator.test/openlibrary/books/OL"))
            let edition = try await emulator.json(String(location.dropFirst("http://emulator.test".count)))
            let work = try #require(edition["works"]?.elements.first?["key"]?.text)
            #expect(try await emulator.json("/openlibrary\(work).json")["first_publish_date"] == "1937")
            let author = try #require(edition["authors"]?.elements.first?["key"]?.text)
            let record = try await emulator.json("/openlibrary\(author).json")
            #expect(record["name"] == "J. R. R. Tolkien")
            #expect(record["birth_date"] == "January 3, 1892")
            #expect(record["remote_ids"] == ["wikidata": "Q892"])
        }
    }

    @Test("an unknown document returns a 404", arguments: ["isbn/9780199535569.json", "works/OL1W.json", "nowhere"])
    func missing(path: String) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get("/openlibrary/\(path)")
            #expect(answer.status == 404)
        }
    }
}
