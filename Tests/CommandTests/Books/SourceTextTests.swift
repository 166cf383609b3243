import BookstrackContract
import Testing

@testable import BookstrackCLI

/// How a library file is described to users: the application that wrote it, the use of each column, and the number of books by status.
@Suite("Descriptions of recognized files")
struct SourceTextTests {
    private func source(_ columns: [ImportColumn], format: LibraryFormat = .unknown) -> ImportSource {
        ImportSource(
            format: format, confidence: 1, encoding: "utf-8", delimiter: ",", lineEnd: "lf", hasHeader: true,
            columns: columns)
    }

    private var fullBook: ImportedBook {
        var book = ImportedBook(row: 1, lineNumber: 2, title: "Emma", author: "Jane Austen")
        book.subtitle = "A Novel"
        book.authors = ["Jane Austen", "Ann Other"]
        (book.isbn, book.isbn10, book.isbn13) = ("9780141439587", "0141439580", "9780141439587")
        book.ids.goodreadsBookId = "6969"
        book.ids.librarythingId = "lt7"
        book.ids.openLibraryWork = "OL1W"
        book.ids.openLibraryEdition = "OL1M"
        book.ids.asin = "B00AKQ1O4W"
        book.ids.googleVolumeId = "zyT"
        book.series = ImportedSeries(name: "Novels", position: "4")
        (book.publisher, book.publicationYear, book.originalYear) = ("Penguin", 2003, 1815)
        (book.pageCount, book.language, book.format) = (474, "en", .paperback)
        (book.status, book.statusRaw, book.rating) = (.didNotFinish, "dnf", 4.5)
        (book.shelves, book.tags) = (["home", "loan"], ["classics"])
        book.datesRead = [ReadingDates(start: "2021-02-01", end: "2021-03-05")]
        (book.dateAdded, book.readCount, book.owned) = ("2021-01-02", 2, false)
        (book.review, book.notes) = ("Good.", "Mine")
        return book
    }

    @Test(
        "each application is called by the name that its users know",
        arguments: [
            (LibraryFormat.goodreads, "Goodreads export"), (.storygraph, "StoryGraph export"),
            (.librarything, "LibraryThing export"), (.librarythingJSON, "LibraryThing export"),
            (.bookwyrm, "BookWyrm export"), (.bookwyrmGeneric, "BookWyrm export"),
            (.openlibrary, "Open Library reading log"), (.calibre, "Calibre catalog"),
            (.bookbuddy, "BookBuddy export"), (.hardcover, "Hardcover export"), (.babelio, "Babelio export"),
            (.openreads, "Openreads export"), (.tellico, "Tellico collection"), (.libib, "Libib export"),
            (.bookCatalogue, "Book Catalogue export"), (.bookCrawler, "Book Crawler export"), (.leaf, "Leaf export"),
            (.notion, "Notion table"), (.clz, "CLZ Books export"), (.libby, "Libby list"), (.kindle, "Kindle data"),
            (.bookstrack, "BooksTrack library"), (.isbnList, "List of ISBNs"), (.titleList, "List of titles"),
            (.unknown, "Table from an unknown application"),
        ])
    func formats(format: LibraryFormat, title: String) {
        #expect(format.title == title)
        #expect(SourceText.sentence(source([], format: format)) == "\(title), utf-8.")
    }

