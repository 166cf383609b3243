import BookstrackContract
import LibraryImport
import Testing

/// Rows for the same book become one book, whose cells are merged column by column; rows that only look alike stay
/// separate.
@Suite("Duplicate rows")
struct DuplicateRowTests {
    private func books(_ text: String) throws -> [ImportedBook] { try ReadText(text).books }

    @Test("rows with the same ISBN, in either form, are the same book")
    func sameISBN() throws {
        let books = try books(
            """
            Title,Author,ISBN
            Emma,Jane Austen,9780141439587
            Emma: A Novel,J. Austen,0141439580
            Emma,Jane Austen,978-0-14-143958-7
            """)
        #expect(books.map(\.duplicateRows) == [[2, 3]])
    }

    @Test(
        "different titles with the same ISBN are one book if a word is common or the words cannot be compared",
        arguments: [
            ("Chain-Gang All-Stars,Nana Adjei-Brenyah", "Chain Gang All Stars,Nana Kwame"),
            ("Emma,Jane Austen", "Die Abenteuer der Emma,J. Austen"), ("Emma,Jane Austen", "Miss Woodhouse,J. Austen"),
            ("War and Peace,Leo Tolstoy", "Война и мир,Лев Толстой"), ("Emma,Jane Austen", ",Penguin"),
            ("Emma,Jane Austen", "Woodhouse,"),
        ])
    func sameISBNAndOtherTitle(one: String, other: String) throws {
        #expect(try books("Title,Author,ISBN\n\(one),9780141439587\n\(other),9780141439587\n").count == 1)
    }

    @Test("a row with the ISBN of an earlier row's book and a different title and author is a book without the ISBN")
    func otherBooksISBN() throws {
        let books = try books(
            """
            Title,Author,ISBN
            Sea of Tranquility,Emily St. John Mandel,9780593321447
            The Rabbit Hutch,Tess Gunty,978-0-593-32144-7
            The Rabbit Hutch,Tess Gunty,
            Sea of Tranquility,Emily St. John Mandel,9780593321447
            """)
        #expect(books.map(\.title) == ["Sea of Tranquility", "The Rabbit Hutch"])
        #expect(books.map(\.isbn) == ["9780593321447", nil])
        #expect(books.map(\.duplicateRows) == [[4], [3]])
        #expect(books.map(\.remarks) == [[], [ImportRemark(.isbnOfOtherBook, column: "ISBN")]])
    }

    @Test("rows with the same title and author are the same book if only one of them has an ISBN")
    func sameTitle() throws {
        let books = try books(
            """
            Title,Author,ISBN
            EMMA,Jane Austen,
            Emma!,jane austen,9780141439587
            """)
        #expect(books.count == 1)
        #expect(books[0].title == "EMMA")
        #expect(books[0].isbn13 == "9780141439587")
    }

    @Test(
        "rows that differ in a number, in text in brackets, in the author or in their ISBNs are different books",
        arguments: [
            ("Saga 1,Ann Other,", "Saga 2,Ann Other,"), ("Emma,Jane Austen,", "Emma (Annotated),Jane Austen,"),
            ("Emma,Jane Austen,", "Emma,Alexander McCall Smith,"),
            ("Emma,Jane Austen,9780141439587", "Emma,Jane Austen,9780199535521"),
            ("Dune (Dune #1),Frank Herbert,", "Dune (Dune #2),Frank Herbert,"),
            ("戦争と平和 上,Tolstoy,", "戦争と平和 下,Tolstoy,"), ("C,Ann Other,", "C++,Bob Other,"),
        ])
    func different(one: String, other: String) throws {
        #expect(try books("Title,Author,ISBN\n\(one)\n\(other)\nMort,Terry Pratchett,9780552131063\n").count == 3)
    }

