import BookstrackContract
import Foundation
import JSON
import LibraryImport
import NIOCore
import Testing

/// The books, errors and skipped rows of a text.
struct ReadText {
    var books: [ImportedBook] = []
    var errors: [ImportRowError] = []
    var skipped: [SkippedRow] = []
    let summary: ImportSummary

    init(_ text: String, options: ImportOptions = ImportOptions(), heldBytes: Int = 4 << 20) throws {
        let reading = LibraryReading(
            try LibraryTable(bytes: Array(text.utf8)), options: options, heldBytes: heldBytes)
        var (books, errors, skipped) = ([ImportedBook](), [ImportRowError](), [SkippedRow]())
        summary = try reading.readRows { outcome in
            switch outcome {
            case .book(let book): books.append(book)
            case .error(let error): errors.append(error)
            case .skipped(let row): skipped.append(row)
            }
        }
        (self.books, self.errors, self.skipped) = (books, errors, skipped)
    }
}

@Suite("Reading a library file")
struct LibraryReadingTests {
    private static let goodreads = #"""
        Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Read Count
        386372,"Mort (Discworld, #4; Death, #1)",Terry  Pratchett,"Pratchett, Terry",,"=""0061020680""","=""9780061020681""",5,2020/11/01,2020/11/27,"audio, read",read,"Fun.<br/>Very &amp; much",2
        9,Emma,Jane Austen,"Austen, Jane","Anna Quindlen, Some One","=""""","=""""",0,,2021/01/02,waiting,waiting,,0
        """#

    @Test("a Goodreads export becomes books that keep the reader's ratings, dates, shelves and reviews")
    func goodreadsExport() throws {
        let read = try ReadText(Self.goodreads)
        let mort = try #require(read.books.first)
        #expect(read.summary.source.format == .goodreads)
        #expect(mort.title == "Mort")
        #expect(mort.series == ImportedSeries(name: "Discworld", position: "4"))
        #expect(mort.authors == ["Terry Pratchett"])
        #expect(mort.isbn13 == "9780061020681")
        #expect(mort.isbn10 == "0061020680")
        #expect(mort.ids.goodreadsBookId == "386372")
        #expect(mort.status == .read)
        #expect(mort.rating == 5)
        #expect(mort.datesRead == [ReadingDates(end: "2020-11-01")])
        #expect(mort.dateAdded == "2020-11-27")
        #expect(mort.shelves == ["audio"])
        #expect(mort.review == "Fun.\nVery & much")
        #expect(mort.readCount == 2)
    }

    @Test("a shelf that is not a status is kept unchanged and sets no status")
    func unknownShelf() throws {
        let emma = try #require(try ReadText(Self.goodreads).books.last)
        #expect(emma.status == nil)
        #expect(emma.statusRaw == "waiting")
        #expect(emma.rating == nil)
        #expect(emma.authors == ["Jane Austen", "Anna Quindlen", "Some One"])
    }

    @Test("pages contain the encoded rows and the enrichment queries")
    func pages() throws {
        let table = try LibraryTable(
            bytes: Array("Buch,Verfasser,EAN\nEmma,Jane Austen,9780141439587\nDune,Frank Herbert,\n".utf8))
        var pages: [ImportPage] = []
        let summary = try LibraryReading(table).read { pages.append($0) }
        let page = try #require(pages.first)
        let books = try JSONCoding.decode([ImportedBook].self, from: page.json)
        #expect(pages.map(\.part) == [.books])
        #expect(page.count == 2)
        #expect(books.map(\.title) == ["Emma", "Dune"])
        #expect(
            page.queries == [
                BookQuery(title: "Emma", author: "Jane Austen", isbn: "9780141439587", row: 1),
                BookQuery(title: "Dune", author: "Frank Herbert", row: 2),
            ])
        #expect(summary.source.format == .unknown)
        #expect(summary.successRate == "2/2")
    }

    @Test(
        "a row without an ISBN is looked up by what distinguishes it from other rows with the same title",
        arguments: [
            ("Title,Subtitle\nMaus,And Here My Troubles Began", "Maus: And Here My Troubles Began"),
            ("Title,Subtitle\nSapiens: A Brief History,A Brief History", "Sapiens: A Brief History"),
            ("Title,Subtitle,Series,Volume\nMistborn,The Hero of Ages,Mistborn,3", "Mistborn: The Hero of Ages"),
            ("Title,Series,Volume\nSaga,SAGA,2.0", "Saga, Vol. 2"), ("Title,Series,Volume\nSaga,Saga,1", "Saga"),
            ("Title,Author\n\"Saga (Saga, #2)\",Brian K. Vaughan", "Saga, Vol. 2"),
            ("Title,Author\n\"1Q84 (1Q84, #1-3)\",Haruki Murakami", "1Q84 (1Q84, #1-3)"),
            ("Title,Series,Volume\nMort,Discworld,4", "Mort"), ("Title,Subtitle\nEmma,…", "Emma"),
            ("Title,Subtitle,ISBN\nEmma,A Novel,9780141439587", "Emma"),
        ])
    func lookupTitle(text: String, title: String) throws {
        var queries: [BookQuery] = []
        _ = try LibraryReading(try LibraryTable(bytes: Array(text.utf8))).read { queries += $0.queries }
        #expect(queries.map(\.title) == [title])
    }

    @Test("a column headed Title is the title, even if it contains single words and empty cells")
    func singleWords() throws {
        let text = "Title,Author,ISBN13,Pages\n,Frank Herbert,,535\nEmma,Jane Austen,9780141439587,474\n"
        let read = try ReadText(text)
        #expect(read.books.map(\.title) == ["Emma"])
    }

    @Test("rows for the same book are joined at the position of the first one")
    func duplicates() throws {
        let text = """
            Title,Author,ISBN,Read Status,Star Rating,Dates Read
            Emma,Jane Austen,9780141439587,to-read,,
            Dune,Frank Herbert,,read,4.5,2019/01/01-2019/01/05
            emma!,Jane Austen,,read,4.25,2020/02/01
            Dune,Frank Herbert,9780441013593,read,,2021/03/04
            Dune,Frank Herbert,9780593099322,read,,
            """
        for heldBytes in [4 << 20, 1] {
            let read = try ReadText(text, heldBytes: heldBytes)
            #expect(read.books.map(\.row) == [1, 2, 5])
            #expect(read.books.map(\.duplicateRows) == [[3], [4], []])
            #expect(read.books[0].status == .read)
            #expect(read.books[0].rating == 4.25)
            #expect(read.books[1].isbn == "9780441013593")
            #expect(
                read.books[1].datesRead == [
                    ReadingDates(start: "2019-01-01", end: "2019-01-05"), ReadingDates(end: "2021-03-04"),
                ])
            #expect(read.summary.duplicatesSkipped == 2)
            #expect(read.summary.totalRows == 5)
        }
    }

    @Test("rows kept for merging do not take more memory after a long row")
    func memoryOfDuplicates() throws {
        let long = "Dune,Frank Herbert," + String(repeating: "x", count: 1 << 20) + "\n"
        let text = "Title,Author,My Review\n" + long + String(repeating: "Emma,Jane Austen,\n", count: 8_000)
        let table = try LibraryTable(bytes: Array(text.utf8))
        let before = try Self.dataSize()
        var largest = 0
        let reading = LibraryReading(table, options: ImportOptions(format: .goodreads))
        let summary = try reading.readRows { _ in largest = try max(largest, Self.dataSize()) }
        #expect(summary.duplicatesSkipped == 7_999)
        // If each row were as large as the first one, they would take 8 000 MiB. Other tests run at the same time.
        #expect(largest - before < 4 << 30)
    }

    /// The size in bytes of the process's writable memory, used or not.
    private static func dataSize() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmData:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) * 1_024
    }

    @Test(
        "a row that needs no cleaning and one that does are recognized as the same book",
        arguments: [
            (#""Mort (Discworld, #4)",Terry Pratchett,"#, "Mort  (Discworld #4) ,Terry  Pratchett,"),
            ("Kõrboja peremees,A. H. Tammsaare,", "K&otilde;rboja peremees,A. H. Tammsaare,"),
            ("Emma,Jane Austen,9780141439587", "Emma: A Novel,Jane  Austen,978-0-14-143958-7"),
            (##"Dune,Frank Herbert,"=""""""##, ##""=""Dune""",Frank Herbert,"##),
        ])
    func tidiedDuplicates(one: String, other: String) throws {
        for rows in [[one, other], [other, one]] {
            let text = "Title,Author,ISBN13\n" + rows.joined(separator: "\n")
            let read = try ReadText(text, options: ImportOptions(format: .goodreads))
            #expect(read.books.map(\.duplicateRows) == [[2]])
        }
    }

    @Test("a mapping identifies a column by its header or number; unknown columns and repeated roles are rejected")
    func mapping() throws {
        let text = "Foo,Bar,Baz\nEmma,Jane Austen,9780141439587\nDune,Frank Herbert,\n"
        let read = try ReadText(text, options: ImportOptions(mapping: ["foo": .title, "1": .author]))
        #expect(read.books.map(\.title) == ["Emma", "Dune"])
        #expect(read.books.map(\.author) == ["Jane Austen", "Frank Herbert"])
        #expect(throws: ImportFailure.mapping(.unknownColumns(["9", "Qux"]))) {
            try ReadText(text, options: ImportOptions(mapping: ["Qux": .title, "9": .isbn]))
        }
        #expect(throws: ImportFailure.mapping(.repeatedRole(.title, columns: ["Bar", "Foo"]))) {
            try ReadText(text, options: ImportOptions(mapping: ["Foo": .title, "Bar": .title]))
        }
        let contradiction = #expect(throws: ImportFailure.self) {
            try ReadText(text, options: ImportOptions(mapping: ["foo": .title, "0": .author]))
        }
        #expect(contradiction?.sentence == "0 and foo are the same column, which cannot have two roles.")
    }

    @Test(
        "a column headed Name is the title only if something else in the file suggests books",
        arguments: [
            ("Naam,Prijs,Aantal\nAppel,1.20,3\nRode peer,0.80,7\nBanaan,2.10,2\n", ["Naam", "Prijs", "Aantal"]),
            ("Name;Price;Category\nLamp;12.00;House\nDesk;99.00;Office\n", ["Name", "Price", "Category"]),
        ])
    func namesOfOtherThings(text: String, columns: [String]) throws {
        #expect(throws: ImportFailure.noUsableColumn(found: columns)) { try ReadText(text) }
        let read = try ReadText(text, options: ImportOptions(mapping: [columns[0]: .title]))
        #expect(read.summary.source.columns[0].role == .title)
        #expect(try ReadText("Naam,Auteur\nEmma,Jane Austen\n").books.map(\.title) == ["Emma"])
        #expect(try ReadText("Name,Finished\nEmma,2020-01-01\nDune,2020-02-01\n").books.count == 2)
        #expect(try ReadText("Name,Price\nThe Lord of the Rings,1\nEmma,2\nWar and Peace,3\n").books.count == 3)
    }

    @Test("columns without headers are identified by their numbers, which a mapping accepts")
    func unnamed() throws {
        let text = "2020-01-01,3.50\n2020-02-01,4.50\n"
        #expect(throws: ImportFailure.noUsableColumn(found: ["0", "1"])) { try ReadText(text) }
        #expect(try ReadText(text, options: ImportOptions(mapping: ["0": .title])).books.count == 2)
    }

    @Test("a file without titles is rejected with a list of the columns found, and a file without rows is rejected too")
    func noTitle() throws {
        #expect(throws: ImportFailure.noUsableColumn(found: ["Datum", "Prijs", "Aantal"])) {
            try ReadText("Datum,Prijs,Aantal\n2020-01-01,3.50,1\n2020-02-01,4.50,2\n")
        }
        #expect(throws: ImportFailure.headerOnly) { try ReadText("Title,Author,ISBN\n") }
    }
}

