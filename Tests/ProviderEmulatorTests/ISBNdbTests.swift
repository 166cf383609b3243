import Testing

@testable import ProviderEmulator

@Suite("Emulated ISBNdb")
struct ISBNdbTests {
    private func get(_ emulator: RunningEmulator, _ path: String) async throws -> RawAnswer {
        try await emulator.get("/isbndb/\(path)", headers: ["Authorization": "any"])
    }

    private func json(_ emulator: RunningEmulator, _ path: String) async throws -> JSONValue {
        try JSONValue(parsing: try await get(emulator, path).body)
    }

    @Test("a book is found by either form of its ISBN", arguments: ["9780262033848", "0262033844"])
    func byISBN(number: String) async throws {
        try await RunningEmulator.run { emulator in
            let book = try await json(emulator, "book/\(number)")["book"]
            #expect(book?["title"] == "Introduction to Algorithms")
            #expect(book?["isbn13"] == "9780262033848")
            #expect(book?["isbn"] == "0262033844")
            #expect(book?["authors"]?.texts.count == 4)
            #expect(book?["binding"] == "Hardcover")
        }
    }

    @Test("a request with no key is refused")
    func withoutKey() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get("/isbndb/book/9780262033848")
            #expect(answer.status == 401)
            #expect(answer.text == #"{"message":"Unauthorized"}"#)
        }
    }

    @Test("a wrong key returns a 401")
    func invalidKey() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"invalidKey","provider":"isbndb"}]"#)
            let answer = try await get(emulator, "book/9780262033848")
            #expect(answer.status == 401)
        }
    }

    @Test(
        "an unknown book or path, or a search with no results, returns a 404",
        arguments: ["book/9780199535569", "book/123", "books/zxqw", "elsewhere"])
    func missing(path: String) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await get(emulator, path)
            #expect(answer.status == 404)
            #expect(answer.text == #"{"errorMessage":"Not Found"}"#)
        }
    }

    @Test("books are searched by title, author or both, and pages are counted from one")
    func search() async throws {
        try await RunningEmulator.run { emulator in
            let both = try await json(emulator, "books/dune herbert")
            #expect(both["total"] == 7)
            let titles = try await json(emulator, "books/Dune?column=title&page=2&pageSize=4")
            #expect(titles["total"] == 7)
            #expect(titles["books"]?.elements.count == 3)
            let author = try await json(emulator, "books/Herbert?column=author")
            #expect(author["books"]?.elements.contains { $0["title"] == "Der Wüstenplanet" } == true)
        }
    }

    private func post(_ emulator: RunningEmulator, _ body: String) async throws -> RawAnswer {
        try await emulator.request(
            "POST", "/isbndb/books", body: body,
            headers: ["Authorization": "any", "Content-Type": "application/json"])
    }

    @Test("one bulk call returns the books for many ISBNs, leaving out the unknown ones")
    func bulk() async throws {
        try await RunningEmulator.run { emulator in
            let body = try await post(emulator, "isbns=9780262033848,0618260307,9780199535569,123").body
            let answer = try JSONValue(parsing: body)
            #expect(answer["total"] == 2)
            #expect(answer["requested"] == 4)
            let titles = (answer["data"]?.elements ?? []).compactMap { $0["title"]?.text }
            #expect(Set(titles) == ["Introduction to Algorithms", "The Hobbit"])
            let log = try await emulator.log()
            #expect(log.last?["isbns"]?.texts.count == 3)
        }
    }

    @Test("the ISBNs of a bulk call can be sent as JSON, as in the API definition")
    func bulkJSON() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try JSONValue(parsing: try await post(emulator, #"{"isbns":["9780262033848","123"]}"#).body)
            #expect(answer["requested"] == 2)
            #expect(answer["data"]?.elements.map { $0["isbn13"]?.text } == ["9780262033848"])
        }
    }

    @Test("a bulk call that finds nothing returns an empty list, not a 404")
    func emptyBulk() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await post(emulator, "isbns=9780199535569")
            #expect(answer.status == 200)
            #expect(answer.text == #"{"total":0,"requested":1,"data":[]}"#)
        }
    }

    @Test("a bulk call with no ISBNs or with more than a thousand is refused")
    func bulkLimits() async throws {
        try await RunningEmulator.run { emulator in
            let none = try await post(emulator, "")
            #expect(none.status == 400)
            let numbers = Array(repeating: "9780262033848", count: 1001).joined(separator: ",")
            let tooMany = try await post(emulator, "isbns=\(numbers)")
            #expect(tooMany.status == 400)
        }
    }

    @Test("ISBNdb has books that the other providers do not have")
    func gaps() async throws {
        try await RunningEmulator.run { emulator in
            #expect(try await json(emulator, "book/9780141439686")["book"]?["title"] == "Persuasion")
            let volumes = try await emulator.json("/googlebooks/books/v1/volumes?q=isbn:9780141439686")
            #expect(volumes["totalItems"] == 0)
        }
    }

    @Test("some authors are listed last name first, and some years are numbers")
    func variety() {
        let documents = SampleCatalog.books.map(\.isbndbDocument)
        #expect(documents.contains { $0["authors"]?.texts.first?.contains(", ") == true })
        #expect(documents.contains { $0["date_published"]?.integer != nil })
        #expect(documents.contains { $0["date_published"]?.text != nil })
    }

    @Test("the error for an exhausted quota has the real service's body")
    func quota() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"quota","provider":"isbndb"}]"#)
            let answer = try await get(emulator, "book/9780262033848")
            #expect(answer.status == 429)
            #expect(answer.text == #"{"message":"Limit Exceeded"}"#)
        }
    }
}
