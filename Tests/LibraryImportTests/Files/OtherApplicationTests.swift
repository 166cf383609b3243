import BookstrackContract
import LibraryImport
import Testing

/// Exports of applications that have no format of their own here: their columns are recognized by headers and cells.
@Suite("Exports of other applications")
struct OtherApplicationTests {
    @Test("Zotero's articles and web pages are not books, and the number in a series is not that of an issue")
    func zotero() throws {
        let read = try ReadText(
            """
            "Key","Item Type","Publication Year","Author","Title","ISBN","Num Pages","Issue","Series","Series Number"
            "A","book","1990","Herbert, Frank","Dune","978-0-441-17271-9","535","","Dune chronicles","1"
            "B","journalArticle","2001","Smith, John; Miller, Ann","On sand","","","3","",""
            "C","webpage","2002","Smith, John","On dunes","","","","",""
            """)
        let dune = try #require(read.books.first)
        #expect(read.books.count == 1)
        #expect(dune.author == "Frank Herbert")
        #expect(dune.pageCount == 535)
        #expect(dune.series == ImportedSeries(name: "Dune chronicles", position: "1"))
        #expect(read.skipped.map(\.reason) == [.otherMedia, .otherMedia])
    }

    @Test("the number in the series and the publisher of an audiobook from Audible are recognized")
    func audible() throws {
        let read = try ReadText(
            """
            ASIN,Title,Series,Book Numbers,Authors,Narrators,Length,Progress,Release Date,Publishers,My Rating
            B002V1OF70,Dune,Dune,1,Frank Herbert,"Scott Brick, Anna Smith",21h 2m,Finished,2006-12-31,Macmillan Audio,5
            B00ABCDEF1,Emma,,,Jane Austen,Anna Smith,16h 39m,3h left,2010-01-31,Naxos,
            """)
        #expect(read.books.map(\.authors) == [["Frank Herbert"], ["Jane Austen"]])
        #expect(read.books.map(\.series) == [ImportedSeries(name: "Dune", position: "1"), nil])
        #expect(read.books.map(\.publisher) == ["Macmillan Audio", "Naxos"])
        #expect(read.books.map(\.ids.asin) == ["B002V1OF70", "B00ABCDEF1"])
    }

    @Test("headers for the dates of reading may end in the word date")
    func bookTracker() throws {
        let read = try ReadText(
            """
            Title,Author,Reading Status,Purchase Date,Start Reading Date,Finish Reading Date
            Dune,Frank Herbert,Read,13/02/2020,14/02/2020,20/03/2020
            Emma,Jane Austen,To Read,13/02/2020,,
            """)
        #expect(read.books.map(\.datesRead) == [[ReadingDates(start: "2020-02-14", end: "2020-03-20")], []])
        #expect(read.books.map(\.dateAdded) == ["2020-02-13", "2020-02-13"])
    }

    @Test("the publisher in a file from NeverTooManyBooks, which continues Book Catalogue, is recognized")
    func neverTooManyBooks() throws {
        let read = try ReadText(
            """
            _id,title,author_details,series_details,isbn,publisher_details,read
            1,Dune,"Herbert, Frank",Dune (1),9780441172719,Ace,1
            2,Good Omens,"Pratchett, Terry|Gaiman, Neil",,9780060853983,Morrow,0
            """)
        #expect(read.summary.source.format == .bookCatalogue)
        #expect(read.books.map(\.publisher) == ["Ace", "Morrow"])
    }

    @Test("the rows of highlights in a file from Readwise become their books")
    func readwise() throws {
        let read = try ReadText(
            """
            Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Location,Highlighted at
            Fear is the mind-killer.,Dune,Frank Herbert,B00B7NPRY8,,yellow,123,2021-05-06 10:00:00+00:00
            The mystery of life is not a problem.,Dune,Frank Herbert,B00B7NPRY8,,yellow,523,2021-05-07 10:00:00+00:00
            "Handsome, clever, and rich",Emma,Jane Austen,B0084AZXKK,,yellow,1,2021-06-07 10:00:00+00:00
            """)
        #expect(read.books.map(\.title) == ["Dune", "Emma"])
        #expect(read.books.map(\.ids.asin) == ["B00B7NPRY8", "B0084AZXKK"])
        #expect(read.books.map(\.duplicateRows) == [[2], []])
    }

    @Test("the books of a Kindle's clippings are recognized, whatever was clipped")
    func kindleClippings() throws {
        let clippings = [
            "Dune (Dune Chronicles Book 1) (Frank Herbert)", "Emma (Austen, Jane)", "Dune (Frank Herbert)",
        ]
        let read = try ReadText(
            clippings.map { "\($0)\n- Your Highlight on page 12 | Added on Monday\n\nSome, words\n==========\n" }
                .joined())
        #expect(read.books.map(\.title) == ["Dune", "Emma", "Dune"])
        #expect(read.books.map(\.author) == ["Frank Herbert", "Jane Austen", "Frank Herbert"])
        #expect(read.books.map(\.lineNumber) == [1, 6, 11])
        #expect(read.summary.source.format == .titleList)
        #expect(read.summary.totalRows == 3)
    }

    @Test("the notes on one book that a Kindle exports are not books")
    func kindleNotebook() throws {
        let text = """
            "Your Kindle Notes For:",,,
            "DUNE",,,
            "by Frank Herbert",,,
            "----------------------------------------------",,,
            ,,,
            "Annotation Type","Location","Starred?","Annotation"
            "Highlight (Yellow)","Location 123","","I must not fear. Fear is the mind-killer."
            "Highlight (Yellow)","Location 523","","The mystery of life isn't a problem to solve."
            "Note","Location 600","★","Check the appendix."

            """
        let columns = ["Annotation Type", "Location", "Starred?", "Annotation"]
        #expect(throws: ImportFailure.noUsableColumn(found: columns)) { try ReadText(text) }
    }
}