@Suite("Reading BooksTrack's own CSV")
struct OwnFileTests {
    private func again(_ read: ReadText) throws -> ReadText {
        let csv = LibraryCSV(source: read.summary.source)
        return try ReadText(csv.header + read.books.map(csv.line).joined())
    }

    @Test(
        "quotes and separators followed by a combining mark, and a leading apostrophe, are preserved",
        arguments: ["a\"\u{200D}, b", "x; \u{301}y", "'Tis"])
    func combiningMarks(_ title: String) throws {
        let quoted = title.replacing("\"", with: "\"\"")
        let read = try ReadText("Title,Author,ISBN\n\"\(quoted)\",Ann Other,\nEmma,Jane Austen,\n")
        #expect(try again(read).books.map(\.title) == [title, "Emma"])
    }

    @Test("cells that no member of a book can represent are preserved")
    func unknownCells() throws {
        let read = try ReadText(
            "Title,Author,Format,Owned?,Volume\nEmma,Jane Austen,Folio Society,lent,2\n"
                + "Dune,Frank Herbert,Paperback,Yes,\n")
        let raw = try again(read).books.map(\.raw)
        #expect(raw == read.books.map(\.raw))
        #expect(raw.first?["Format"] == "Folio Society")
        #expect(try again(again(read)).books.map(\.raw) == raw)
    }

