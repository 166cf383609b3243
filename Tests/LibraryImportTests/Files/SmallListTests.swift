import BookstrackContract
import LibraryImport
import Testing

/// Lists that people keep by hand: a few rows, headers in their own words, and columns that only they understand.
@Suite("Small lists with headers")
struct SmallListTests {
    private static let books = [
        ("Dune", "Frank Herbert"), ("Emma", "Jane Austen"), ("Ulysses", "James Joyce"), ("Middlemarch", "George Eliot"),
        ("Beloved", "Toni Morrison"), ("Solaris", "Stanisław Lem"), ("Persuasion", "Jane Austen"),
        ("Neuromancer", "William Gibson"), ("Mort", "Terry Pratchett"), ("Kindred", "Octavia Butler"),
    ]

    /// Reads a list of books that has an additional column at its end or at its start.
    private func read(_ header: String, _ cells: [String], first: Bool = false) throws -> ReadText {
        let lines = [("Title", "Author", header)] + zip(Self.books, cells).map { ($0.0, $0.1, $1) }
        return try ReadText(
            lines.map { title, author, cell in
                (first ? [cell, title, author] : [title, author, cell]).joined(separator: ",") + "\n"
            }.joined())
    }

    private func roles(_ read: ReadText) -> [ColumnRole?] { read.summary.source.columns.map(\.role) }

    // MARK: Small numbers

    @Test(
        "row numbers are not ratings",
        arguments: ["#", "No.", "Nr.", "", "Unnamed: 0", "Lfd. Nr."], [3, 4, 5, 8, 10])
    func rowNumbers(header: String, count: Int) throws {
        let read = try read(header, (1...count).map(String.init), first: true)
        #expect(read.books.map(\.title) == Self.books.prefix(count).map(\.0))
        #expect(read.books.allSatisfy { $0.rating == nil })
    }

    @Test("row numbers without a header are not ratings", arguments: [3, 5, 10])
    func rowNumbersWithoutHeader(count: Int) throws {
        let lines = Self.books.prefix(count).enumerated().map { "\($0 + 1),The World of \($1.0),\($1.1)\n" }
        let read = try ReadText(lines.joined())
        #expect(read.books.map(\.title) == Self.books.prefix(count).map { "The World of \($0.0)" })
        #expect(read.books.allSatisfy { $0.rating == nil })
    }

    @Test(
        "numbers under an unknown header are kept unchanged",
        arguments: [
            ("Box", ["1", "1", "2", "3", "5"]), ("Week", ["1", "3", "4", "6", "10"]),
            ("Floor", ["1", "2", "2", "3", "4"]),
            ("Kids age", ["8", "6", "4", "8", "5"]), ("Progress", ["45 %", "80 %", "100 %", "10 %", "45 %"]),
            ("Chapters", ["1", "5", "3", "4", "5"]),
        ])
    func unknownNumbers(header: String, cells: [String]) throws {
        let read = try read(header, cells)
        #expect(read.books.allSatisfy { $0.rating == nil })
        #expect(read.books.compactMap { $0.raw[header] } == cells)
    }

    @Test("a number sign in a header stands for the number in the series", arguments: ["Series #", "Book #"])
    func numberSign(header: String) throws {
        let read = try ReadText(
            "Title,Author,Series,\(header)\nMort,Terry Pratchett,Discworld,4\nEmma,Jane Austen,,\n")
        #expect(read.books.map(\.series) == [ImportedSeries(name: "Discworld", position: "4"), nil])
        #expect(read.books.allSatisfy { $0.raw.cells.isEmpty })
    }

    @Test("a number sign in a header may also stand for the number after the series' name")
    func seriesAndNumber() throws {
        let read = try read("Series & #", ["Dune #1", "", "", "", ""])
        #expect(read.books.first?.series == ImportedSeries(name: "Dune", position: "1"))
    }

    @Test("a column with the number of copies shows ownership and is not a rating")
    func copies() throws {
        let read = try read("Qty", ["1", "1", "2", "3", "1"])
        #expect(roles(read)[2] == .owned)
    }

