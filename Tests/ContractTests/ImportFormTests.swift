import BookstrackContract
import Foundation
import TestSupport
import Testing

/// Results of imports as clients decode them (imports.md "Results", "Preview" and "Accounting").
@Suite("JSON of imports")
struct ImportFormTests {
    private static let bareBook = """
        {"row":1,"lineNumber":2,"title":"Emma","author":"Jane Austen","authors":["Jane Austen"],"ids":{},
        "shelves":[],"tags":[],"datesRead":[],"raw":{},"remarks":[],"duplicateRows":[],"confidence":1,"success":true}
        """
    private static let source = """
        {"format":"goodreads","confidence":0.98,"encoding":"utf-8","delimiter":",","lineEnd":"lf","hasHeader":true,
        "columns":[{"index":0,"header":"Title","role":"title","confidence":1,"by":"format"},
        {"index":1,"header":"Lent to","confidence":0}]}
        """

    private func source() -> ImportSource {
        ImportSource(
            format: .goodreads, confidence: 0.98, encoding: "utf-8", delimiter: ",", lineEnd: "lf", hasHeader: true,
            columns: [
                ImportColumn(index: 0, header: "Title", role: .title, confidence: 1, by: .format),
                ImportColumn(index: 1, header: "Lent to"),
            ])
    }

    @Test("a book contains its title, its author and its lists even if they are empty")
    func bareBook() throws {
        let book = ImportedBook(row: 1, lineNumber: 2, title: "Emma", author: "Jane Austen")
        #expect(try WireForm.of(book) == WireForm.line(Self.bareBook))
        #expect(ImportedBook(row: 1, lineNumber: 2).authors.isEmpty)
        #expect(try WireForm.of(ImportedBook(row: 1, lineNumber: 2)).contains(#""title":"","author":"","authors":[]"#))
    }

    @Test("a book has every member under its documented name")
    func fullBook() throws {
        var book = ImportedBook(row: 7, lineNumber: 9, title: "Dune", author: "Frank Herbert")
        (book.isbn, book.isbn10, book.isbn13) = ("9780441172719", "0441172717", "9780441172719")
        book.isbnRepair = "lost_leading_zeros"
        (book.ids.goodreadsBookId, book.ids.librarythingId, book.ids.asin) = ("234225", "lt", "B00B7NPRY8")
        (book.ids.openLibraryWork, book.ids.openLibraryEdition, book.ids.googleVolumeId) = ("OL1W", "OL1M", "v")
        book.series = ImportedSeries(name: "Dune", position: "1")
        (book.subtitle, book.publisher, book.publicationYear, book.originalYear) = ("s", "Ace", 1_990, 1_965)
        (book.pageCount, book.language, book.format) = (535, "English", .massMarket)
        (book.status, book.statusRaw, book.shelves, book.tags) = (.didNotFinish, "dnf", ["sf"], ["desert"])
        (book.rating, book.ratingRaw) = (4.5, "9/10")
        book.datesRead = [ReadingDates(start: "2020-01-02", end: "2020-02"), ReadingDates(end: "2021")]
        (book.dateAdded, book.readCount, book.owned) = ("2019-12-31", 2, true)
        (book.review, book.notes) = ("r", "n")
        book.raw = RawCells([.init(column: "Lent to", text: "Ann"), .init(column: "2", text: "")])
        book.remarks = [ImportRemark(.isbnRestored, column: "ISBN"), ImportRemark(.raggedRow)]
        (book.duplicateRows, book.confidence) = ([8, 11], 0.5)
        let text = WireForm.line(
            """
            {"row":7,"lineNumber":9,"title":"Dune","author":"Frank Herbert","authors":["Frank Herbert"],
            "isbn":"9780441172719","isbn10":"0441172717","isbn13":"9780441172719","isbnRepair":"lost_leading_zeros",
            "ids":{"goodreadsBookId":"234225","librarythingId":"lt","openLibraryWork":"OL1W",
                "openLibraryEdition":"OL1M","asin":"B00B7NPRY8","googleVolumeId":"v"},
            "series":{"name":"Dune","position":"1"},"subtitle":"s","publisher":"Ace","publicationYear":1990,
            "originalYear":1965,"pageCount":535,"language":"English","format":"Mass Market","status":"didNotFinish",
            "statusRaw":"dnf","shelves":["sf"],"tags":["desert"],"rating":4.5,"ratingRaw":"9/10",
            "datesRead":[{"start":"2020-01-02","end":"2020-02"},{"end":"2021"}],"dateAdded":"2019-12-31",
            "readCount":2,"owned":true,"review":"r","notes":"n","raw":{"Lent to":"Ann","2":""},
            "remarks":[{"code":"isbnRestored","column":"ISBN"},{"code":"raggedRow"}],"duplicateRows":[8,11],
            "confidence":0.5,"success":true}
            """)
        #expect(try WireForm.of(book) == text)
        #expect(try WireForm.read(ImportedBook.self, text) == book)
    }