    @Test("a word in the status column that is not a status is preserved, even if the book counts as read")
    func shelfInStatusColumn() throws {
        let read = try ReadText(
            "Title,Author,My Rating,Exclusive Shelf,Bookshelves,Read Count\n"
                + "Emma,Jane Austen,4,leseliste-2020,classics,2\nDune,Frank Herbert,5,waiting,,0\n")
        #expect(read.books.map(\.status) == [.read, nil])
        #expect(read.books.map(\.statusRaw) == ["leseliste-2020", "waiting"])
        let books = try again(read).books
        #expect(books.map(\.status) == [.read, nil])
        #expect(books.map(\.shelves) == [["classics", "leseliste-2020"], []])
        #expect(books[1].statusRaw == "waiting")
    }

    @Test("a tag that is a combining mark is preserved")
    func combiningTag() throws {
        let read = try ReadText("title,author,isbn13,tags\nEmma,Jane Austen,,\"read, \u{301}\"\nDune,Frank Herbert,,\n")
        #expect(try again(read).books.map(\.tags) == [["read", "\u{301}"], []])
    }

    @Test("books that differ only in their series stay separate")
    func seriesAlone() throws {
        let rows = ["Emma (Classics, #1)", "Emma (Retold, #1)"].map { "\"\($0)\",Jane Austen,\n" }.joined()
        let read = try ReadText("Title,Author,ISBN\n" + rows)
        #expect(read.books.count == 2)
        #expect(try again(read).books.map(\.series) == read.books.map(\.series))
    }
}