    @Test("a book's rows are merged by a rule for each column, such as the longest review or all tags")
    func richerCells() throws {
        let book = try #require(
            try books(
                """
                Title,Author,ISBN,Read Status,Star Rating,Dates Read,Review,Tags,Owned?,Publisher,Pages,Read Count
                Emma,Jane Austen,9780141439587,to-read,,,Good.,a,No,,,0
                Emma,Jane Austen,9780141439587,read,4.5,2020/01/01-2020/01/05,"Good, really.","b, a",Yes,Penguin,474,2
                Emma,Jane Austen,9780141439587,currently-reading,3,2019/01/01-2019/01/05,,c,,Oxford,500,1
                """
            ).first)
        #expect(book.status == .read)
        #expect(book.rating == 4.5)
        #expect(
            book.datesRead == [
                ReadingDates(start: "2019-01-01", end: "2019-01-05"),
                ReadingDates(start: "2020-01-01", end: "2020-01-05"),
            ])
        #expect(book.review == "Good, really.")
        #expect(book.tags == ["a", "b", "c"])
        #expect(book.owned == true)
        #expect(book.publisher == "Penguin")
        #expect(book.pageCount == 474)
        #expect(book.readCount == 2)
        #expect(book.duplicateRows == [2, 3])
    }

    @Test("if only one of a book's rows has a status, the other row's word becomes a shelf", arguments: [true, false])
    func shelfInStatusColumn(isFirst: Bool) throws {
        let rows = ["Emma,Jane Austen,9780141439587,beach", "Emma,Jane Austen,9780141439587,read"]
        let others = "Dune,Frank Herbert,9780441172719,read\nMort,Terry Pratchett,9780552131063,to-read\n"
        let books = try books(
            "Title,Author,ISBN,Status\n\((isFirst ? rows : rows.reversed()).joined(separator: "\n"))\n\(others)")
        #expect(books.first?.status == .read)
        #expect(books.first?.shelves == ["beach"])
    }

    @Test(
        "of several series, the first with a position is kept or, if none has one, the first",
        arguments: [
            (["Regency Novels,", "Classics,"], "Regency Novels", nil), ([",", "Classics,"], "Classics", nil),
            (["Regency Novels,", "Classics,4", "Others,5"], "Classics", "4"),
        ] as [([String], String, String?)])
    func series(rows: [String], name: String, position: String?) throws {
        let lines = rows.map { "Emma,Jane Austen,9780141439587,\($0)\n" }
        let book = try #require(try books("Title,Author,ISBN,Series,Series Number\n" + lines.joined()).first)
        #expect(book.series?.name == name)
        #expect(book.series?.position == position)
        #expect(book.duplicateRows.count == rows.count - 1)
    }

    @Test("of several dates added, the earliest is kept")
    func dateAdded() throws {
        let books = try books(
            """
            Title,Author,ISBN,Date Added
            Emma,Jane Austen,9780141439587,2021-03-05
            Emma,Jane Austen,9780141439587,2019-01-31
            Emma,Jane Austen,9780141439587,2020-12-24
            """)
        #expect(books.map(\.dateAdded) == ["2019-01-31"])
    }

    @Test("cells without a role are merged by column")
    func rawCells() throws {
        let book = try #require(
            try books(
                """
                Title,Author,ISBN,Lent to,Room
                Emma,Jane Austen,9780141439587,Ann,
                Emma,Jane Austen,9780141439587,Bob,Attic
                """
            ).first)
        #expect(book.raw["Lent to"] == "Ann")
        #expect(book.raw["Room"] == "Attic")
    }

    @Test("tens of thousands of editions with the same title and author are read quickly", .timeLimit(.minutes(1)))
    func manyEditions() throws {
        let rows = (1..<50_000).map { number in
            let digits = String(978_000_000_000 + number)
            let sum = zip(digits, 0...).reduce(0) { sum, digit in
                sum + (digit.0.wholeNumberValue ?? 0) * (digit.1.isMultiple(of: 2) ? 1 : 3)
            }
            return "Emma,Jane Austen,\(digits)\((10 - sum % 10) % 10)\n"
        }
        let books = try books("Title,Author,ISBN\nEmma,Jane Austen,\n" + rows.joined())
        #expect(books.count == 49_999)
        #expect(books.first?.duplicateRows == [2])
    }

    @Test("books are in the order of their first rows")
    func order() throws {
        let books = try books(
            "Title,Author,ISBN\nB,Ann Other,\nA,Ann Other,\nB,Ann Other,\nC,Ann Other,\nA,Ann Other,\n")
        #expect(books.map(\.title) == ["B", "A", "C"])
        #expect(books.map(\.row) == [1, 2, 4])
        #expect(books.map(\.lineNumber) == [2, 3, 5])
    }
}
