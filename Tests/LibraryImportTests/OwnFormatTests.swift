import BookstrackContract
import LibraryImport
import TestSupport
import Testing

@Suite("Round trips through BooksTrack's own CSV")
struct OwnFormatTests {
    /// A file's books, and the summary of the file.
    private static func read(_ table: LibraryTable) throws -> (books: [ImportedBook], summary: ImportSummary) {
        var books: [ImportedBook] = []
        let summary = try LibraryReading(table).readRows { if case .book(let book) = $0 { books.append(book) } }
        return (books, summary)
    }

    private static func csv(_ books: [ImportedBook], _ source: ImportSource) -> String {
        let csv = LibraryCSV(source: source)
        return csv.header + books.map(csv.line).joined()
    }

    /// A book without the fields that depend on its position or notation in a file.
    private static func withoutPlace(_ book: ImportedBook) -> ImportedBook {
        var book = book
        (book.row, book.lineNumber, book.confidence) = (0, 0, 1)
        (book.remarks, book.duplicateRows) = ([], [])
        (book.ratingRaw, book.isbnRepair) = (nil, nil)
        if book.status != nil { book.statusRaw = nil }
        return book
    }

    @Test(
        "the books of every real file survive the round trip",
        .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
    func realFiles() throws {
        var count = 0
        for fact in RealFileFact.all {
            let original = try Self.read(try LibraryTable(path: RealFile.path(fact.file)))
            let text = Self.csv(original.books, original.summary.source)
            let again = try Self.read(try LibraryTable(bytes: Array(text.utf8)))
            #expect(again.summary.source.format == .bookstrack)
            #expect(again.books.count == original.books.count, "\(fact.file)")
            let pairs = zip(original.books, again.books).map { (Self.withoutPlace($0), Self.withoutPlace($1)) }
            let lost = pairs.filter { $0 != $1 }
            #expect(lost.isEmpty, "\(fact.file): \(lost.first.map { "\($0.0) is \($0.1)" } ?? "")")
            count += pairs.count
        }
        #expect(count > 7_500)
    }

    @Test(
        "no written cell starts like a formula, and the texts survive the round trip",
        arguments: ["=1+1", "+1", "-1", "@a", "\tx", "\rx", "'=1", "''+1", "'quoted", "plain", "= "])
    func formulas(start: String) throws {
        var book = ImportedBook(row: 1, lineNumber: 2, title: start + " title", author: start + "author")
        book.authors = [book.author]
        book.notes = start + "notes"
        book.tags = [start + "tag"]
        let source = ImportSource(
            format: .bookstrack, confidence: 1, encoding: "utf-8", delimiter: ",", lineEnd: "crlf", hasHeader: true,
            columns: [])
        let text = Self.csv([book], source)
        let table = try LibraryTable(bytes: Array(text.utf8))
        for cell in table.leadingRows.dropFirst().flatMap(\.cells) {
            let isFormula = cell.first.map { "=+-@\t\r".contains($0) } ?? false
            #expect(!isFormula, "\(cell)")
        }
        let again = try #require(try Self.read(table).books.first)
        #expect(again.title == book.title)
        #expect(again.author == book.author)
        #expect(again.notes == book.notes)
        #expect(again.tags == book.tags)
    }

    private static func source(_ columns: [ImportColumn] = []) -> ImportSource {
        ImportSource(
            format: .unknown, confidence: 1, encoding: "utf-8", delimiter: ",", lineEnd: "crlf", hasHeader: true,
            columns: columns)
    }

    private static func book(_ row: Int, _ title: String, isbn: String? = nil) -> ImportedBook {
        var book = ImportedBook(row: row, lineNumber: row + 1, title: title, author: "Jane Austen")
        (book.authors, book.isbn, book.isbn13) = ([book.author], isbn, isbn)
        return book
    }

    @Test("a book without an ISBN and a book with the same title and an ISBN stay separate")
    func alikeBooks() throws {
        let text = Self.csv([Self.book(1, "Emma"), Self.book(2, "Emma", isbn: "9780141439587")], Self.source())
        let again = try Self.read(try LibraryTable(bytes: Array((text + text).utf8)))
        #expect(again.books.map(\.isbn) == [nil, "9780141439587"])
    }

    @Test(
        "an additional column keeps its cells, even if its name is also that of a known role",
        arguments: ["Regal", "ISBN", "Tags"])
    func furtherColumns(name: String) throws {
        var book = Self.book(1, "Emma")
        book.raw = RawCells([RawCells.Cell(column: name, text: "9780141439587")])
        let column = ImportColumn(index: 0, header: name, role: nil, confidence: 0, by: nil)
        let text = Self.csv([book], Self.source([column]))
        let again = try #require(try Self.read(try LibraryTable(bytes: Array(text.utf8))).books.first)
        #expect(again.raw[name] == "9780141439587")
        #expect(again.isbn == nil)
        #expect(again.shelves.isEmpty)
        #expect(again.tags.isEmpty)
    }

    @Test("the cells of columns with the same header, or with the name of a role, survive the round trip")
    func sameHeaders() throws {
        let headers = ["Memo", "Memo", "Memo (2)", "notes", "mediaType"]
        var columns = headers.enumerated().map { ImportColumn(index: $0, header: $1) }
        columns[0].role = .notes
        var book = Self.book(1, "Emma")
        book.notes = "a"
        let cells = [("Memo (3)", "b"), ("Memo (2)", "c"), ("notes", "d"), ("mediaType", "e")]
        book.raw = RawCells(cells.map { RawCells.Cell(column: $0.0, text: $0.1) })
        let text = Self.csv([book], Self.source(columns))
        let again = try #require(try Self.read(try LibraryTable(bytes: Array(text.utf8))).books.first)
        #expect(again.notes == "a")
        #expect(again.raw.cells.map(\.column) == ["Memo (3)", "Memo (2)", "notes (2)", "mediaType (2)"])
        #expect(again.raw.cells.map(\.text) == ["b", "c", "d", "e"])
    }

    @Test("a file truncated anywhere in its last row keeps the rows before it unchanged")
    func cutFiles() throws {
        var first = Self.book(1, "\"8\" and more")
        first.notes = "One\n\nTwo"
        var last = Self.book(2, "The Lion, the Witch")
        last.notes = "Good.\nVery good, \"they\" say."
        let csv = LibraryCSV(source: Self.source())
        let (whole, cut) = (Array((csv.header + csv.line(first)).utf8), Array(csv.line(last).utf8))
        for length in cut.indices {
            let again = try Self.read(try LibraryTable(bytes: whole + cut[..<length])).books.first
            #expect(again?.title == first.title, "cut after \(length) bytes")
            #expect(again?.notes == first.notes, "cut after \(length) bytes")
        }
    }
}