    @Test(
        "numbers under a rating header are ratings, whatever they look like",
        arguments: [
            ("Rating", ["1", "2", "3"], [1, 2, 3]), ("Rating", ["80 %", "100 %", "45 %"], [4, 5, 2.25]),
            ("Wertung", ["5", "4", "3"], [5, 4, 3]), ("My Stars", ["4", "4", "4"], [4, 4, 4]),
            ("Bewertung", ["3", "4", "5"], [3, 4, 5]),
        ] as [(String, [String], [Double])])
    func ratings(header: String, cells: [String], ratings: [Double]) throws {
        #expect(try read(header, cells).books.compactMap(\.rating) == ratings)
    }

    @Test(
        "stars and quarter steps are ratings under any header",
        arguments: [["★★★", "★★★★★", "★"], ["4.5", "3.75", "5", "2.25"]])
    func unknownRatings(cells: [String]) throws {
        #expect(try read("Verdict", cells).books.compactMap(\.rating).count == cells.count)
    }

    // MARK: Years and dates

    @Test("years under a reading header are years of reading", arguments: ["Read", "Gelesen", "Finished", "Lu"])
    func yearsOfReading(header: String) throws {
        let read = try read(header, ["2015", "", "2019", "2022", "2022"])
        #expect(read.books.map { $0.datesRead.first?.end } == ["2015", nil, "2019", "2022", "2022"])
        #expect(read.books.map(\.status) == [.read, nil, .read, .read, .read])
        #expect(read.books.allSatisfy { $0.publicationYear == nil })
    }

    @Test("years under a header for the year of reading become reading dates")
    func namedYearsOfReading() throws {
        let read = try read("Jahr gelesen", ["2019", "2020", "2021"])
        #expect(read.books.map { $0.datesRead.first?.end } == ["2019", "2020", "2021"])
    }

    @Test("years and full dates under a reading header are both used")
    func mixedYearsOfReading() throws {
        let read = try read("Read", ["2015", "2019-05-01", "2022-01-31"])
        #expect(read.books.map { $0.datesRead.first?.end } == ["2015", "2019-05-01", "2022-01-31"])
    }

    @Test("years of purchase become the date added")
    func yearsOfBuying() throws {
        let read = try read("Bought", ["2015", "2019", "2022"])
        #expect(read.books.map(\.dateAdded) == ["2015", "2019", "2022"])
        #expect(read.books.allSatisfy { $0.publicationYear == nil })
    }

    @Test("years under an unknown header are not publication years")
    func unknownYears() throws {
        let read = try read("Holiday", ["2015", "2019", "2022"])
        #expect(read.books.allSatisfy { $0.publicationYear == nil })
        #expect(read.books.map { $0.raw["Holiday"] } == ["2015", "2019", "2022"])
    }

    @Test(
        "years under a publication header are publication years", arguments: ["Year", "Erschienen", "Published"])
    func yearsOfPublication(header: String) throws {
        #expect(try read(header, ["1965", "1815", "1922"]).books.map(\.publicationYear) == [1965, 1815, 1922])
    }

    @Test(
        "full dates under a header for the year of the first edition are years, not dates of the reader",
        arguments: ["First Published", "Date (first published)", "Date first published", "Originally published"])
    func datesOfFirstEdition(header: String) throws {
        let read = try read(header, ["1965-08-01", "1815-12-23", "1922-02-02"])
        #expect(read.books.map(\.originalYear) == [1965, 1815, 1922])
        #expect(read.books.allSatisfy { $0.dateAdded == nil })
        #expect(read.books.allSatisfy { $0.datesRead.isEmpty })
    }

    @Test(
        "full dates under a header for the year of publication are years",
        arguments: ["Year", "Year published", "Erschienen", "Erschienen am"])
    func fullDatesOfPublication(header: String) throws {
        let read = try read(header, ["1965-08-01", "1815-12-23", "1922-02-02"])
        #expect(read.books.map(\.publicationYear) == [1965, 1815, 1922])
    }

    @Test(
        "a date header is trusted even if some cells are not full dates",
        arguments: [
            (["2020-01-01", "2019"], ["2020-01-01", "2019"]), (["2020-01-01", "2019", "2018", "2017"], nil),
            (["43831", "2019-02-03", "43832"], ["2020-01-01", "2019-02-03", "2020-01-02"]),
            (["43831", "43832"], ["2020-01-01", "2020-01-02"]), (["2020-01-01", "DNF"], ["2020-01-01", nil]),
            (["2020", "2019", "2018"], nil),
        ] as [([String], [String?]?)])
    func mixedDates(cells: [String], days: [String?]?) throws {
        let expected = days ?? cells
        #expect(try read("Date Read", cells).books.map { $0.datesRead.first?.end } == expected)
        #expect(try read("Date Finished", cells).books.map { $0.datesRead.first?.end } == expected)
        #expect(try read("Date Added", cells).books.map(\.dateAdded) == expected)
        #expect(try read("Started", cells).books.map { $0.datesRead.first?.start } == expected)
    }

