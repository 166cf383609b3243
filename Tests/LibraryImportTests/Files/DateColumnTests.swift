import BookstrackContract
import LibraryImport
import Testing

@Suite("Columns of years and dates")
struct DateColumnTests {
    @Test("years under a reading header are years of reading", arguments: ["Read", "Gelesen", "Finished", "Lu"])
    func yearsOfReading(header: String) throws {
        let read = try SmallList.read(header, ["2015", "", "2019", "2022", "2022"])
        #expect(read.books.map { $0.datesRead.first?.end } == ["2015", nil, "2019", "2022", "2022"])
        #expect(read.books.map(\.status) == [.read, nil, .read, .read, .read])
        #expect(read.books.allSatisfy { $0.publicationYear == nil })
    }

    @Test("years under a header for the year of reading become reading dates")
    func namedYearsOfReading() throws {
        let read = try SmallList.read("Jahr gelesen", ["2019", "2020", "2021"])
        #expect(read.books.map { $0.datesRead.first?.end } == ["2019", "2020", "2021"])
    }

    @Test("years and full dates under a reading header are both used")
    func mixedYearsOfReading() throws {
        let read = try SmallList.read("Read", ["2015", "2019-05-01", "2022-01-31"])
        #expect(read.books.map { $0.datesRead.first?.end } == ["2015", "2019-05-01", "2022-01-31"])
    }

    @Test("years of purchase become the date added")
    func yearsOfBuying() throws {
        let read = try SmallList.read("Bought", ["2015", "2019", "2022"])
        #expect(read.books.map(\.dateAdded) == ["2015", "2019", "2022"])
        #expect(read.books.allSatisfy { $0.publicationYear == nil })
    }

    @Test("years under an unknown header are not publication years")
    func unknownYears() throws {
        let read = try SmallList.read("Holiday", ["2015", "2019", "2022"])
        #expect(read.books.allSatisfy { $0.publicationYear == nil })
        #expect(read.books.map { $0.raw["Holiday"] } == ["2015", "2019", "2022"])
    }

    @Test(
        "years under a publication header are publication years", arguments: ["Year", "Erschienen", "Published"])
    func yearsOfPublication(header: String) throws {
        #expect(
            try SmallList.read(header, ["1965", "1815", "1922"]).books.map(\.publicationYear) == [1965, 1815, 1922])
    }

    @Test(
        "full dates under a header for the year of the first edition are years, not dates of the reader",
        arguments: ["First Published", "Date (first published)", "Date first published", "Originally published"])
    func datesOfFirstEdition(header: String) throws {
        let read = try SmallList.read(header, ["1965-08-01", "1815-12-23", "1922-02-02"])
        #expect(read.books.map(\.originalYear) == [1965, 1815, 1922])
        #expect(read.books.allSatisfy { $0.dateAdded == nil })
        #expect(read.books.allSatisfy { $0.datesRead.isEmpty })
    }

    @Test(
        "full dates under a header for the year of publication are years",
        arguments: ["Year", "Year published", "Erschienen", "Erschienen am"])
    func fullDatesOfPublication(header: String) throws {
        let read = try SmallList.read(header, ["1965-08-01", "1815-12-23", "1922-02-02"])
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
        #expect(try SmallList.read("Date Read", cells).books.map { $0.datesRead.first?.end } == expected)
        #expect(try SmallList.read("Date Finished", cells).books.map { $0.datesRead.first?.end } == expected)
        #expect(try SmallList.read("Date Added", cells).books.map(\.dateAdded) == expected)
        #expect(try SmallList.read("Started", cells).books.map { $0.datesRead.first?.start } == expected)
    }

    @Test(
        "publication dates may be years, as in enrichment results",
        arguments: ["publication_date", "Published", "Release Date"])
    func datesOfPublication(header: String) throws {
        let cells = ["2004", "1990-09-01", "1922", "2001"]
        #expect(try SmallList.read(header, cells).books.map(\.publicationYear) == [2004, 1990, 1922, 2001])
        #expect(try SmallList.read(header, ["2004", "1990"]).books.map(\.publicationYear) == [2004, 1990])
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
        let read = try SmallList.read(header, ["2020-01-31", "2019-02-03", "2021-12-24"])
        #expect(read.books.map { $0.datesRead.first?.end } == ["2020-01-31", "2019-02-03", "2021-12-24"])
        #expect(read.books.allSatisfy { $0.status == .read })
        #expect(read.books.allSatisfy { $0.dateAdded == nil })
    }

    @Test("dates under the header `Date` are dates added if every book has one, and otherwise reading dates")
    func plainDates() throws {
        let full = try SmallList.read("Date", ["2020-01-31", "2019-02-03", "2021-12-24"])
        #expect(full.books.map(\.dateAdded) == ["2020-01-31", "2019-02-03", "2021-12-24"])
        let partial = try SmallList.read("Date", ["2020-01-31", "", "2021-12-24"])
        #expect(partial.books.map { $0.datesRead.first?.end } == ["2020-01-31", nil, "2021-12-24"])
    }

    @Test(
        "dates under an unknown header have no role",
        arguments: ["Due", "Loaned on", "Return date", "Birthday", "Verliehen am"])
    func unknownDates(header: String) throws {
        let read = try SmallList.read(header, ["2020-01-31", "2019-02-03", "2021-12-24"])
        #expect(read.books.map { $0.raw[header] } == ["2020-01-31", "2019-02-03", "2021-12-24"])
        #expect(read.books.allSatisfy { $0.dateAdded == nil })
        #expect(read.books.allSatisfy { $0.datesRead.isEmpty })
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
