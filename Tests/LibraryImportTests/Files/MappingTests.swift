import BookstrackContract
import LibraryImport
import Testing

/// imports.md "Routes" and "Failures": a client's mapping overrides everything, and the error for a file that is not a library explains what to do.
@Suite("Column mappings and rejected files")
struct MappingTests {
    private static let text =
        "Naam,Prijs,Wie,ISBN\nEmma,12,Jane Austen,9780141439587\nDune,9,Frank Herbert,9780441172719\nMort,7,Terry Pratchett,9780552131063\n"

    private func read(_ mapping: [String: ColumnRole], _ text: String = text) throws -> ReadText {
        try ReadText(text, options: ImportOptions(mapping: mapping))
    }

    private func failure(_ text: String, _ options: ImportOptions = ImportOptions()) -> ImportFailure? {
        do {
            _ = try LibraryReading(try LibraryTable(bytes: Array(text.utf8)), options: options).plan()
            return nil
        } catch let fault as ImportFailure {
            return fault
        } catch {
            return nil
        }
    }

    @Test(
        "a mapping identifies a column by its header, ignoring case and outer spaces, or by its zero-based number",
        arguments: ["Naam", "naam", " NAAM ", "0"])
    func names(name: String) throws {
        let read = try read([name: .title, "Wie": .author])
        #expect(read.books.map(\.title) == ["Emma", "Dune", "Mort"])
        #expect(read.books.map(\.author) == ["Jane Austen", "Frank Herbert", "Terry Pratchett"])
        let column = read.summary.source.columns[0]
        #expect(column.role == .title)
        #expect(column.by == .request)
        #expect(column.confidence == 1)
    }

    @Test("columns that the mapping does not mention are recognized as usual")
    func otherColumns() throws {
        let read = try read(["Naam": .title])
        #expect(read.books[0].isbn13 == "9780141439587")
        #expect(read.summary.source.columns[3].by != .request)
    }

    @Test("a mapping of the status does not affect the column with the wish list")
    func wishList() throws {
        let read = try read(
            ["Category": .status],
            """
            Title,Author,Status,Category,Google VolumeID,Wish List
            Emma,Jane Austen,Unread,Read,abc_DEF,0
            Dune,Frank Herbert,Unread,To read,abc_DEG,1
            """)
        #expect(read.books.map(\.status) == [.read, .wishlist])
    }

    @Test("a mapping can ignore a column")
    func ignored() throws {
        let read = try read(["Naam": .title, "ISBN": .ignore, "Prijs": .ignore])
        #expect(read.books[0].isbn == nil)
        #expect(read.books[0].raw["Prijs"] == nil)
        #expect(read.summary.source.columns[3].role == .ignore)
    }

    @Test("the mapping overrides the role suggested by the cells")
    func against() throws {
        let read = try read(["Naam": .notes, "Wie": .title])
        #expect(read.books.map(\.title) == ["Jane Austen", "Frank Herbert", "Terry Pratchett"])
        #expect(read.books.map(\.notes) == ["Emma", "Dune", "Mort"])
    }

    @Test(
        "in a column mapped to status, a yes or a date means the status in the header or, if there is none, read",
        arguments: [
            ("Have read", "yes", "no", ReadingStatus.read), ("Olvasva", "x", "", .read),
            ("#read", "True", "False", .read), ("To read", "Yes", "No", .toRead), ("Wish list", "1", "0", .wishlist),
            ("Unread", "y", "n", .toRead),
            ("Olvasva", "2021-03-05", "2020-01-31", .read),
        ])
    func flags(header: String, yes: String, other: String, status: ReadingStatus) throws {
        let text = "Title,Author,\(header)\nEmma,Jane Austen,\(yes)\nDune,Frank Herbert,\(other)\n"
        let books = try read([header: .status], text).books
        #expect(books.map(\.status) == [status, other.hasPrefix("2") ? status : nil])
        #expect(books.map(\.statusRaw) == [nil, nil])
    }

