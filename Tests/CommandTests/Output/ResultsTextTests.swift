import BookstrackContract
import Foundation
import Testing

@testable import BookstrackCLI

@Suite("Results as text")
struct ResultsTextTests {
    let books: [EnrichedBook]

    init() {
        var edition = EditionDTO(isbns: ["9780441172719"], format: .paperback)
        edition.publicationDate = "1990-09-01"
        edition.pageCount = 535
        edition.publisher = "Ace, \"Books\""
        edition.language = "en"
        var found = EnrichedBook(asked: BookQuery(isbn: "978-0-441-17271-9"), success: true)
        found.matchedBy = .isbn
        found.enriched = EnrichedMetadata(
            work: WorkDTO(title: "Dune"), edition: edition,
            authors: [AuthorDTO(name: "Frank Herbert"), AuthorDTO(name: "B")])
        var missing = EnrichedBook(asked: BookQuery(title: "三体", author: "劉慈欣"), success: false)
        missing.error = "openlibrary did not answer"
        missing.errorCode = .providerTimeout
        missing.retryable = true
        books = [found, missing]
    }

    @Test("the table shows what was found, then what was not and why")
    func table() {
        #expect(
            ResultsText.table(books, width: 100) == """

                Found (1):

                ISBN           Title  Authors           Published   Pages  Publisher
                -------------  -----  ----------------  ----------  -----  ------------
                9780441172719  Dune   Frank Herbert; B  1990-09-01  535    Ace, "Books"

                Not found (1):

                Asked         Why                                             Code
                ------------  ----------------------------------------------  ----------------
                三体, 劉慈欣  openlibrary did not answer (may succeed later)  PROVIDER_TIMEOUT

                """)
    }

    @Test("a damaged ISBN is not shown as that of a book that was found by its title")
    func damagedISBN() {
        var book = EnrichedBook(asked: BookQuery(title: "Emma", isbn: "9.78014E+12"), success: true)
        book.matchedBy = .title
        book.enriched = EnrichedMetadata(work: WorkDTO(title: "Emma"), edition: nil, authors: [])
        let table = ResultsText.table([book], width: 100)
        #expect(table.contains("Emma") && !table.contains("E+12"))
    }

    @Test("a table keeps within its width by narrowing the widest columns", arguments: [50, 60, 80])
    func narrow(width: Int) {
        for line in ResultsText.table(books, width: width).split(separator: "\n") {
            #expect(DisplayWidth.of(line) <= width)
        }
    }

    @Test("CSV has a header, a row per book, and quotes where they are needed")
    func csv() throws {
        let records = try CSVReader.records(of: ResultsText.csv(books))
        #expect(records.count == 4)
        #expect(records[0].prefix(4) == ["asked_title", "asked_author", "asked_isbn", "success"])
        #expect(
            records[1] == [
                "", "", "978-0-441-17271-9", "true", "isbn", "Dune", "Frank Herbert; B", "9780441172719",
                "Ace, \"Books\"", "1990-09-01", "535", "en", "", "",
            ])
        #expect(records[2].suffix(2) == ["PROVIDER_TIMEOUT", "openlibrary did not answer"])
    }

    @Test("JSON is the API's own shape, on one line when asked")
    func json() throws {
        let results = EnrichmentResults(
            jobId: .random(), resultsRevision: 0, expiresAt: "", successCount: 1, failureCount: 1, enrichedBooks: books)
        let line = try ResultsText.json(results, pretty: false)
        #expect(line.dropLast().contains("\n") == false)
        #expect(try JSONDecoder().decode(EnrichmentResults.self, from: Data(line.utf8)) == results)
    }
}
