import BookstrackContract
import LibraryImport
import Testing

/// How files record reading statuses: in an application's words, as shelves, or by dates, counts and flags. An unknown word does not become a status.
@Suite("Reading statuses in files")
struct StatusInferenceTests {
    private func books(_ header: String, _ rows: [String]) throws -> [ImportedBook] {
        try ReadText(([header] + rows).joined(separator: "\n") + "\n").books
    }

    private func goodreads(shelf: String, dateRead: String = "", readCount: String = "0") throws -> ImportedBook {
        let row = "1,Emma,Jane Austen,\"Austen, Jane\",,,,0,\(dateRead),2021/01/02,\(shelf),\(shelf),,\(readCount)"
        let header =
            "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Read Count"
        return try #require(try books(header, [row]).first)
    }

    @Test(
        "Goodreads' exclusive shelf is the status",
        arguments: [
            ("read", ReadingStatus.read), ("to-read", .toRead), ("currently-reading", .reading),
            ("did-not-finish", .didNotFinish), ("abandoned", .didNotFinish), ("unfinished", .didNotFinish),
        ])
    func exclusiveShelves(shelf: String, status: ReadingStatus) throws {
        #expect(try goodreads(shelf: shelf).status == status)
    }

    @Test(
        "an unknown shelf is kept unchanged and does not become a status",
        arguments: ["waiting", "ai-books", "leseliste-2020"])
    func unknownShelf(shelf: String) throws {
        let book = try goodreads(shelf: shelf)
        #expect(book.status == nil)
        #expect(book.statusRaw == shelf)
    }

    @Test("a book on an unknown shelf counts as read if it has a reading date or a read count")
    func inferred() throws {
        #expect(try goodreads(shelf: "waiting", dateRead: "2020/11/01").status == .read)
        #expect(try goodreads(shelf: "waiting", readCount: "1").status == .read)
    }

