import BookstrackContract
import LibraryImport
import Testing

/// Damage that spreadsheets and exporters cause, such as lost ISBN digits, swapped days and months, and unreadable cells.
/// Unless the title or the author is damaged, only the affected cell is lost.
@Suite("Files damaged by spreadsheets")
struct DamagedFileTests {
    private func books(_ text: String) throws -> [ImportedBook] { try ReadText(text).books }

    private func remarks(_ book: ImportedBook) -> [ImportRemark.Code] { book.remarks.map(\.code) }

    @Test("an ISBN in scientific notation is lost, and the other ISBN column is used")
    func scientific() throws {
        let books = try books(
            """
            Title,Author,ISBN,ISBN13
            Emma,Jane Austen,0141439580,9.78E+12
            Dune,Frank Herbert,,9.78044E+12
            Mort,Terry Pratchett,,9780552131063
            """)
        #expect(books.map(\.isbn13) == ["9780141439587", nil, "9780552131063"])
        #expect(books[0].isbnRepair == nil)
        #expect(books[1].isbnRepair == "lost")
        #expect(remarks(books[1]) == [.isbnLost])
        #expect(books[1].remarks.first?.column == "ISBN13")
    }

    @Test("an ISBN among Calibre's identifiers replaces one that is lost")
    func identifiersInsteadOfLostISBN() throws {
        let book = try #require(
            try ReadText(
                """
                authors,author_sort,title,isbn,identifiers,uuid
                Jane Austen,"Austen, Jane",Emma,9.78014E+12,"isbn:9780141439587,goodreads:6969",0c9e
                Frank Herbert,"Herbert, Frank",Dune,9780441172719,,0c9f
                """
            ).books.first)
        #expect(book.isbn13 == "9780141439587")
        #expect(book.isbnRepair == nil)
    }

    @Test("spreadsheet error values count as empty cells")
    func formulaErrors() throws {
        let read = try ReadText(
            "Title,Author,Publisher\nEmma,#N/A,#REF!\nDune,Frank Herbert,Ace\n#N/A,Ann Other,Ace\nMort,Terry Pratchett,#VALUE!\n"
        )
        #expect(read.books.map(\.author) == ["", "Frank Herbert", "Terry Pratchett"])
        #expect(read.books.map(\.publisher) == [nil, "Ace", nil])
        #expect(read.errors.map(\.row) == [3])
    }

    @Test("leading zeros that a spreadsheet dropped are restored and reported")
    func leadingZeros() throws {
        let books = try books("Title,Author,ISBN\nEmma,Jane Austen,141439580\nDune,Frank Herbert,0441172717\n")
        #expect(books[0].isbn13 == "9780141439587")
        #expect(books[0].isbnRepair == "lost_leading_zeros")
        #expect(remarks(books[0]) == [.isbnRestored])
        #expect(books[1].isbnRepair == nil)
    }

    @Test("an ISBN with a wrong check digit is reported, and its book is kept")
    func wrongCheckDigit() throws {
        let books = try books("Title,Author,ISBN\nEmma,Jane Austen,9780141439588\nDune,Frank Herbert,9780441172719\n")
        #expect(books[0].isbn == nil)
        #expect(books[0].title == "Emma")
        #expect(remarks(books[0]) == [.isbnInvalid])
        #expect(books[0].remarks.first?.column == "ISBN")
    }

    @Test("a single day above twelve proves the date order of the whole file")
    func provenOrder() throws {
        let european = try books(
            """
            Title,Author,ISBN,Date Read
            Emma,Jane Austen,9780141439587,03/04/2021
            Dune,Frank Herbert,9780441172719,25/12/2020
            """)
        #expect(european.map { $0.datesRead.first?.end } == ["2021-04-03", "2020-12-25"])
        let american = try books(
            """
            Title,Author,ISBN,Date Read
            Emma,Jane Austen,9780141439587,03/04/2021
            Dune,Frank Herbert,9780441172719,12/25/2020
            """)
        #expect(american.map { $0.datesRead.first?.end } == ["2021-03-04", "2020-12-25"])
    }

    @Test("if nothing proves the date order, an ambiguous date keeps only its year and is reported in a remark")
    func ambiguous() throws {
        let book = try #require(
            try books(
                """
                Title,Author,ISBN,Date Read
                Emma,Jane Austen,9780141439587,03/04/2021
                Dune,Frank Herbert,9780441172719,05/06/2020
                """
            ).first)
        #expect(book.datesRead == [ReadingDates(end: "2021")])
        #expect(remarks(book) == [.dateAmbiguous])
    }

    @Test("if a date, rating, number or year is unreadable, only its own cell is lost")
    func unreadable() throws {
        let books = try books(
            """
            Title,Author,ISBN,Date Read,My Rating,Pages,Year Published
            Emma,Jane Austen,9780141439587,2021-03-05,4,474,2003
            Dune,Frank Herbert,9780441172719,2020-12-24,5,535,1990
            Utopia,Thomas More,9780140449105,2020-11-01,3,176,2004
            Persuasion,Jane Austen,9780141439686,2020-10-01,4,249,2003
            Sourcery,Terry Pratchett,9780552131070,2020-09-01,3,270,1989
            Hamlet,William Shakespeare,9780141396507,2020-08-01,5,400,2015
            Mort,Terry Pratchett,9780552131063,whenever,great,many,n.d.
            """)
        let mort = books[6]
        #expect(mort.title == "Mort")
        #expect(mort.isbn13 == "9780552131063")
        #expect(mort.datesRead.isEmpty)
        #expect(mort.rating == nil)
        #expect(mort.ratingRaw == "great")
        #expect(mort.pageCount == nil)
        #expect(mort.publicationYear == nil)
        #expect(
            Set(remarks(mort)) == [.dateUnreadable, .ratingUnreadable, .numberUnreadable, .yearUnreadable])
        #expect(remarks(books[0]).isEmpty)
    }

    @Test("a row with more cells than the header is read and has a remark")
    func raggedRow() throws {
        let books = try books(
            "Title,Author,ISBN\nEmma,Jane Austen,9780141439587\nDune,Frank Herbert,9780441172719,more,and more\n")
        #expect(books[1].title == "Dune")
        #expect(remarks(books[1]) == [.raggedRow])
    }

    @Test("an ISBN in a cell after the last column is found")
    func shiftedISBN() throws {
        let books = try books(
            "Title,Author,ISBN\nEmma,Jane Austen,9780141439587\nDune,Frank,Herbert,9780441172719\n")
        #expect(books[1].isbn13 == "9780441172719")
    }

    @Test("rows with undecodable text fail again if their download is imported without corrections")
    func undecodableRows() throws {
        let read = try ReadText(
            "Title,Author\nWho G\u{FFFD}es There?,John Campbell\nEmma,Jane Austen\nDune,Frank H\u{FFFD}rbert\n")
        #expect(read.books.map(\.title) == ["Emma"])
        #expect(read.errors.map { $0.raw["Title"] } == ["Who G␦es There?", "Dune"])
        #expect(read.errors.map { $0.raw["Author"] } == ["John Campbell", "Frank H␦rbert"])
        let csv = FailedRowsCSV(source: read.summary.source)
        let again = try ReadText(csv.header + read.errors.map(csv.line).joined())
        #expect(again.books.isEmpty)
        #expect(again.errors.map(\.code) == [.undecodable, .undecodable])
        #expect(again.errors.map { $0.raw["Title"] } == read.errors.map { $0.raw["Title"] })
        #expect(again.errors.map { $0.raw["Author"] } == read.errors.map { $0.raw["Author"] })
    }

    @Test("a rating above five sets the column's scale to ten")
    func scaleOfTen() throws {
        let books = try books(
            """
            Title,Author,ISBN,Rating
            Emma,Jane Austen,9780141439587,8
            Dune,Frank Herbert,9780441172719,10
            Mort,Terry Pratchett,9780552131063,5
            """)
        #expect(books.map(\.rating) == [4, 5, 2.5])
        #expect(books.map(\.ratingRaw) == ["8", "10", "5"])
    }

    @Test("LibraryThing's brackets around dates and numbers are removed")
    func brackets() throws {
        let book = try #require(
            try books(
                """
                Book Id\tTitle\tPrimary Author\tSecondary Author\tSecondary Author Roles\tPublication\tDate\tRating\tMedia\tDate Started\tDate Read\tTags\tCollections\tISBN\tEntry Date
                7\tEmma\tAusten, Jane\t\t\tPenguin (2003), Paperback\t2003\t4\tPaperback\t[2021-02-01]\t[2021-03-05]\tclassics\tYour library\t[0141439580]\t[2021-01-02]
                """
            ).first)
        #expect(book.isbn13 == "9780141439587")
        #expect(book.datesRead == [ReadingDates(start: "2021-02-01", end: "2021-03-05")])
        #expect(book.publisher == "Penguin")
        #expect(book.ids.librarythingId == "7")
        #expect(book.author == "Jane Austen")
    }

    @Test("Calibre's identifiers are read, and its time zones and unknown dates cause no remarks")
    func calibre() throws {
        let book = try #require(
            try books(
                """
                authors,author_sort,rating,timestamp,isbn,identifiers,tags,series,series_index,languages,title,publisher,pubdate,uuid
                Jane Austen & John Mullan,"Austen, Jane & Mullan, John",4,2021-01-02T10:00:00+01:00,,"isbn:9780141439587,goodreads:6969,amazon:B00KS3RQEQ,google:abc_DEF,openlibrary:OL2M",classics,Novels,4.0,eng,Emma,Penguin,0101-01-01T00:00:00+00:00,0c9e
                """
            ).first)
        #expect(book.isbn13 == "9780141439587")
        #expect(book.ids.goodreadsBookId == "6969")
        #expect(book.ids.asin == "B00KS3RQEQ")
        #expect(book.ids.googleVolumeId == "abc_DEF")
        #expect(book.ids.openLibraryEdition == "OL2M")
        #expect(book.authors == ["Jane Austen", "John Mullan"])
        #expect(book.series == ImportedSeries(name: "Novels", position: "4"))
        #expect(book.publicationYear == nil)
        #expect(book.remarks.isEmpty)
    }
}
