import BookstrackContract
import Foundation
import LibraryImport
import NIOConcurrencyHelpers
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

    private func text(_ books: [EnrichedBook], width: Int = 100) -> String {
        ResultsText.text(books, OutputStyle(width: width, colors: false))
    }

    /// The output of a report about one job.
    private func report(_ format: OutputFormat) throws -> String {
        let written = NIOLockedValueBox("")
        var report = ResultsReport(format, OutputStyle(width: 80, colors: false)) { text in
            written.withLockedValue { $0 += text }
        }
        let job = JobID.random()
        try report.add(
            JobReport(job: job),
            EnrichmentResults(
                jobId: job, resultsRevision: 0, expiresAt: "", successCount: 1, failureCount: 1, enrichedBooks: books))
        try report.finish { $0.notSubmitted = 7 }
        return written.withLockedValue { $0 }
    }

    @Test("the table shows the found books, followed by a list of missing books for each reason")
    func table() {
        let table = text(books)
        #expect(table.contains("\nFound (1):\n"))
        #expect(table.contains("9780441172719  Dune"))
        #expect(table.contains("\nDown (1):\n"))
        #expect(table.contains("PROVIDER_TIMEOUT"))
        #expect(!table.contains("Not found"))
    }

    @Test("each error code is listed under the heading of its reason", arguments: ItemErrorCode.allCases)
    func headings(code: ItemErrorCode) {
        var book = books[1]
        book.errorCode = code
        let words: [ItemErrorCode: String] = [
            .invalidISBN: "Invalid", .notFound: "Not found", .providerTimeout: "Down", .providerError: "Down",
            .quotaExhausted: "Limited", .cancelled: "Cancelled", .deadlineExceeded: "Busy",
        ]
        #expect(text([book]).contains("\n\(words[code] ?? "-") (1):\n"))
    }

    @Test("at 80 columns, the date is shortened to the year, and the request is shown in full")
    func terminal() {
        var missing = books[1]
        missing.title = "The Book That Nobody Has Ever Written Down Anywhere"
        let lines = text([books[0], missing], width: 80).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("ISBN           Title  Authors           Year  Pages") })
        #expect(lines.contains { $0.hasPrefix("9780441172719  Dune   Frank Herbert; B  1990    535") })
        #expect(text([missing], width: 80).contains("劉慈欣"))
        #expect(!text([missing], width: 80).contains("…"))
        #expect(text([books[0]]).contains("1990-09-01"))
    }

    @Test("an invalid ISBN is not shown as the ISBN of a book found by its title")
    func damagedISBN() {
        var book = EnrichedBook(asked: BookQuery(title: "Emma", isbn: "9.78014E+12"), success: true)
        book.matchedBy = .title
        book.enriched = EnrichedMetadata(work: WorkDTO(title: "Emma"), edition: nil, authors: [])
        #expect(text([book]).contains("Emma"))
        #expect(!text([book]).contains("E+12"))
    }

    @Test("no line of a table is wider than the given width", arguments: [50, 60, 80])
    func narrow(width: Int) {
        for line in text(books, width: width).split(separator: "\n") {
            #expect(DisplayWidth.of(line) <= width)
        }
    }

    @Test("CSV has a header, a row per book, and quotes where they are needed")
    func csv() throws {
        let records = try LibraryTable(bytes: Array(report(.csv).utf8)).leadingRows.map(\.cells)
        #expect(records.count == 3)
        #expect(records[0].prefix(4) == ["asked_title", "asked_author", "asked_isbn", "success"])
        #expect(
            records[1] == [
                "", "", "978-0-441-17271-9", "true", "isbn", "Dune", "Frank Herbert; B", "9780441172719",
                "Ace, \"Books\"", "1990-09-01", "535", "en", "", "", "",
            ])
        #expect(records[2].suffix(3) == ["PROVIDER_TIMEOUT", "openlibrary did not answer", "down"])
    }

    @Test("JSON is one document with the API's rows, each reason as a word, the jobs, and the totals")
    func json() throws {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(report(.json).utf8)) as? [String: Any])
        let rows = try #require(document["enrichedBooks"] as? [[String: Any]])
        #expect(rows.map { $0["reason"] as? String } == [nil, "down"])
        #expect(rows[0]["success"] as? Bool == true)
        #expect((document["jobs"] as? [[String: Any]])?.count == 1)
        let summary = try #require(document["summary"] as? [String: Any])
        #expect(summary["total"] as? Int == 2)
        #expect(summary["found"] as? Int == 1)
        #expect(summary["down"] as? Int == 1)
        #expect(summary["notFound"] as? Int == 0)
        #expect(summary["notSubmitted"] as? Int == 7)
    }
}
