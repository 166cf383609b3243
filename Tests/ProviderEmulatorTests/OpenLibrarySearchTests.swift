import Testing

@testable import ProviderEmulator

@Suite("Open Library searches and lists")
struct OpenLibrarySearchTests {
    private static let search = "/openlibrary/search.json"

    private func docs(_ answer: JSONValue) -> [JSONValue] { answer["docs"]?.elements ?? [] }

    @Test("an edition requested by ISBN is listed under its work, with the requested fields")
    func editionByISBN() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json(
                "\(Self.search)?q=isbn:9783453317178&fields=key,title,editions,editions.key,editions.title,editions.isbn"
            )
            let work = try #require(docs(answer).first)
            #expect(work["title"] == "Dune")
            let editions = try #require(work["editions"])
            #expect(editions["numFound"] == 1)
            #expect(editions["start"] == 0)
            let edition = try #require(docs(editions).first)
            #expect(edition["title"] == "Der Wüstenplanet")
            #expect(edition["isbn"] == ["9783453317178", "3453317173"])
            #expect(edition["key"]?.text?.hasPrefix("/books/OL") == true)
            #expect(edition["publisher"] == nil)
        }
    }

    @Test("the edition listed under a work has the requested language")
    func editionByLanguage() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json(
                "\(Self.search)?title=dune&author=herbert&lang=fr&fields=editions,editions.language,editions.publish_year"
            )
            let editions = try #require(docs(answer).first?["editions"])
            #expect((editions["numFound"]?.integer ?? 0) >= 8)
            #expect(docs(editions) == [["language": ["fre"], "publish_year": [2012]]])
        }
    }

    @Test(
        "every word in a field must be found, in any order",
        arguments: [
            ("title=dune&author=herbert,+frank", true), ("title=dune&author=frank+herbert", true),
            ("title=dune&author=frank+herbert+jim+kay", false), ("title=dune+chronicles&author=herbert", false),
            ("q=dune+frank+herbert", true), ("q=dune+tolkien", false),
        ])
    func allWords(query: String, isFound: Bool) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json("\(Self.search)?\(query)&fields=title")
            #expect(docs(answer).contains(["title": "Dune"]) == isFound)
        }
    }

    @Test(
        "a q parameter that is shorter than three characters or only an article is refused, but such a title is accepted",
        arguments: [("q=it", 422), ("q=The", 422), ("title=it", 200), ("q=dune", 200)])
    func shortQuery(query: String, status: Int) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get("\(Self.search)?\(query)")
            #expect(answer.status == status)
            #expect(answer.text.contains(#""detail":[{"type":"value_error""#) == (status == 422))
        }
    }

    @Test("works are found by their keys, several in one search")
    func byKey() async throws {
        try await RunningEmulator.run { emulator in
            var keys: [String] = []
            for title in ["dune", "stoner"] {
                let found = docs(try await emulator.json("\(Self.search)?title=\(title)&fields=key")).first
                keys.append(try #require(found?["key"]?.text))
            }
            let one = docs(try await emulator.json("\(Self.search)?q=key:\"\(keys[0])\"&fields=key,author_name"))
            #expect(one.map { $0["author_name"] } == [["Frank Herbert"]])
            let both = docs(
                try await emulator.json("\(Self.search)?q=key:(\"\(keys[0])\" OR \"\(keys[1])\")&fields=key"))
            #expect(both.map { $0["key"]?.text } == keys)
        }
    }

    @Test(
        "a merged work states the key of its replacement and a deleted one is marked as deleted, both with status 200"
    )
    func retired() async throws {
        try await RunningEmulator.run { emulator in
            let merged = try await emulator.json("/openlibrary/works/OL900001W.json")
            #expect(merged["type"] == ["key": "/type/redirect"])
            let location = try #require(merged["location"]?.text)
            let work = try await emulator.json("/openlibrary\(location).json")
            #expect(work["title"] == "Dune")
            let deleted = try await emulator.json("/openlibrary/works/OL900004W.json")
            #expect(deleted["type"] == ["key": "/type/delete"])
            #expect(deleted["location"] == nil)
        }
    }

    @Test("requesting all fields does not include editions, which must be requested by name")
    func everything() async throws {
        try await RunningEmulator.run { emulator in
            let all = try await emulator.json("\(Self.search)?title=stoner&fields=*")
            #expect(docs(all).first?["editions"] == nil)
            #expect(docs(all).first?["isbn"] != nil)
            let both = try await emulator.json("\(Self.search)?title=stoner&fields=*,editions")
            #expect(docs(both).first?["isbn"] != nil)
            #expect(docs(both).first?["editions"]?["docs"]?.elements.first?["format"] == ["Paperback"])
        }
    }

    @Test("a work is found by the title of one of its editions")
    func otherTitle() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json("\(Self.search)?title=sorcerer's+stone&fields=title")
            #expect(docs(answer) == [["title": "Harry Potter and the Philosopher's Stone"]])
        }
    }

    @Test("works with the same title by different authors are all found")
    func homonyms() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json("\(Self.search)?title=the+outsider&fields=author_name")
            #expect(docs(answer) == [["author_name": ["Stephen King"]], ["author_name": ["Albert Camus"]]])
        }
    }

    @Test("results are paged by offset or page number, and each page states the total")
    func paging() async throws {
        try await RunningEmulator.run { emulator in
            let all = docs(try await emulator.json("\(Self.search)?author=kurt+vonnegut&fields=key"))
            #expect(all.count == 2)
            for part in ["offset=1&limit=1", "page=2&limit=1"] {
                let answer = try await emulator.json("\(Self.search)?author=kurt+vonnegut&fields=key&\(part)")
                #expect(docs(answer) == [all[1]])
                #expect(answer["numFound"] == 2)
                #expect(answer["start"] == 1)
            }
        }
    }

    @Test(
        "works are sorted by the year of first publication",
        arguments: [("new", [2018, 1942]), ("old", [1942, 2018])])
    func sorting(order: String, years: [Int]) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json(
                "\(Self.search)?title=outsider&sort=\(order)&fields=first_publish_year")
            #expect(docs(answer).map { $0["first_publish_year"]?.integer } == years)
        }
    }

    @Test("a work's editions are listed page by page")
    func editions() async throws {
        try await RunningEmulator.run { emulator in
            let work = try #require(docs(try await emulator.json("\(Self.search)?title=dune&author=herbert")).first)
            let key = try #require(work["key"]?.text)
            let first = try await emulator.json("/openlibrary\(key)/editions.json?limit=3")
            #expect(first["size"] == 8)
            #expect(first["entries"]?.elements.count == 3)
            let next = try #require(first["links"]?["next"]?.text)
            let second = try await emulator.json("/openlibrary\(next)&limit=3")
            #expect(second["entries"]?.elements.count == 3)
            #expect(second["entries"]?.elements.first?["isbn_13"] != first["entries"]?.elements.first?["isbn_13"])
            #expect(try await emulator.get("/openlibrary/works/OL1W/editions.json").status == 404)
        }
    }

    @Test("an author is found by name, and the author's works can be listed")
    func authors() async throws {
        try await RunningEmulator.run { emulator in
            let found = docs(try await emulator.json("/openlibrary/search/authors.json?q=tolkien"))
            #expect(found.map { $0["name"] } == ["J. R. R. Tolkien"])
            #expect(found.first?["work_count"] == 2)
            let key = try #require(found.first?["key"]?.text)
            let works = try await emulator.json("/openlibrary/authors/\(key)/works.json")
            #expect(works["entries"]?.elements.map { $0["title"] } == ["The Hobbit", "The Lord of the Rings"])
        }
    }

    @Test("authors are found by their keys only if the keys are written as paths")
    func authorKeys() async throws {
        try await RunningEmulator.run { emulator in
            let search = "/openlibrary/search/authors.json"
            let names = ["tolkien", "herbert"]
            var keys: [String] = []
            for name in names {
                let author = docs(try await emulator.json("\(search)?q=\(name)")).first
                keys.append(try #require(author?["key"]?.text))
            }
            let paths = keys.map { "\"/authors/\($0)\"" }.joined(separator: " OR ")
            let found = docs(try await emulator.json("\(search)?q=key:(\(paths))&limit=2"))
            #expect(found.map { $0["key"]?.text } == keys)
            #expect(found.first?["work_count"] == 2)
            #expect(docs(try await emulator.json("\(search)?q=key:(\(keys[0]))")).isEmpty)
        }
    }

    @Test("synthetic books are found by their titles")
    func synthetic() async throws {
        try await RunningEmulator.run { emulator in
            let book = try #require(SyntheticCatalog.book(7))
            let answer = try await emulator.json("\(Self.search)?title=\(book.title)&fields=title,isbn")
            #expect(docs(answer).map { $0["title"]?.text } == [book.title])
        }
    }
}
