import BookstrackContract
import LibraryImport
import Testing

/// imports.md "Accounting": every data row becomes a book, is joined to one, is an error or is skipped.
@Suite("Row accounting")
struct AccountingTests {
    private static let mixed = """
        item_type,title,creators,first_name,last_name,collection,ean_isbn13,upc_isbn10,description,publisher,publish_date,tags,notes,length,rating,review,status,began,completed,added,copies
        book,Emma,Jane Austen,Jane,Austen,Home,9780141439587,,,Penguin,2003,,,474,4,,Completed,,,2021-01-02,1
        movie,Emma,Douglas McGrath,Douglas,McGrath,Home,,,,,1996,,,121,3,,Completed,,,2021-01-02,1
        book,Emma,Jane Austen,Jane,Austen,Home,9780141439587,,,Penguin,2003,,,474,5,,Completed,,,2021-01-03,1
        book,,,,,Home,,,,,2003,,,474,5,,Completed,,,2021-01-03,1
        book,Dune,Frank Herbert,Frank,Herbert,Home,9780441172719,,,Ace,1990,,,535,,,Abandoned,,,2021-01-04,1
        """

    private func expectBalance(_ read: ReadText, sourceLocation: SourceLocation = #_sourceLocation) {
        let summary = read.summary
        #expect(summary.booksCreated == read.books.count, sourceLocation: sourceLocation)
        #expect(summary.errorCount == read.errors.count, sourceLocation: sourceLocation)
        #expect(summary.skippedRows == read.skipped.count, sourceLocation: sourceLocation)
        #expect(
            summary.duplicatesSkipped == read.books.reduce(0) { $0 + $1.duplicateRows.count },
            sourceLocation: sourceLocation)
        #expect(
            summary.totalRows
                == summary.booksCreated + summary.duplicatesSkipped + summary.errorCount + summary.skippedRows,
            sourceLocation: sourceLocation)
    }

    @Test("in a file with a film, a duplicate and a row without a title, every row is accounted for")
    func mixed() throws {
        let read = try ReadText(Self.mixed)
        expectBalance(read)
        #expect(read.summary.totalRows == 5)
        #expect(read.books.map(\.row) == [1, 5])
        #expect(read.books[0].duplicateRows == [3])
        #expect(read.skipped == [SkippedRow(row: 2, lineNumber: 3, reason: .otherMedia)])
        #expect(read.errors.map(\.row) == [4])
        #expect(read.errors.map(\.lineNumber) == [5])
        #expect(read.summary.successRate == "3/4")
    }

    @Test("the summary counts books by status")
    func statuses() throws {
        let counts = try ReadText(Self.mixed).summary.statuses
        #expect(counts.first { $0.status == .read }?.count == 1)
        #expect(counts.first { $0.status == .didNotFinish }?.count == 1)
        #expect(counts.reduce(0) { $0 + $1.count } == 2)
    }

    @Test("a row without a title, an ISBN or an identifier is an error that contains its non-empty cells")
    func noTitle() throws {
        let error = try #require(try ReadText(Self.mixed).errors.first)
        #expect(error.code == .noTitle)
        #expect(error.error == "The row has no title, no ISBN and no other identifier.")
        #expect(error.title.isEmpty)
        #expect(error.isbn == nil)
        #expect(error.raw["publish_date"] == "2003")
        #expect(error.raw["rating"] == "5")
        #expect(error.raw["title"] == nil)
    }

    @Test(
        "the error for a row with nothing but an invalid ISBN states what is wrong with the ISBN",
        arguments: [
            ("9780306406158", "The ISBN's check digit does not match its other digits."),
            ("97803064061", "An ISBN has 10 or 13 digits, not 11."),
            (
                "9.78031E+12",
                "The ISBN was rounded to scientific notation by a spreadsheet; its last digits are lost."
            ),
        ])
    func invalidISBN(cell: String, reason: String) throws {
        let error = try #require(try ReadText("ISBN\n9780141439587\n\(cell)\n9780441172719\n").errors.first)
        #expect(error.code == .noTitle)
        #expect(error.error == reason)
        #expect(error.isbn == cell)
    }

    @Test("a row whose title is too long is an error that contains the start of the title")
    func longTitle() throws {
        let title = String(repeating: "t", count: 501)
        let read = try ReadText("Title,Author,ISBN\n\(title),Jane Austen,9780141439587\nDune,Frank Herbert,\n")
        let error = try #require(read.errors.first)
        #expect(error.code == .titleTooLong)
        #expect(error.error == "The title is longer than 500 characters.")
        #expect(error.title == String(repeating: "t", count: 500))
        #expect(error.isbn == "9780141439587")
        expectBalance(read)
    }

    @Test("a row with an ISBN but no title is a book without a title")
    func isbnAlone() throws {
        let read = try ReadText("Title,Author,ISBN\n,,9780141439587\nDune,Frank Herbert,9780441172719\n")
        #expect(read.books.map(\.title) == ["", "Dune"])
        #expect(read.books.map(\.isbn13) == ["9780141439587", "9780441172719"])
        expectBalance(read)
    }

    @Test("a repeated header in the middle of a file, as in two joined exports, is skipped")
    func repeatedHeader() throws {
        let read = try ReadText("Title,Author,ISBN\nEmma,Jane Austen,\nTitle,Author,ISBN\nDune,Frank Herbert,\n")
        #expect(read.books.map(\.title) == ["Emma", "Dune"])
        #expect(read.skipped == [SkippedRow(row: 2, lineNumber: 3, reason: .repeatedHeader)])
        expectBalance(read)
    }

    @Test(
        "a repeated header is skipped in other letter case and without the cells of some columns",
        arguments: ["TITLE, author ,Isbn", "Title,Author", "Title,Author,,", ",Author,ISBN"])
    func differentlyRepeatedHeader(header: String) throws {
        let read = try ReadText("Title,Author,ISBN\nEmma,Jane Austen,\n\(header)\nDune,Frank Herbert,\n")
        #expect(read.books.map(\.title) == ["Emma", "Dune"])
        #expect(read.skipped == [SkippedRow(row: 2, lineNumber: 3, reason: .repeatedHeader)])
        expectBalance(read)
    }

    @Test(
        "a second header with another word for a column, or with a column that was added, is skipped",
        arguments: [
            "Title,Writer,ISBN,", "Title,Author,ISBN-13,", "Title,Author,ISBN,Rating", "Book Title,Author,ISBN,",
        ])
    func headerInOtherWords(header: String) throws {
        let read = try ReadText("Title,Author,ISBN,\nEmma,Jane Austen,,\n\(header)\nDune,Frank Herbert,,\n")
        #expect(read.books.map(\.title) == ["Emma", "Dune"])
        #expect(read.skipped == [SkippedRow(row: 2, lineNumber: 3, reason: .repeatedHeader)])
        expectBalance(read)
    }

    @Test(
        "a file with the header of another table is refused, and the failure has its line",
        arguments: ["Author,Title,ISBN", "Book Id,Title,Author,ISBN13,My Rating"])
    func otherHeader(header: String) throws {
        let text = "Title,Author,ISBN\nEmma,\"Jane\nAusten\",\n\(header)\nFrank Herbert,Dune,9780441172719,4,5\n"
        let failure = #expect(throws: ImportFailure.self) { try ReadText(text) }
        #expect(failure == .file(.otherHeader(line: 4)))
        #expect(failure?.lineNumber == 4)
    }

    @Test(
        "a book whose title is a header word is not another table's header",
        arguments: ["Title,Jane Austen,", "Book,Writer,"])
    func headerWordAsTitle(row: String) throws {
        let read = try ReadText("Title,Author,ISBN\nEmma,Jane Austen,\n\(row)\nDune,Frank Herbert,\n")
        #expect(read.books.count == 3)
    }

    @Test("in the suite's own file, a book with the names of columns as title and author is not taken for a header")
    func headerWordsInOwnFile() throws {
        let source = try ReadText("Title,Author\nEmma,Jane Austen\n").summary.source
        let book = ImportedBook(row: 1, lineNumber: 2, title: "Title", author: "Author")
        let csv = LibraryCSV(source: source)
        let read = try ReadText(csv.header + csv.line(book))
        #expect(read.books.map(\.title) == ["Title"])
    }

    @Test("comments in ISBN lists are not books, and rows that Openreads marks as deleted are skipped")
    func comments() throws {
        let list = try ReadText("# mine\n9780141439587\n# his\n9780441172719\n")
        #expect(list.books.map(\.isbn13) == ["9780141439587", "9780441172719"])
        expectBalance(list)
        let openreads = try ReadText(
            """
            title,subtitle,author,description,status,favourite,deleted,rating,pages,publication_year,isbn,olid,tags,my_review,notes,book_format,readings,date_added,date_modified
            Emma,,Jane Austen,,finished,false,true,4.0,474,2003,9780141439587,,,,,paperback,,2021-01-02T10:00:00.000,2021-03-05T10:00:00.000
            Dune,,Frank Herbert,,planned,false,false,,535,1990,9780441172719,,,,,paperback,,2021-01-02T10:00:00.000,2021-03-05T10:00:00.000
            """)
        #expect(openreads.books.map(\.title) == ["Dune"])
        #expect(openreads.skipped.map(\.reason) == [.deleted])
        expectBalance(openreads)
    }

    @Test("in a list of titles, a line that begins with # and a space is a comment, and a title may begin with #")
    func commentsAmongTitles() throws {
        let titles = ["#GIRLBOSS", "The Left Hand of Darkness", "The Name of the Rose", "The Dispossessed"]
        let list = try ReadText("# to read\n" + titles.joined(separator: "\n") + "\n")
        #expect(list.books.map(\.title) == titles)
        #expect(list.skipped.map(\.reason) == [.comment])
        expectBalance(list)
        let json = try ReadText(##"[{"title": "#GIRLBOSS"}, {"title": "Emma"}]"##)
        #expect(json.books.map(\.title) == ["#GIRLBOSS", "Emma"])
    }

    @Test(
        "rows of totals at the end of a file are skipped",
        arguments: [
            "Total,,,312 pages", "Totals,,,312", "Total: 312", "Sum = 312", "Count,,,2\nTotal,,,\"1,312\"",
            "TOTAL,,,312,4.5,$25.50", "Total,,,312\nAverage,,,,4.2", ",,Total,312", "Summe,,,312 Seiten",
            "Total books: 2,,,\nAverage rating,,,,4.5", "Grand total:,,,312", "Итого,,,312",
        ])
    func totals(rows: String) throws {
        let read = try ReadText(
            "Title,Author,ISBN,Pages,Rating,Price\nEmma,Jane Austen,,300,4,12\nDune,Frank Herbert,,12,5,13.5\n\(rows)\n"
        )
        #expect(read.books.map(\.title) == ["Emma", "Dune"])
        #expect(read.errors.isEmpty)
        #expect(read.skipped.map(\.row) == Array(3..<(3 + rows.split(separator: "\n").count)))
        #expect(read.skipped.allSatisfy { $0.reason == .totals })
        expectBalance(read)
    }

    @Test(
        "a row is not taken for totals only because its title is, or starts with, a word for totals",
        arguments: [
            "Total,Rebecca Miller,,312,,", "Sum,,9780307377340,128,,", "Total,,,,,", "Sum,,,,4,",
            "Total,,,312,,\nDune,Frank Herbert,,12,5,", "Total Recall,,,312,,", "Total: A Novel,,,312,,",
            "Count,,,312,,borrowed", "Total,,,312,,2021-03-04",
        ])
    func titlesLikeTotals(rows: String) throws {
        let read = try ReadText(
            "Title,Author,ISBN,Pages,Rating,Price\nEmma,Jane Austen,,300,4,12\nMort,Terry Pratchett,,320,5,9\n\(rows)\n"
        )
        #expect(read.skipped.isEmpty)
        #expect(read.books.dropFirst(2).first?.row == 3)
        expectBalance(read)
    }

    @Test("a preview shows the first 20 books, and its counts cover the whole file")
    func preview() throws {
        let rows = (1...50).map { "Book \($0),Author \($0),\n" }.joined() + ",,\n" + "Book 1,Author 1,\n"
        let preview = try LibraryReading(
            try LibraryTable(bytes: Array(("Title,Author,Notes\n" + rows).utf8))
        ).preview()
        #expect(preview.totalRows == 51)
        #expect(preview.books.count == 20)
        #expect(preview.books.first?.title == "Book 1")
        #expect(preview.duplicates == 1)
    }

    @Test("progress is counted in bytes, never decreases, and ends at the file's size")
    func progress() throws {
        let text = "Title,Author\n" + (1...5_000).map { "Book \($0),Author \($0)\n" }.joined()
        var seen: [Int] = []
        _ = try LibraryReading(try LibraryTable(bytes: Array(text.utf8))).readRows(progress: { seen.append($0) }) { _ in
        }
        #expect(seen == seen.sorted())
        #expect(seen.last == text.utf8.count)
    }
}
