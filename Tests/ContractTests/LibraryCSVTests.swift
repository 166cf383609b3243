import BookstrackContract
import Testing

@Suite("BooksTrack's own CSV, and the CSV of failed rows") struct LibraryCSVTests {
    private static let source = ImportSource(
        format: .unknown, confidence: 1, encoding: "utf-8", delimiter: ",", lineEnd: "lf", hasHeader: true,
        columns: [
            ImportColumn(index: 0, header: "title", role: .title), ImportColumn(index: 1, header: "Lent to"),
            ImportColumn(index: 2, header: ""), ImportColumn(index: 3, header: "notes"),
        ])

    private func cells(_ book: ImportedBook) -> [String: String] {
        let file = LibraryCSV(source: Self.source)
        func split(_ line: String) -> [String] {
            line.dropLast(1).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return Dictionary(uniqueKeysWithValues: zip(split(file.header), split(file.line(book))))
    }

    @Test("the header lists the roles of a book's members, followed by the columns without a role")
    func header() {
        let header = LibraryCSV(source: Self.source).header
        #expect(header.hasPrefix("title,subtitle,author,authors,isbn13,isbn10,status,"))
        #expect(header.hasSuffix("asin,googleVolumeId,Lent to,2,notes (2)\r\n"))
        for name in ["title", "isbn13", "dateRead", "readCount", "goodreadsBookId", "openLibraryWork"] {
            #expect(header.split(separator: ",").contains(Substring(name)))
        }
    }

    @Test("a book's members and cells without a role are written to their columns")
    func members() {
        var book = ImportedBook(row: 1, lineNumber: 2, title: "Emma", author: "Jane Austen")
        book.authors = ["Jane Austen", "A. N. Other"]
        book.isbn = "9780141439587"
        book.isbn13 = "9780141439587"
        book.statusRaw = "lent"
        book.shelves = ["a", "b"]
        book.rating = 4.25
        book.datesRead = [.init(start: "2020-01-02", end: "2020-02-03"), .init(end: "2021"), .init(start: "2022-05")]
        book.owned = true
        book.readCount = 3
        book.originalYear = -40
        book.series = ImportedSeries(name: "Austen", position: "4")
        book.ids.openLibraryWork = "OL66513W"
        book.raw = RawCells([.init(column: "Lent to", text: "Ann"), .init(column: "2", text: "x")])
        let cells = cells(book)
        #expect(cells["authors"] == "Jane Austen; A. N. Other")
        #expect(cells["isbn13"] == "9780141439587")
        #expect(cells["status"] == "lent")
        #expect(cells["shelves"] == "a; b")
        #expect(cells["rating"] == "4.25")
        #expect(cells["dateRead"] == "2020-01-02/2020-02-03; 2021; 2022-05/")
        #expect(cells["owned"] == "true")
        #expect(cells["readCount"] == "3")
        #expect(cells["originalYear"] == "\"'-40\"")
        #expect(cells["series"] == "Austen")
        #expect(cells["position"] == "4")
        #expect(cells["openLibraryWork"] == "OL66513W")
        #expect(cells["Lent to"] == "Ann")
        #expect(cells["2"] == "x")
        book.status = .didNotFinish
        #expect(self.cells(book)["status"] == "didNotFinish")
    }

    @Test(
        "a semicolon inside an entry of a list is doubled, even if it forms one character with its neighbors",
        arguments: [("a; b", "a;; b"), ("\u{600}; b", "\u{600};; b"), ("a;\u{301}", "a;;\u{301}")])
    func semicolons(tag: String, written: String) {
        var book = ImportedBook(row: 1, lineNumber: 2, title: "Emma")
        book.tags = [tag, "c"]
        #expect(cells(book)["tags"] == "\(written); c")
    }

    @Test("columns with the same header keep their own cells, even if the first of them has a role")
    func sameHeaders() {
        var source = Self.source
        source.columns = [
            ImportColumn(index: 0, header: "Memo", role: .notes), ImportColumn(index: 1, header: "Memo"),
            ImportColumn(index: 2, header: "Memo"), ImportColumn(index: 3, header: "Memo (2)"),
        ]
        var book = ImportedBook(row: 1, lineNumber: 2, title: "Emma")
        let cells = [("Memo (3)", "b"), ("Memo (4)", "c"), ("Memo (2)", "d")]
        book.raw = RawCells(cells.map { RawCells.Cell(column: $0.0, text: $0.1) })
        let file = LibraryCSV(source: source)
        #expect(file.header.hasSuffix(",googleVolumeId,Memo (3),Memo (4),Memo (2)\r\n"))
        #expect(file.line(book).hasSuffix(",b,c,d\r\n"))
        let failed = FailedRowsCSV(source: source)
        let row = ImportRowError(
            row: 1, lineNumber: 2, title: "", isbn: nil, error: "", code: .noTitle,
            raw: RawCells([RawCells.Cell(column: "Memo", text: "a")] + book.raw.cells))
        #expect(failed.header == "Memo,Memo,Memo,Memo (2)\r\n")
        #expect(failed.line(row) == "a,b,c,d\r\n")
    }

    @Test(
        "only a cell that is a formula, with or without apostrophes before it, receives an additional apostrophe",
        arguments: [
            ("=1+1", "\"'=1+1\""), ("+1", "\"'+1\""), ("-1", "\"'-1\""), ("@x", "\"'@x\""), ("'=1", "\"''=1\""),
            ("''=1", "\"'''=1\""),
            ("'tis", "\"'tis\""), ("", ""), ("'", "\"'\""), ("a=1", "a=1"), ("\tx", "\"'\tx\""),
            ("=\u{301}", "\"'=\u{301}\""),
        ])
    func formulas(cell: String, written: String) {
        let book = ImportedBook(row: 1, lineNumber: 2, title: cell)
        #expect(LibraryCSV(source: Self.source).line(book).hasPrefix(written + ","))
    }

    @Test("cells with commas, quotes, line breaks or surrounding spaces are quoted")
    func quoting() {
        for (cell, written) in [
            ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""),
            (" a", "\" a\""),
            ("a;b", "a;b"), ("a\"\u{200D}b", "\"a\"\"\u{200D}b\""),
        ] {
            let book = ImportedBook(row: 1, lineNumber: 2, title: cell)
            #expect(LibraryCSV(source: Self.source).line(book).hasPrefix(written + ","), "\(cell)")
        }
    }