    @Test(
        "StoryGraph's status words are recognized",
        arguments: [
            ("to-read", ReadingStatus.toRead), ("read", .read), ("currently-reading", .reading),
            ("did-not-finish", .didNotFinish), ("paused", .paused),
        ])
    func storygraph(word: String, status: ReadingStatus) throws {
        let header =
            "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Star Rating,Review,Tags,Owned?"
        let book = try #require(
            try books(header, ["Emma,Jane Austen,,b1d8b1a2-7777,digital,\(word),2021/01/02,,,0,,,,,,No"]).first)
        #expect(book.status == status)
        #expect(book.owned == false)
        #expect(book.isbn == nil)
        #expect(book.remarks.isEmpty)
        #expect(book.format == .ebook)
    }

    @Test(
        "Openreads' status words are recognized",
        arguments: [
            ("finished", ReadingStatus.read), ("in_progress", .reading), ("planned", .toRead),
            ("abandoned", .didNotFinish),
        ])
    func openreads(word: String, status: ReadingStatus) throws {
        let header =
            "title,subtitle,author,description,status,favourite,deleted,rating,pages,publication_year,isbn,olid,tags,my_review,notes,book_format,readings,date_added,date_modified"
        let book = try #require(
            try books(
                header, ["Emma,,Jane Austen,,\(word),false,false,,474,2003,9780141439587,,,,,paperback,,2021-01-02,"]
            ).first)
        #expect(book.status == status)
    }

    @Test(
        "Hardcover's status words are recognized",
        arguments: [
            ("Want to Read", ReadingStatus.toRead), ("Currently Reading", .reading), ("Read", .read),
            ("Did Not Finish", .didNotFinish),
        ])
    func hardcover(word: String, status: ReadingStatus) throws {
        let header =
            "Title,Author,Series,Status,Privacy,Hardcover Book ID,ISBN 10,ISBN 13,Media,Binding,Lists,Date Added,Date Started,Date Finished,Rating,Review Slate"
        let book = try #require(
            try books(header, ["Emma,Jane Austen,,\(word),Public,1,,9780141439587,Book,,,2021-01-02,,,,"]).first)
        #expect(book.status == status)
    }

    @Test(
        "Babelio's status words and its rating out of five are recognized",
        arguments: [("Lu", ReadingStatus.read), ("À lire", .toRead), ("En cours", .reading), ("Pense-bête", .toRead)])
    func babelio(word: String, status: ReadingStatus) throws {
        let text = """
            "ISBN";"Titre";"Auteur";"Editeur";"Date de publication";"Date d`entrée dans Babelio";"Statut";"Note"
            "9780141439587";"Emma";"Austen Jane";"10/18";"2003-05-06";"02/01/2021";"\(word)";"4"
            """
        let book = try #require(try ReadText(text.replacing("\n", with: "\r\n")).books.first)
        #expect(book.status == status)
        #expect(book.rating == 4)
        #expect(book.author == "Jane Austen")
        #expect(book.publisher == "10/18")
        #expect(book.dateAdded == "2021-01-02")
    }

    @Test(
        "Libib's status words are recognized",
        arguments: [
            ("Not begun", ReadingStatus.toRead), ("In progress", .reading), ("Completed", .read),
            ("Abandoned", .didNotFinish),
        ])
    func libib(word: String, status: ReadingStatus) throws {
        let header =
            "item_type,title,creators,first_name,last_name,collection,ean_isbn13,upc_isbn10,description,publisher,publish_date,tags,notes,length,rating,review,status,began,completed,added,copies"
        let book = try #require(
            try books(
                header,
                ["book,Emma,Jane Austen,Jane,Austen,Home,9780141439587,,,Penguin,2003,,,474,,,\(word),,,2021-01-02,1"]
            ).first)
        #expect(book.status == status)
        #expect(book.pageCount == 474)
    }

    @Test("Leaf's status words are recognized")
    func leaf() throws {
        let header =
            "Title,Author,ISBN,Status,Date Added,Date Started,Date Finished,Rating,Progress,Progress Unit"
        let read = try books(
            header,
            [
                "A,Ann Other,,Reading,2021-01-02,,,,,pages", "B,Ann Other,,Want to Read,2021-01-02,,,,,pages",
                "C,Ann Other,,Finished,2021-01-02,,,,,pages", "D,Ann Other,,Dropped,2021-01-02,,,,,pages",
            ])
        #expect(read.map(\.status) == [.reading, .toRead, .read, .didNotFinish])
    }

    @Test("in a file without statuses, a book with a reading date counts as read, and a book without one has no status")
    func noStatus() throws {
        let read = try books(
            "Title,Author,ISBN,Date Read", ["Emma,Jane Austen,9780141439587,2021-03-05", "Dune,Frank Herbert,,"])
        #expect(read[0].status == .read)
        #expect(read[0].datesRead == [ReadingDates(end: "2021-03-05")])
        #expect(read[1].status == nil)
        #expect(read[1].statusRaw == nil)
    }

    @Test("in a file without statuses, a shelf that names a status takes precedence over the reading date")
    func shelvedStatus() throws {
        let rows = [
            "Emma,Jane Austen,to-read,", "Dune,Frank Herbert,read,2021-03-05", "Mort,Terry Pratchett,dnf,2020-01-31",
            "Ulysses,James Joyce,favourites,2019-05-01", "Solaris,Stanisław Lem,scifi,",
            "Kindred,Octavia Butler,\"scifi, owned\",2018-07-15", "Beloved,Toni Morrison,owned,",
        ]
        let read = try books("Title,Author,Shelf,Date Read", rows)
        #expect(read.map(\.status) == [.toRead, .read, .didNotFinish, .read, nil, .read, .owned])
        #expect(read.map(\.shelves) == [[], [], [], ["favourites"], ["scifi"], ["scifi", "owned"], []])
    }

    @Test("in a Goodreads export without exclusive shelves, the other shelves show the status")
    func goodreadsWithoutExclusiveShelf() throws {
        let read = try books(
            "Book Id,Title,Author,Author l-f,ISBN,ISBN13,My Rating,Date Read,Date Added,Bookshelves",
            [
                "1,Emma,Jane Austen,\"Austen, Jane\",,,0,2021/03/05,2021/01/02,\"classics, did-not-finish\"",
                "2,Dune,Frank Herbert,\"Herbert, Frank\",,,0,,2021/01/02,to-read",
            ])
        #expect(read.map(\.status) == [.didNotFinish, .toRead])
        #expect(read.map(\.shelves) == [["classics"], []])
    }

    @Test(
        "a yes/no column that a user has added to an export shows which books have been read",
        arguments: ["#read", "Read (Y/N)"])
    func addedColumn(header: String) throws {
        let read = try books(
            "authors,author_sort,title,title_sort,identifiers,timestamp,uuid,\(header)",
            ["Jane Austen,\"Austen, Jane\",Emma,Emma,,,,Yes", "Frank Herbert,\"Herbert, Frank\",Dune,Dune,,,,No"])
        #expect(read.map(\.status) == [.read, nil])
    }

    @Test("books in Open Library's reading log have statuses and work identifiers but no titles")
    func readingLog() throws {
        let read = try books(
            "Work Id,Edition Id,Bookshelf",
            ["OL66562W,OL2M,Already Read", "OL893415W,,Want to Read", "OL27258W,,Currently Reading"])
        #expect(read.map(\.status) == [.read, .toRead, .reading])
        #expect(read.map(\.ids.openLibraryWork) == ["OL66562W", "OL893415W", "OL27258W"])
        #expect(read.map(\.title) == ["", "", ""])
    }
}