    @Test(
        "publication dates may be years, as in enrichment results",
        arguments: ["publication_date", "Published", "Release Date"])
    func datesOfPublication(header: String) throws {
        let cells = ["2004", "1990-09-01", "1922", "2001"]
        #expect(try read(header, cells).books.map(\.publicationYear) == [2004, 1990, 1922, 2001])
        #expect(try read(header, ["2004", "1990"]).books.map(\.publicationYear) == [2004, 1990])
    }

    @Test("dates under headers that identify them keep their roles, whatever the other columns contain")
    func contradictedDates() throws {
        let read = try ReadText(
            "Title,Author,Date Started,Date Read,Date Added\nDune,Frank Herbert,2020-03-01,2020-02-01,2021\nEmma,Jane Austen,,2019,2021-05-05\n"
        )
        #expect(read.books.map(\.dateAdded) == ["2021", "2021-05-05"])
        #expect(
            read.books.map(\.datesRead) == [
                [ReadingDates(start: "2020-03-01", end: "2020-02-01")], [ReadingDates(end: "2019")],
            ])
    }

    @Test(
        "a note in a reading date's header does not change the header's meaning",
        arguments: [
            "Date read (YYYY-MM-DD)", "Date finished (dd/mm/yyyy)", "Read on (date)", "Gelesen am [TT.MM.JJJJ]",
        ])
    func notedDates(header: String) throws {
        let read = try read(header, ["2020-01-31", "2019-02-03", "2021-12-24"])
        #expect(read.books.map { $0.datesRead.first?.end } == ["2020-01-31", "2019-02-03", "2021-12-24"])
        #expect(read.books.allSatisfy { $0.status == .read })
        #expect(read.books.allSatisfy { $0.dateAdded == nil })
    }

    @Test("dates under the header `Date` are dates added if every book has one, and otherwise reading dates")
    func plainDates() throws {
        let full = try read("Date", ["2020-01-31", "2019-02-03", "2021-12-24"])
        #expect(full.books.map(\.dateAdded) == ["2020-01-31", "2019-02-03", "2021-12-24"])
        let partial = try read("Date", ["2020-01-31", "", "2021-12-24"])
        #expect(partial.books.map { $0.datesRead.first?.end } == ["2020-01-31", nil, "2021-12-24"])
    }

    @Test(
        "dates under an unknown header have no role",
        arguments: ["Due", "Loaned on", "Return date", "Birthday", "Verliehen am"])
    func unknownDates(header: String) throws {
        let read = try read(header, ["2020-01-31", "2019-02-03", "2021-12-24"])
        #expect(read.books.map { $0.raw[header] } == ["2020-01-31", "2019-02-03", "2021-12-24"])
        #expect(read.books.allSatisfy { $0.dateAdded == nil })
        #expect(read.books.allSatisfy { $0.datesRead.isEmpty })
    }

    // MARK: Ratings

    @Test(
        "ratings have the scale of ten that a note in their header states",
        arguments: [
            "Rating (1-10)", "Rating 1-10", "Rating [1-10]", "Rating (0-10)", "Rating (of 10)", "Score (1-10)",
            "My rating (1-10)", "Rating 1–10", "Rating (out of 10 stars)",
        ])
    func ratingsOfTen(header: String) throws {
        #expect(try read(header, ["5", "4", "3"]).books.map(\.rating) == [2.5, 2, 1.5])
        #expect(try read(header, ["10", "7", "1"]).books.map(\.rating) == [5, 3.5, 0.5])
    }

    @Test(
        "ratings have the scale of five that a note in their header states",
        arguments: ["Rating (1-5)", "Stars (1-5)", "Your Rating (out of 5 stars)"])
    func ratingsOfFive(header: String) throws {
        #expect(try read(header, ["5", "4", "3"]).books.map(\.rating) == [5, 4, 3])
    }

    @Test(
        "average ratings are not the reader's", arguments: ["Rating (community)", "Rating (average)", "Average rating"])
    func averageRatings(header: String) throws {
        #expect(try read(header, ["4.5", "3.75", "4.25"]).books.map(\.rating) == [nil, nil, nil])
    }

    // MARK: Words with several meanings

    @Test("a note in the header of a yes/no column does not change the header's meaning")
    func notedFlags() throws {
        let read = try read("Read (Y/N)", ["Y", "N", "Y"])
        #expect(read.books.map(\.status) == [.read, nil, .read])
        #expect(read.books.allSatisfy { $0.statusRaw == nil })
    }

    @Test("a type column may contain bindings or media types")
    func types() throws {
        let bindings = try read("Type", ["Paperback", "Hardcover", "Ebook"])
        #expect(bindings.books.map(\.format) == [.paperback, .hardcover, .ebook])
        let media = try read("Type", ["Book", "DVD", "Book"])
        #expect(media.books.map(\.title) == ["Dune", "Ulysses"])
    }

    @Test("a cover column may contain bindings or the addresses of images")
    func covers() throws {
        let bindings = try read("Cover", ["Paperback", "Hardcover", "Folio Society"])
        #expect(bindings.books.map(\.format) == [.paperback, .hardcover, nil])
        let addresses = (1...3).map { "https://covers.example/\($0).jpg" }
        let images = try read("cover", addresses)
        #expect(roles(images) == [.title, .author, .ignore])
        #expect(images.books.allSatisfy { $0.raw.cells.isEmpty })
    }

    @Test("book prices are not ratings")
    func costs() throws {
        #expect(try read("Cost", ["3.50", "4.25", "5.00", "2.75"]).books.map(\.rating) == [nil, nil, nil, nil])
    }

    // MARK: Titles

    @Test(
        "titles may be numbers or dates if the header identifies them",
        arguments: [["1984"], ["2666"], ["11/22/63"], ["1984", "2666", "11/22/63"], ["300", "Emma"]])
    func numbersAsTitles(titles: [String]) throws {
        let read = try ReadText("Title,Author\n" + titles.map { "\($0),Ann Other\n" }.joined())
        #expect(read.books.map(\.title) == titles)
        #expect(read.books.allSatisfy { $0.author == "Ann Other" })
    }

    @Test("a list with few titles is read, and rows without a title are errors")
    func fewTitles() throws {
        let read = try ReadText("Title,Author\n,Ann Other\n,Jane Doe\nEmma,Jane Austen\n,John Doe\n")
        #expect(read.books.map(\.title) == ["Emma"])
        #expect(read.errors.map(\.row) == [1, 2, 4])
    }

    @Test("a column of ISBNs is not a title, even if its header says so")
    func numbersAboveISBNs() throws {
        #expect(throws: ImportFailure.self) {
            try ReadText("Title,Author\n9780141439587,Jane Austen\n9780441172719,Frank Herbert\n")
        }
    }

    /// Two different numbers do not look like ratings, and `Note` alone may also be the header of notes.
    @Test("numbers under `Note /20` are French ratings, even if most are the same")
    func ratingsOutOfTwenty() throws {
        #expect(try read("Note /20", ["18", "10", "10"]).books.map(\.rating) == [4.5, 2.5, 2.5])
    }

    @Test("dates under `Start` and `End` are those of a reading")
    func startAndEnd() throws {
        let read = try ReadText("Title,Author,Start,End\nEmma,Jane Austen,2023-01-02,2023-01-14\n")
        #expect(read.books.map(\.datesRead) == [[ReadingDates(start: "2023-01-02", end: "2023-01-14")]])
    }

    /// As in Zotero's exports, where `Date` is the date of publication.
    @Test("dates under `Date` beside dates added are kept unchanged, because they may be any dates")
    func dateBesideDateAdded() throws {
        let read = try ReadText(
            """
            Publication Year,Author,Title,Date,Date Added
            2012,"Kahneman, Daniel","Thinking, fast and slow",2012,2021-03-01 10:00:00
            2003,"Austen, Jane",Emma,2003-05-01,2021-04-01 10:00:00
            1999,"Herbert, Frank",Dune,1999-01,2021-05-01 10:00:00
            """)
        #expect(read.books.allSatisfy { $0.datesRead.isEmpty })
        #expect(read.books.map(\.dateAdded) == ["2021-03-01", "2021-04-01", "2021-05-01"])
        #expect(read.books.map { $0.raw["Date"] } == ["2012", "2003-05-01", "1999-01"])
    }
}