    /// A writer that searched all cells for each column would need minutes.
    @Test("a row of very many columns is written quickly", .timeLimit(.minutes(1)))
    func manyColumns() {
        var source = Self.source
        source.columns = (0..<100_000).map { ImportColumn(index: $0, header: "") }
        let raw = RawCells(source.columns.map { RawCells.Cell(column: "\($0.index)", text: "x") })
        var book = ImportedBook(row: 1, lineNumber: 2, title: "Emma")
        book.raw = raw
        #expect(LibraryCSV(source: source).line(book).hasSuffix(",x,x\r\n"))
        let row = ImportRowError(row: 1, lineNumber: 2, title: "", isbn: nil, error: "", code: .noTitle, raw: raw)
        #expect(FailedRowsCSV(source: source).line(row).hasSuffix(",x,x\r\n"))
    }

    @Test("failed rows keep all their cells, even those after the last column, and no apostrophe is added")
    func failedRows() {
        let file = FailedRowsCSV(source: Self.source)
        #expect(file.header == "title,Lent to,2,notes\r\n")
        let cells = [("10", "z"), ("4", "y"), ("2", "=1"), ("Lent to", "Ann")].map {
            RawCells.Cell(column: $0.0, text: $0.1)
        }
        let row = ImportRowError(
            row: 1, lineNumber: 2, title: "", isbn: nil, error: "", code: .noTitle, raw: RawCells(cells))
        #expect(file.line(row) == ",Ann,=1,,y,z\r\n")
        let undecodable = ImportRowError(
            row: 1, lineNumber: 2, title: "", isbn: nil, error: "", code: .undecodable,
            raw: RawCells([RawCells.Cell(column: "title", text: "Who G␦es There?")]))
        #expect(file.line(undecodable) == "Who G\u{FFFD}es There?,,,\r\n")
        var headless = Self.source
        headless.hasHeader = false
        #expect(FailedRowsCSV(source: headless).header.isEmpty)
    }
}