    @Test("cells without a role keep their column and order")
    func rawCells() throws {
        let cells = RawCells([
            .init(column: "z", text: "1"), .init(column: "a", text: "2"), .init(column: "", text: "3"),
        ])
        #expect(try WireForm.of(cells) == #"{"z":"1","a":"2","":"3"}"#)
        #expect(try WireForm.read(RawCells.self, #"{"z":"1","a":"2","":"3"}"#).cells.count == 3)
        #expect(cells["a"] == "2")
        #expect(cells["b"] == nil)
        #expect(throws: DecodingError.self) { try WireForm.read(RawCells.self, #"{"a":1}"#) }
    }

    @Test("an import's results have every member under its documented name")
    func results() throws {
        let results = ImportResults(
            books: [ImportedBook(row: 1, lineNumber: 2, title: "Emma", author: "Jane Austen")],
            errors: [
                ImportRowError(
                    row: 2, lineNumber: 3, title: "", isbn: "x", error: "The row has no title.", code: .noTitle,
                    raw: RawCells([.init(column: "ISBN", text: "x")]))
            ],
            skipped: [SkippedRow(row: 3, lineNumber: 4, reason: .otherMedia)], successRate: "2/3",
            timestamp: 1_700_000_000_000, totalRows: 4, skippedRows: 1, duplicatesSkipped: 1, booksCreated: 1,
            booksUpdated: 0, source: source(), enrichment: .init(jobId: JobID("linked-job")!),
            metadata: .init(modelUsed: "gemini-2.5-flash", processingTime: 310), resultsRevision: 1, expiresAt: "e")
        let text = WireForm.line(
            """
            {"books":[\(Self.bareBook)],"errors":[{"row":2,"lineNumber":3,"title":"","isbn":"x",
            "error":"The row has no title.","code":"NO_TITLE","raw":{"ISBN":"x"}}],
            "skipped":[{"row":3,"lineNumber":4,"reason":"otherMedia"}],"successRate":"2/3",
            "timestamp":1700000000000,"totalRows":4,"skippedRows":1,"duplicatesSkipped":1,"booksCreated":1,
            "booksUpdated":0,"source":\(Self.source),"enrichment":{"jobId":"linked-job",
            "websocketUrl":"/ws/progress?jobId=linked-job","resultsUrl":"/v1/enrichment/results/linked-job"},
            "metadata":{"modelUsed":"gemini-2.5-flash","processingTime":310},"resultsRevision":1,"expiresAt":"e"}
            """)
        #expect(try WireForm.of(results) == text)
        #expect(try WireForm.read(ImportResults.self, text) == results)
    }

    @Test("the metadata of a file read without AI names no model")
    func noModel() throws {
        #expect(try WireForm.of(ImportResults.Reading(processingTime: 3)) == #"{"processingTime":3}"#)
    }

    @Test("a preview contains the source, samples and the number of duplicates")
    func preview() throws {
        #expect(
            try WireForm.of(ImportPreview(source: source(), totalRows: 3, books: [], errors: [], duplicates: 2))
                == WireForm.line(
                    #"{"source":"# + Self.source + #","totalRows":3,"books":[],"errors":[],"duplicates":2}"#))
    }

    @Test("the success rate is the share of rows that became a book or were merged into one, excluding skipped rows")
    func successRate() {
        var summary = ImportSummary(source: source())
        #expect(summary.successRate == "0/0")
        (summary.totalRows, summary.booksCreated, summary.duplicatesSkipped, summary.skippedRows) = (110, 90, 8, 10)
        #expect(summary.successRate == "98/100")
    }

    @Test("a summary contains the file's counts and the number of books with each status")
    func summary() throws {
        var summary = ImportSummary(source: source())
        (summary.totalRows, summary.booksCreated) = (2, 2)
        summary.statuses = [.init(status: .read, count: 1), .init(status: nil, count: 1)]
        let text = WireForm.line(
            """
            {"totalRows":2,"booksCreated":2,"booksUpdated":0,"duplicatesSkipped":0,"errorCount":0,"skippedRows":0,
            "statuses":[{"status":"read","count":1},{"count":1}],"source":\(Self.source)}
            """)
        #expect(try WireForm.of(summary) == text)
        #expect(try WireForm.read(ImportSummary.self, text) == summary)
    }

    @Test("a fault contains the line, the rows or the columns, if they are known")
    func fault() throws {
        var fault = ImportFault(.batchTooLarge, "Too many rows.", lineNumber: 20_002)
        (fault.rows, fault.limit, fault.columns) = (20_001, 20_000, ["Naam"])
        let text = WireForm.line(
            """
            {"code":"BATCH_TOO_LARGE","message":"Too many rows.","lineNumber":20002,"rows":20001,"limit":20000,
            "columns":["Naam"]}
            """)
        #expect(try WireForm.of(fault) == text)
        #expect(try WireForm.read(ImportFault.self, text) == fault)
        #expect(
            try WireForm.of(ImportFault(.processingFailed, "m")) == #"{"code":"PROCESSING_FAILED","message":"m"}"#)
    }

    @Test("an unknown phase is decoded as parsing")
    func unknownPhase() throws {
        #expect(try JSONDecoder().decode([ImportPhase].self, from: Data(#"["dreaming"]"#.utf8)) == [.parsing])
    }
}
