import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import Testing
import TestSupport

@Suite("Recorded documents", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct RecordedDocumentTests {
    @Test(
        "every recorded Google Books volume is read as expected",
        arguments: ExpectedGoogleVolumes.facts.keys.sorted())
    func googleVolumes(file: String) throws {
        #expect(try googleEditions(file).map(RecordedFact.init) == ExpectedGoogleVolumes.facts[file])
    }

    @Test("every recorded Google Books response that contains volumes is listed in the table")
    func everyGoogleFile() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: TestData.root.appending(path: "api_responses/google_books").path)
        let empty = try files.filter { ExpectedGoogleVolumes.facts[$0] == nil }.map { try googleEditions($0).count }
        #expect(empty == [0])
    }

    @Test(
        "every recorded Open Library edition and work is read as expected",
        arguments: ExpectedOpenLibraryRecords.facts.keys.sorted())
    func openLibraryRecords(file: String) throws {
        #expect(try openLibraryFacts(file) == ExpectedOpenLibraryRecords.facts[file])
    }

    @Test(
        "every recorded Open Library search is read as expected",
        arguments: ExpectedOpenLibrarySearches.facts.keys.sorted())
    func openLibrarySearches(file: String) throws {
        #expect(
            try OpenLibrary.decodeSearch(body("openlibrary/\(file)")).map(RecordedFact.init)
                == ExpectedOpenLibrarySearches.facts[file])
    }

    @Test("every recorded ISBNdb book is read as expected")
    func isbndbBooks() throws {
        var editions = try ["book_9780134093413.json", "book_9781338878929.json"].map { file in
            try #require(try ISBNdb.decodeBook(body("isbndb/\(file)")))
        }
        editions += try TestData.lines("api_responses/isbndb/dump_lines_2.jsonl").map {
            try #require(try ISBNdb.decodeBook(#"{"book": \#($0)}"#.utf8))
        }
        #expect(editions.map(RecordedFact.init) == ExpectedISBNdbBooks.facts["books"])
        #expect(editions.map(\.publisher) == ["Pearson", "Scholastic", "株式会社オールアバウト", "株式会社オールアバウト"])
        #expect(editions.map(\.format) == [.hardcover, .paperback, .massMarket, nil])
        #expect(editions.map { $0.cover != nil } == [true, true, true, false])
        var count = FieldCount()
        for edition in editions { count.add(edition) }
        print("isbndb \(count)")
    }

    @Test("a recorded author search yields the author's number of works")
    func authors() throws {
        let counts = try OpenLibrary.decodeWorkCounts(body("openlibrary/bspradling_search_authors.json"))
        #expect(counts == ["OL23919A": 224])
    }

    @Test(
        "responses from other services are rejected",
        arguments: ["audible/detailsResponse.json", "isbndb/legacy_api2_BookResponse.json"])
    func otherServices(file: String) throws {
        let bytes = try body(file)
        #expect(throws: ProviderBodyError.malformed) { try ISBNdb.decodeBook(bytes) }
        #expect(throws: ProviderBodyError.malformed) { try OpenLibrary.decodeSearchPage(bytes) }
    }

    @Test("recorded error bodies are recognized")
    func errors() throws {
        #expect(
            GoogleBooksFailure(status: 429, body: try body("errors/google_books_429_quota.json")) == .quotaExhausted)
        #expect(
            GoogleBooksFailure(status: 503, body: try body("errors/google_books_503_nonexistent_volume.http.txt"))
                == .unavailable)
        #expect(throws: ProviderBodyError.exhausted) {
            try GoogleBooks.decodeVolumes(body("errors/google_books_429_quota.json"))
        }
        #expect(try OpenLibrary.decodeDetails(body("errors/openlibrary_api_books_unknown_isbn.json")).isEmpty)
        #expect(throws: ProviderBodyError.refused(reason: "Book not found")) {
            try OpenLibrary.decodeWork(body("errors/openlibrary_book_not_found.json"))
        }
        #expect(try OpenLibrary.decodeSearchPage(body("openlibrary/pipeline_search_empty.json")) == .none)
        #expect(try ISBNdb.decodeBook(body("isbndb/legacy_api2_ErrorNotFound.json")) == nil)
        #expect(throws: ProviderBodyError.refused(reason: "Invalid api key: [your-api-key]")) {
            try ISBNdb.decodeBook(body("isbndb/legacy_api2_ErrorInvalidApiKey.json"))
        }
    }

    @Test("every recorded volume with an ISBN merges into a book that states the ISBN, and nothing is invented")
    func merging() throws {
        var count = FieldCount()
        var quality: [Int] = []
        for edition in try ExpectedGoogleVolumes.facts.keys.sorted().flatMap({ try googleEditions($0) }) {
            count.add(edition)
            guard let isbn = edition.isbns.first else { continue }
            let book = try #require(MetadataMerge.merged(asked: isbn, editions: [edition], works: [])?.book)
            #expect(book.edition?.isbns.contains(isbn.isbn13) == true)
            #expect(book.authors.map(\.name) == edition.authors.map(\.name))
            #expect(book.edition?.publicationDate == edition.publicationDate)
            #expect(book.edition?.pageCount == edition.pageCount)
            #expect(book.work.firstPublicationYear == nil)
            #expect(book.edition?.language == edition.language)
            #expect((50...100).contains(book.work.isbndbQuality))
            #expect(book.work.subjectTags.count <= 25)
            quality.append(book.work.isbndbQuality)
            let text = book.work.description ?? ""
            #expect(!text.contains("<b>"))
            #expect(!text.contains("<p>"))
            #expect(!text.contains("&amp;"))
            #expect(!text.contains("&#39;"))
        }
        let mean = quality.reduce(0, +) / quality.count
        print("google-books \(count); covers \(count.share(of: "cover")) % (> 80), mean quality \(mean) (> 60)")
        #expect(count.share(of: "cover") > 80)
        #expect(mean > 60)
    }

    @Test("a search for a famous title finds the work among its box sets, guides and translations")
    func famousTitle() throws {
        let works = try OpenLibrary.decodeSearch(body("openlibrary/jayfajardo_search.json")).map(BookCandidate.work)
        let query = BookQuery(title: "The Lord of the Rings", author: "Tolkien, J.R.R.")
        guard case .verified(let match, _) = TitleMatch.best(for: query, among: works),
            case .work(let work) = match.candidate
        else {
            Issue.record("the work was not verified")
            return
        }
        #expect(work.key == "OL27448W")
    }

    // MARK: Reading the files

    private func googleEditions(_ file: String) throws -> [EditionRecord] {
        let bytes = try body("google_books/\(file)")
        let editions = try GoogleBooks.decodeVolumes(bytes)
        return editions.isEmpty && file.contains("volume") ? [try GoogleBooks.volume(bytes)] : editions
    }

    /// The facts in a file that contains a list of entries, a response by bibliographic keys, or one record. A key after
    /// the file's name selects one entry.
    private func openLibraryFacts(_ file: String) throws -> [RecordedFact] {
        let parts = file.split(separator: " ")
        let bytes = try body("openlibrary/\(parts[0])")
        let document = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        if parts.count == 2 {
            let key = String(parts[1])
            let identifier = String(key.split(separator: ":")[1])
            if key.hasPrefix("ISBN:") {
                let isbn = try #require(ISBN(identifier))
                let edition = try #require(try OpenLibrary.decodeDetails(bytes)[isbn])
                #expect(edition.states(isbn))
                return [RecordedFact(edition)]
            }
            if key.hasPrefix("OLID:") {
                return [RecordedFact(try #require(try OpenLibrary.decodeDetailsByEditionKey(bytes)[identifier]))]
            }
            return [try recordFact(try #require(document[key]))]
        }
        guard let entries = document["entries"] as? [Any] else { return [try recordFact(document)] }
        return try entries.map(recordFact)
    }

    private func recordFact(_ record: Any) throws -> RecordedFact {
        let bytes = try JSONSerialization.data(withJSONObject: record)
        let key = (record as? [String: Any])?["key"] as? String
        return key?.hasPrefix("/works/") == true
            ? RecordedFact(try OpenLibrary.decodeWork(bytes)) : RecordedFact(try OpenLibrary.decodeEdition(bytes))
    }

    /// The body of a recorded response; some recordings have a head before the first brace.
    private func body(_ path: String) throws -> Data {
        let bytes = try TestData.bytes("api_responses/\(path)")
        guard path.hasSuffix(".txt"), let start = bytes.firstIndex(of: UInt8(ascii: "{")) else { return bytes }
        return bytes[start...]
    }
}

/// Counts the records of a provider that have each field.
struct FieldCount: CustomStringConvertible {
    private var total = 0
    private var filled: [(name: String, count: Int)] = [
        "title", "subtitle", "authors", "isbns", "publisher", "date", "pages", "language", "format", "cover",
        "description", "subjects", "work keys",
    ].map { ($0, 0) }

    mutating func add(_ edition: EditionRecord) {
        let present = [
            edition.title != nil, edition.subtitle != nil, !edition.authors.isEmpty || !edition.authorKeys.isEmpty,
            !edition.isbns.isEmpty, edition.publisher != nil, edition.publicationDate != nil, edition.pageCount != nil,
            edition.language != nil, edition.format != nil, edition.cover != nil, edition.description != nil,
            !edition.subjects.isEmpty, !edition.workKeys.isEmpty,
        ]
        total += 1
        for (index, isPresent) in present.enumerated() where isPresent { filled[index].count += 1 }
    }

    /// Percentage of the records that have a field.
    func share(of name: String) -> Int {
        100 * (filled.first { $0.name == name }?.count ?? 0) / max(1, total)
    }

    var description: String {
        "\(total) editions: " + filled.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
    }
}