    @Test("in a yes/no column that is mapped to status, other text is kept")
    func otherTextThanFlags() throws {
        let flags = (1...5).flatMap { ["Book \($0),no", "Tale \($0),yes"] }
        let rows = ["A,half of it", "B,abandoned"] + flags
        let books = try read(["Have read": .status], "Title,Have read\n" + rows.joined(separator: "\n")).books
        #expect(books.prefix(4).map(\.statusRaw) == ["half of it", "abandoned", nil, nil])
        #expect(books.prefix(4).map(\.status) == [nil, .didNotFinish, nil, .read])
    }

    @Test("several columns can be joined as tags, but not as titles")
    func repeated() throws {
        let tags = try read(["Naam": .title, "Prijs": .tags, "Wie": .tags])
        #expect(tags.books[0].tags == ["12", "Jane Austen"])
        let fault = failure(Self.text, ImportOptions(mapping: ["Naam": .title, "Wie": .title]))
        #expect(fault?.sentence == "Only one column can have the role title, but the mapping assigns it to Naam, Wie.")
    }

    @Test("a mapping of a missing column is rejected with an error that names the column")
    func unknownColumn() {
        #expect(
            failure(Self.text, ImportOptions(mapping: ["Boek": .title]))?.sentence == "The file has no column Boek.")
        #expect(failure(Self.text, ImportOptions(mapping: ["4": .title]))?.sentence == "The file has no column 4.")
        #expect(failure(Self.text, ImportOptions(mapping: ["-1": .title]))?.sentence == "The file has no column -1.")
    }

    @Test("a file without titles is rejected with a list of its columns and instructions for mapping one")
    func noTitle() {
        let fault = failure("Prijs,Aantal\n12,1\n9,2\n")
        #expect(
            fault?.sentence
                == "No column looks like a title. Columns found: Prijs, Aantal. Specify the title column with mapping.")
        #expect(
            failure("12,1\n9,2\n")?.sentence
                == "No column looks like a title. Columns found: 0, 1. Specify the title column with mapping.")
    }

    @Test("the error for a file with many columns lists only the first twenty")
    func manyColumns() {
        let header = (1...30).map { "Column \($0)" }.joined(separator: ",")
        let row = (1...30).map(String.init).joined(separator: ",")
        let sentence = failure("\(header)\n\(row)\n\(row)\n")?.sentence ?? ""
        #expect(sentence.contains("Column 20."))
        #expect(!sentence.contains("Column 21"))
    }

    @Test("a file with a header but no rows is rejected", arguments: ["Title,Author,ISBN\n", "Title,Author,ISBN"])
    func headerOnly(text: String) {
        #expect(failure(text) == .headerOnly)
        #expect(ImportFailure.headerOnly.sentence == "The file has a header, but no rows.")
        #expect(ImportFailure.headerOnly.lineNumber == nil)
    }

    @Test("if the uploaded file is missing, the error asks the client to upload it again")
    func gone() {
        let fault = #expect(throws: LibraryFileFault.self) { try LibraryTable(path: "/nowhere/file") }
        #expect(fault?.sentence == "The uploaded file is gone. Upload it again.")
    }

    @Test("errors at a specific place in the file state the line")
    func lines() {
        #expect(ImportFailure.file(.tooManyColumns(line: 7, limit: 512)).lineNumber == 7)
        #expect(ImportFailure.file(.cellTooLong(line: 8, limit: 1_048_576)).lineNumber == 8)
        #expect(ImportFailure.file(.recordTooLong(line: 6, limit: 8_388_608)).lineNumber == 6)
        #expect(ImportFailure.file(.invalidJSON(line: 9, reason: "r")).lineNumber == 9)
        #expect(ImportFailure.file(.tooManyRows(rows: 60_000, limit: 50_000)).lineNumber == nil)
        #expect(ImportFailure.file(.empty).lineNumber == nil)
    }

    @Test("a format set by the client replaces the recognized one")
    func format() throws {
        let text = "Title,Author,ISBN\nEmma,Jane Austen,9780141439587\n"
        let read = try ReadText(text, options: ImportOptions(format: .goodreads))
        #expect(read.summary.source.format == .goodreads)
        #expect(read.books.map(\.title) == ["Emma"])
    }

    @Test("AI may be used unless the client forbids it")
    func ai() {
        #expect(ImportOptions().mayAsk)
        #expect(ImportOptions(ai: true).mayAsk)
        #expect(!ImportOptions(ai: false).mayAsk)
    }
}
