import BookstrackContract
import JSON
import LibraryImport
import NIOCore
import Testing

@Suite("Encoding books as JSON")
struct BookJSONTests {
    @Test("a book's own encoder writes the same JSON as its Codable conformance, with all members and with only a few")
    func sameAsCoding() throws {
        var full = ImportedBook(row: 7, lineNumber: 12, title: "A \"quoted\" title\n", author: "Ann Other")
        full.authors = ["Ann Other", "B"]
        (full.isbn, full.isbn10, full.isbn13, full.isbnRepair) = (
            "9780306406157", "0306406152", "9780306406157", "lost"
        )
        full.ids.goodreadsBookId = "1"
        full.ids.librarythingId = "2"
        full.ids.openLibraryWork = "OL1W"
        full.ids.openLibraryEdition = "OL1M"
        full.ids.asin = "B000000000"
        full.ids.googleVolumeId = "abc"
        full.series = ImportedSeries(name: "S", position: "1")
        (full.subtitle, full.publisher, full.language) = ("Sub", "House", "eng")
        (full.publicationYear, full.originalYear, full.pageCount) = (2_001, -50, 300)
        (full.format, full.status, full.statusRaw) = (.ebook, .didNotFinish, "dnf")
        (full.shelves, full.tags) = (["a", "b"], ["c"])
        (full.rating, full.ratingRaw) = (4.25, "8.5")
        full.datesRead = [
            ReadingDates(end: "2020"), ReadingDates(start: "2021-01-01"),
            ReadingDates(start: "2021-01-01", end: "2021-02-01"),
        ]
        (full.dateAdded, full.readCount, full.owned) = ("2020-01-01", 2, false)
        (full.review, full.notes) = ("R", "N")
        full.raw = RawCells([.init(column: "x", text: "1"), .init(column: "y", text: "2")])
        full.remarks = [ImportRemark(.isbnLost, column: "ISBN"), ImportRemark(.raggedRow)]
        full.duplicateRows = [8, 9]
        full.confidence = 0.97
        for book in [full, ImportedBook(row: 1, lineNumber: 2)] {
            let coded = try JSONCoding.encode(book)
            #expect(String(buffer: book.json) == String(buffer: coded))
        }
    }

    @Test("a row of very long cells stays within the row size limit")
    func longestRow() throws {
        let long = String(repeating: "\"\\", count: 200_000)
        let text =
            "Title,Author,Publisher,Review,Notes,Tags,Series,X,Y\nEmma,"
            + Array(repeating: "\"\(long.replacing("\"", with: "\"\""))\"", count: 8).joined(separator: ",") + "\n"
        var pages: [ImportPage] = []
        _ = try LibraryReading(try LibraryTable(bytes: Array(text.utf8))).read { pages.append($0) }
        #expect(pages.count == 1)
        #expect(pages.allSatisfy { $0.json.readableBytes <= ImportPage.maxRowBytes })
    }

    @Test("full pages stay within the page size limit")
    func fullPages() throws {
        let rows = (0..<3_000).map { "Book \($0),Author \($0)\n" }.joined()
        var pages: [ImportPage] = []
        _ = try LibraryReading(try LibraryTable(bytes: Array(("Title,Author\n" + rows).utf8))).read { pages.append($0) }
        #expect(pages.count > 1)
        #expect(pages.reduce(0) { $0 + $1.count } == 3_000)
        #expect(pages.allSatisfy { $0.json.readableBytes <= ImportPage.maxBytesOfSeveralRows })
    }
}