    @Test("unknown and ignored columns do not count as used, and a single column needs no count")
    func used() {
        let columns = [
            ImportColumn(index: 0, header: "Title", role: .title), ImportColumn(index: 1, header: "Lent to"),
            ImportColumn(index: 2, header: "Link", role: .ignore),
        ]
        #expect(
            SourceText.sentence(source(columns)) == "Table from an unknown application, utf-8, 1 of 3 columns used.")
        #expect(SourceText.sentence(source([columns[0]])) == "Table from an unknown application, utf-8.")
    }

    @Test(
        "a column is shown with the value that was read from it for its role",
        arguments: [
            (ColumnRole.title, "Emma"), (.subtitle, "A Novel"), (.author, "Jane Austen"),
            (.authors, "Jane Austen, Ann Other"), (.isbn, "9780141439587"), (.isbn13, "9780141439587"),
            (.isbn10, "0141439580"), (.status, "didNotFinish"), (.shelves, "home, loan"), (.tags, "classics"),
            (.rating, "4.5"), (.dateRead, "2021-03-05"), (.dateStarted, "2021-02-01"), (.dateAdded, "2021-01-02"),
            (.readCount, "2"), (.owned, "no"), (.review, "Good."), (.notes, "Mine"), (.publisher, "Penguin"),
            (.publicationYear, "2003"), (.publicationDate, "2003"), (.originalYear, "1815"), (.pageCount, "474"),
            (.language, "en"), (.format, "Paperback"), (.series, "Novels"), (.position, "4"),
            (.goodreadsBookId, "6969"), (.librarythingId, "lt7"), (.openLibraryWork, "OL1W"),
            (.openLibraryEdition, "OL1M"), (.asin, "B00AKQ1O4W"), (.googleVolumeId, "zyT"), (.mediaType, ""),
            (.ignore, ""),
        ])
    func samples(role: ColumnRole, sample: String) {
        let column = ImportColumn(index: 0, header: "Spalte", role: role, confidence: 0.876, by: .content)
        let row = SourceText.table(source([column]), [fullBook]).rows[0].map(\.text)
        #expect(row == ["Spalte", role.rawValue, sample, "88 %", "content"])
    }

    @Test("a confidence that is too large is shown as the largest possible number")
    func tooSure() {
        let column = ImportColumn(index: 0, header: "Title", role: .title, confidence: 1e300, by: .header)
        #expect(SourceText.table(source([column]), []).rows[0][3].text == "\(Int.max) %")
    }

    @Test("the sample is taken from the first book that has a value")
    func firstSample() {
        let column = ImportColumn(index: 0, header: "Notes", role: .notes, confidence: 1, by: .header)
        let empty = ImportedBook(row: 1, lineNumber: 2, title: "Dune")
        #expect(SourceText.table(source([column]), [empty, fullBook]).rows[0][2].text == "Mine")
        #expect(SourceText.table(source([column]), [empty]).rows[0][2].text.isEmpty)
        #expect(SourceText.table(source([column]), []).rows[0][2].text.isEmpty)
    }

    @Test("a status that is not a known word is shown unchanged")
    func unknownStatus() {
        var book = ImportedBook(row: 1, lineNumber: 2, title: "Dune")
        book.statusRaw = "half"
        let column = ImportColumn(index: 0, header: "Status", role: .status, confidence: 1, by: .header)
        #expect(SourceText.table(source([column]), [book]).rows[0][2].text == "half")
    }

    @Test("a column with no role has neither evidence nor confidence, and a column with no header shows its number")
    func withoutRole() {
        let columns = [ImportColumn(index: 0, header: "Lent to"), ImportColumn(index: 1, header: "")]
        let rows = SourceText.table(source(columns), []).rows.map { $0.map(\.text) }
        #expect(rows == [["Lent to", "-", "", "", ""], ["1", "-", "", "", ""]])
    }

    @Test("columns with the same header show their own samples")
    func sameHeaders() {
        var book = ImportedBook(row: 1, lineNumber: 2, title: "Dune")
        book.raw = RawCells([.init(column: "Memo", text: "a"), .init(column: "Memo (2)", text: "b")])
        let columns = [ImportColumn(index: 0, header: "Memo"), ImportColumn(index: 1, header: "Memo")]
        #expect(SourceText.table(source(columns), [book]).rows.map { $0[2].text } == ["a", "b"])
    }

    @Test(
        "a column with no role is shown by its header or number, with a raw cell as its sample",
        arguments: [("Lent to", "Lent to"), ("", "3")])
    func rawSample(header: String, key: String) {
        var book = ImportedBook(row: 1, lineNumber: 2, title: "Dune")
        book.raw = RawCells([.init(column: key, text: "Ann")])
        let rows = SourceText.table(source([ImportColumn(index: 3, header: header)]), [book]).rows
        #expect(rows.map { $0.map(\.text) } == [[key, "-", "Ann", "", ""]])
    }

    @Test("books are counted by status, in a fixed order that starts with books to read")
    func statuses() {
        func book(_ status: ReadingStatus?) -> ImportedBook {
            var book = ImportedBook(row: 1, lineNumber: 2, title: "T")
            book.status = status
            return book
        }
        let books = [
            ReadingStatus.wishlist, .owned, .paused, .didNotFinish, .read, .reading, .toRead, .read, nil, nil,
        ].map(book)
        #expect(
            ImportText.statuses(books)
                == "1 to read, 1 being read, 2 read, 1 not finished, 1 paused, 1 owned, 1 on the wish list, 2 without a status"
        )
        #expect(ImportText.statuses([book(.toRead), book(.toRead)]) == "2 to read")
        #expect(ImportText.statuses([]).isEmpty)
    }
}
