import Testing

@testable import ProviderEmulator

@Suite("Emulated Google Books")
struct GoogleBooksTests {
    private static let volumes = "/googlebooks/books/v1/volumes"

    @Test("a volume is found by either form of its ISBN", arguments: ["9780262033848", "0262033844"])
    func byISBN(number: String) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json("\(Self.volumes)?q=isbn:\(number)&key=any")
            #expect(answer["kind"] == "books#volumes")
            #expect(answer["totalItems"] == 1)
            let volume = answer["items"]?.elements.first?["volumeInfo"]
            #expect(volume?["title"] == "Introduction to Algorithms")
            #expect(volume?["authors"]?.texts.count == 4)
            #expect(
                volume?["industryIdentifiers"] == [
                    ["type": "ISBN_10", "identifier": "0262033844"],
                    ["type": "ISBN_13", "identifier": "9780262033848"],
                ])
        }
    }

    @Test("an empty result has a count of zero and no items")
    func none() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get("\(Self.volumes)?q=isbn:9780199535569")
            #expect(answer.text == #"{"kind":"books#volumes","totalItems":0}"#)
        }
    }

    @Test("title and author must both match")
    func titleAndAuthor() async throws {
        try await RunningEmulator.run { emulator in
            let found = try await emulator.json("\(Self.volumes)?q=intitle:dune+inauthor:herbert")
            #expect(found["totalItems"] == 7)
            let phrase = try await emulator.json("\(Self.volumes)?q=intitle:\"the+hobbit\"+inauthor:\"tolkien\"")
            #expect(phrase["totalItems"] == 5)
            let wrong = try await emulator.json("\(Self.volumes)?q=intitle:dune+inauthor:tolkien")
            #expect(wrong["totalItems"] == 0)
        }
    }

    @Test(
        "quotation marks make a phrase, a field applies to the word or phrase after it, and all terms must match",
        arguments: [
            ("inauthor:\"herbert+frank\"", 0), ("inauthor:\"frank+herbert\"+intitle:dune", 7),
            ("inauthor:herbert+inauthor:frank+intitle:dune", 7), ("intitle:\"hobbit+the\"", 0),
            ("intitle:hobbit+intitle:the", 5), ("\"hobbit+the\"", 0), ("inauthor:herbert+tolkien", 0),
        ])
    func phrases(query: String, count: Int) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json("\(Self.volumes)?q=\(query)")
            #expect(answer["totalItems"]?.integer == count)
        }
    }

    @Test("the fields parameter leaves out every member that is not listed")
    func fields() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get(
                "\(Self.volumes)?q=isbn:9780618260300&fields=totalItems,items(volumeInfo(title,language))")
            #expect(
                answer.text == #"{"totalItems":1,"items":[{"volumeInfo":{"title":"The Hobbit","language":"en"}}]}"#)
        }
    }

    @Test("a volume can be requested by its ID, and an unknown ID returns a 503, as in the real service")
    func byID() async throws {
        try await RunningEmulator.run { emulator in
            let found = try await emulator.json("\(Self.volumes)?q=isbn:9780618260300")
            let id = try #require(found["items"]?.elements.first?["id"]?.text)
            #expect(try await emulator.json("\(Self.volumes)/\(id)")["volumeInfo"]?["title"] == "The Hobbit")
            #expect(try await emulator.get("\(Self.volumes)/nonexistent").status == 503)
        }
    }

    @Test(
        "a client in an unknown location must send its country, and a wrong key returns a 400",
        arguments: [
            ("unknownLocation", "", 403, "unknownLocation", "&country=DE"),
            ("invalidKey", "&key=any", 400, "API_KEY_INVALID", ""),
        ])
    func refusals(fault: String, refusedWith: String, status: Int, reason: String, answeredWith: String) async throws {
        try await RunningEmulator.run { emulator in
            let query = "\(Self.volumes)?q=isbn:9780262033848"
            try await emulator.setFaults(#"[{"kind":"\#(fault)","provider":"googlebooks"}]"#)
            let refused = try await emulator.get(query + refusedWith)
            #expect(refused.status == status)
            #expect(refused.text.contains(#""reason":"\#(reason)""#))
            let answered = try await emulator.json(query + answeredWith)
            #expect(answered["totalItems"] == 1)
        }
    }

    @Test("Open Library and Google Books have different facts about many books")
    func differences() async throws {
        let differing = SampleCatalog.books.filter { book in
            let (one, other) = (book.known(to: .openLibrary), book.known(to: .googleBooks))
            return one.pages != other.pages || one.publisher != other.publisher || one.about != other.about
        }
        #expect(differing.count > SampleCatalog.books.count / 4)
    }

    @Test(
        "volumes can be found by author alone, and by words in any field",
        arguments: [("inauthor:vonnegut", 2), ("inauthor:\"george orwell\" 1984", 4), ("good omens gaiman", 2)])
    func otherQueries(query: String, count: Int) async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.json("\(Self.volumes)?q=\(query)")
            #expect(answer["totalItems"]?.integer == count)
        }
    }

    @Test("volumes are returned in pages of at most forty, newest first on request")
    func paging() async throws {
        try await RunningEmulator.run { emulator in
            let path = "\(Self.volumes)?q=intitle:dune&orderBy=newest&fields=totalItems,items(volumeInfo/publishedDate)"
            let first = try await emulator.json("\(path)&maxResults=2")
            let second = try await emulator.json("\(path)&maxResults=2&startIndex=2")
            let dates = [first, second].flatMap { answer in
                (answer["items"]?.elements ?? []).compactMap { $0["volumeInfo"]?["publishedDate"]?.text }
            }
            #expect(first["totalItems"] == second["totalItems"])
            #expect(dates.count == 4)
            #expect(dates == dates.sorted(by: >))
            let refused = try await emulator.get("\(path)&maxResults=41")
            #expect(refused.status == 400)
        }
    }
}
