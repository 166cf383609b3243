import BookstrackContract
import LibraryImport
import Testing

/// Peculiarities of applications' exports.
@Suite("Application quirks")
struct ApplicationQuirkTests {
    private func book(_ text: String) throws -> ImportedBook { try #require(try ReadText(text).books.first) }

    @Test("a StoryGraph identifier that is not an ISBN is not a fault, and an ASIN is recognized")
    func storygraphUID() throws {
        let header = "Title,Authors,ISBN/UID,Format,Read Status,Star Rating"
        let own = try book(header + "\nEmma,Jane Austen,b1d8b1a2-uid,digital,read,\n")
        #expect(own.isbn == nil)
        #expect(own.remarks.isEmpty)
        let amazon = try book(header + "\nEmma,Jane Austen,B00AKQ1O4W,digital,read,\n")
        #expect(amazon.ids.asin == "B00AKQ1O4W")
    }

    @Test("the identifier of a printed book in a list of Amazon orders is its ISBN, which identifies the book")
    func amazonOrders() throws {
        let read = try ReadText(
            """
            Order ID,Order Date,Product Name,ASIN
            111-1,2020-01-02,Dune (Dune Chronicles Book 1),0441172717
            111-2,2020-02-02,Emma,B0084AZXKK
            111-3,2021-01-02,Dune,0441172717
            """)
        #expect(read.books.map(\.isbn13) == ["9780441172719", nil])
        #expect(read.books.map(\.ids.asin) == [nil, "B0084AZXKK"])
        #expect(read.books.map(\.duplicateRows) == [[3], []])
    }

    @Test("authors that a Calibre user keeps with the family name first are put in reading order")
    func calibreNames() throws {
        let read = try ReadText(
            """
            authors,author_sort,title,uuid
            "Herbert, Frank","Herbert, Frank",Dune,a
            "Pratchett, Terry & Gaiman, Neil","Pratchett, Terry & Gaiman, Neil",Good Omens,b
            Terry Pratchett & Neil Gaiman,"Pratchett, Terry & Gaiman, Neil",Good Omens 2,c
            """)
        #expect(
            read.books.map(\.authors) == [
                ["Frank Herbert"], ["Terry Pratchett", "Neil Gaiman"], ["Terry Pratchett", "Neil Gaiman"],
            ])
    }

    @Test("a Kindle book in a Goodreads export has no ISBN, whatever the form of the empty cell")
    func goodreadsKindle() throws {
        for empty in [#""="""""#, #""=""""""#, #""""#] {
            let text = "Book Id,Title,Author,Author l-f,ISBN,ISBN13\n1,Emma,Jane Austen,\"Austen, Jane\",\(empty),\n"
            let book = try book(text)
            #expect(book.title == "Emma")
            #expect(book.isbn == nil)
        }
    }

    @Test("a Goodreads export without a header is recognized by its columns")
    func goodreadsWithoutHeader() throws {
        let rows = [
            ("1", "Emma", "Jane Austen", "\"Austen, Jane\"", "9780141439587", "2021/03/05"),
            ("2", "Dune", "Frank Herbert", "\"Herbert, Frank\"", "9780441172719", "2020/12/24"),
            ("3", "Mort", "Terry Pratchett", "\"Pratchett, Terry\"", "9780552131063", "2019/01/31"),
        ].map { id, title, author, turned, isbn, read in
            "\(id),\(title),\(author),\(turned),,\"=\"\"\"\"\",\"=\"\"\(isbn)\"\"\",4,4.0,Penguin,Paperback,474,2003,1815,\(read),2021/01/02,,,read,,,,1,0"
        }
        let read = try ReadText(rows.joined(separator: "\n") + "\n")
        #expect(!read.summary.source.hasHeader)
        #expect(read.books.map(\.title) == ["Emma", "Dune", "Mort"])
        #expect(read.books.map(\.isbn13) == ["9780141439587", "9780441172719", "9780552131063"])
        #expect(read.books.allSatisfy { $0.status == .read })
    }

    @Test(
        "in LibraryThing exports, films are skipped, collections become shelves, and only one of several ISBNs is kept")
    func libraryThing() throws {
        let header =
            "Book Id\tTitle\tPrimary Author\tSecondary Author\tSecondary Author Roles\tPublication\tDate\tRating\tMedia\tDate Started\tDate Read\tTags\tCollections\tISBN\tISBNs\tEntry Date"
        let read = try ReadText(
            header + """

                7\tEmma\tAusten, Jane\tMullan, John|Doe, Ann\tIntroduction|Author\tPenguin (2003), Paperback\t2003\t3.5\tPaperback\t\t\tclassics, slow\tYour library, Lent\t[]\t0141439580, 9780141439587\t[2021-01-02]
                8\tEmma\tMcGrath, Douglas\t\t\tMiramax (1996), DVD\t1996\t3\tDVD\t\t\t\tYour library\t[]\t\t[2021-01-02]
                """)
        #expect(read.books.count == 1)
        #expect(read.skipped.map(\.reason) == [.otherMedia])
        let book = read.books[0]
        #expect(book.isbn13 == "9780141439587")
        #expect(book.authors == ["Jane Austen", "Ann Doe"])
        #expect(book.shelves == ["Your library", "Lent"])
        #expect(book.tags == ["classics", "slow"])
        #expect(book.rating == 3.5)
        #expect(book.status == nil)
    }

    @Test("in LibraryThing's JSON, character references in titles are decoded, and ISBNs keyed by number are found")
    func libraryThingJSON() throws {
        let book = try book(
            #"""
            {"9":{"books_id":"9","title":"Ty&ouml;p&auml;iv&auml;","primaryauthor":"Salama, Hannu","isbn":{"0":"0141439580","2":"9780141439587"},
            "collections":["Your library","Finnish"],"rating":3.5,"tags":["a","b"],"entrydate":"2021-01-02","pages":"474 ","copies":1}}
            """#)
        #expect(book.title == "Työpäivä")
        #expect(book.author == "Hannu Salama")
        #expect(book.isbn13 == "9780141439587")
        #expect(book.shelves == ["Your library", "Finnish"])
        #expect(book.tags == ["a", "b"])
        #expect(book.pageCount == 474)
        #expect(book.owned == true)
    }

    @Test("in BookWyrm exports, a shelf that the reader created is known by its name and not by its identifier")
    func bookWyrmShelves() throws {
        let read = try ReadText(
            """
            title,author_text,remote_id,isbn_13,finish_date,shelf,shelf_name,shelf_date
            Ottolenghi Simple,Yotam Ottolenghi,,9780449017036,2022-10-10,cooking-9,Cooking,2024-08-10
            Emma,Jane Austen,,9780141439587,,cooking-9,Cooking,2024-08-10
            Dune,Frank Herbert,,9780441172719,,dnf-12,DNF,2024-08-10
            Mort,Terry Pratchett,,9780552131063,,to-read,Want to Read,2024-08-10
            Persuasion,Jane Austen,,9780141439686,2023-05-01,owned-3,Owned,2024-08-10
            Solaris,Stanisław Lem,,9780156027601,,owned-3,Owned,2024-08-10
            """)
        #expect(read.books.map(\.status) == [.read, nil, .didNotFinish, .toRead, .read, .owned])
        #expect(read.books.map(\.statusRaw) == ["Cooking", "Cooking", "DNF", "to-read", "Owned", "Owned"])
        #expect(read.books.map(\.shelves) == [["Cooking"], ["Cooking"], [], [], ["Owned"], []])
    }

    @Test("the name of a BookWyrm shelf may contain a comma")
    func bookWyrmShelfWithComma() throws {
        let read = try ReadText(
            """
            title,author_text,remote_id,isbn_13,shelf,shelf_name,shelf_date
            Emma,Jane Austen,,9780141439587,classics-9,"Classics, mostly",2024-08-10
            Dune,Frank Herbert,,9780441172719,read-later-12,"Read, later",2024-08-10
            """)
        #expect(read.books.map(\.shelves) == [["Classics, mostly"], ["Read, later"]])
        #expect(read.books.map(\.statusRaw) == ["Classics, mostly", "Read, later"])
        #expect(read.books.allSatisfy { $0.status == nil })
    }

    @Test("a book on BookBuddy's wish list has the status wishlist")
    func bookBuddyWishes() throws {
        let header = "Author,\"Author (Last, First)\",Title,Status,ISBN,Wish List"
        #expect(try book(header + "\nJane Austen,\"Austen, Jane\",Emma,Unread,9780141439587,1\n").status == .wishlist)
        #expect(try book(header + "\nJane Austen,\"Austen, Jane\",Emma,Unread,9780141439587,0\n").status == .toRead)
    }

    @Test("in Book Crawler exports, the month comes first, and a date in the column for read books is the reading date")
    func bookCrawler() throws {
        let header = "#isbn,title,subtitle,author,copyright,publisher,pages,format,genre,read,rating,notes"
        let book = try book(
            header + "\n9780141439587,Emma,,Jane Austen,2003,Penguin,474,Paperback,Classics,03-05-2021,4,\n")
        #expect(book.status == .read)
        #expect(book.datesRead == [ReadingDates(end: "2021-03-05")])
    }

    @Test("a row of stars in Notion's score column is a rating, and entries that are not books are skipped")
    func notion() throws {
        let header = "Name,Author,Completed,Link,Publisher,Publishing/Release Date,Score /5,Status,Summary,Type"
        let read = try ReadText(
            header + """

                Emma,Jane Austen,"March 5, 2021",,Penguin,2003,⭐️⭐️⭐️,Finished,,Book
                A Podcast,Somebody,,,,,⭐️,Finished,,Podcast
                """)
        #expect(read.books.map(\.title) == ["Emma"])
        #expect(read.books[0].rating == 3)
        #expect(read.books[0].datesRead == [ReadingDates(end: "2021-03-05")])
        #expect(read.skipped.map(\.reason) == [.otherMedia])
    }

    @Test("the collection status in CLZ exports distinguishes owned books from wanted ones")
    func clz() throws {
        let header = "Index,Title,Author,ISBN,Read It,My Rating,Collection Status"
        let read = try ReadText(
            header + """

                1,Emma,"Austen, Jane",9780141439587,Yes,4,In Collection
                2,Dune,"Herbert, Frank",9780441172719,No,,On Wish List
                """)
        #expect(read.books.map(\.owned) == [true, nil])
        #expect(read.books.map(\.status) == [.read, .wishlist])
    }

    @Test("Kindle's rows for the same book become one book, and its placeholders are not authors")
    func kindle() throws {
        let read = try ReadText(
            """
            \u{FEFF}ASIN,Title,OrderId,Author
            B00AKQ1O4W,Emma,D01-1,Not Available
            B00AKQ1O4W,Emma,D01-2,Not Available
            B00B7NPRY8,Dune,D01-3,Frank Herbert
            """)
        #expect(read.books.map(\.ids.asin) == ["B00AKQ1O4W", "B00B7NPRY8"])
        #expect(read.books.map(\.authors) == [[], ["Frank Herbert"]])
        #expect(read.books[0].duplicateRows == [2])
    }

    @Test("in Babelio exports, the family name comes first without a comma, and the day comes before the month")
    func babelio() throws {
        let book = try book(
            """
            "ISBN";"Titre";"Auteur";"Editeur";"Date de publication";"Date d`entrée dans Babelio";"Statut";"Note"
            "9780141439587";"Emma";"Austen Jane";"10/18";"03/04/2003";"05/06/2021";"Lu";"4"
            """)
        #expect(book.author == "Jane Austen")
        #expect(book.dateAdded == "2021-06-05")
        #expect(book.publicationYear == 2_003)
    }

    @Test("a list of ISBNs keeps its order, and comments after ISBNs are ignored")
    func isbnList() throws {
        let read = try ReadText("9780141439587\n0-441-17271-7 # Dune\n553290959\n9780141439588\n")
        #expect(read.summary.source.format == .isbnList)
        #expect(read.books.compactMap(\.isbn13).prefix(2) == ["9780141439587", "9780441172719"])
    }

    /// The header is that of the sample exports in bu3/anobii-to-goodreads and AlexKalopsia/anobii2goodreads; the latter lists these words for
    /// statuses.
    @Test("in aNobii exports, a status includes the date on which the reading ended or started")
    func aNobii() throws {
        let header =
            "ISBN,Title,Subtitle,Author,Format,Number of pages,Publisher,Date of publication,Private notes,Comment Title,Comment Content,Reading status,Vote,Tags"
        let statuses = [
            "Finished on 2023-12-29", "Finished on 2023-12", "Being read since 2024-04-02", "Abandoned on 2023-01-02",
            "Unfinished", "Not Started", "",
        ]
        let rows = statuses.enumerated().map { index, status in
            let date = index == 0 ? "2003-xx-xx" : "2003-05-01"
            return ",Book Number \(index),,Jane Austen,Paperback,474,Penguin,\(date),mine,,Long.,\(status),4.5,\n"
        }
        let read = try ReadText(header + "\n" + rows.joined())
        #expect(read.books.map(\.status) == [.read, .read, .reading, .didNotFinish, .didNotFinish, .toRead, nil])
        #expect(
            read.books.map(\.datesRead) == [
                [ReadingDates(end: "2023-12-29")], [ReadingDates(end: "2023-12")], [ReadingDates(start: "2024-04-02")],
                [], [], [], [],
            ])
        #expect(read.books.map { $0.statusRaw ?? "" } == statuses)
        let book = try #require(read.books.first)
        #expect(book.review == "Long.")
        #expect(book.notes == "mine")
        #expect(book.rating == 4.5)
        #expect(book.publicationYear == 2_003)
    }

    @Test(
        "the name of a shelf with a year or date is not a status",
        arguments: ["Read in 2021", "Read by 2025-06-01", "Read next 2025", "Read 2021"])
    func shelvesWithDates(name: String) throws {
        let book = try book("Title,Author,Reading status\nEmma,Jane Austen,\(name)\nDune,Frank Herbert,read\n")
        #expect(book.status == nil)
        #expect(book.statusRaw == name)
        #expect(book.datesRead.isEmpty)
    }

    @Test("a status with a date is recognized in a long file, where no two such cells are the same")
    func manyDatedStatuses() throws {
        let rows = (1...28).map { "Book Number \($0),Jane Austen,Finished on 2023-02-\($0 < 10 ? "0" : "")\($0)\n" }
        let read = try ReadText("Title,Author,Reading status\n" + rows.joined())
        #expect(read.books.allSatisfy { $0.status == .read })
    }

    /// The header is the one that the extension doufen-org/tofu writes, without its last column, `可见性`.
    @Test("in Douban exports, the summary does not become the title and is kept unchanged")
    func douban() throws {
        let book = try book(
            """
            标题,简介,豆瓣评分,链接,创建时间,我的评分,标签,评论
            活着,余华 / 2012-8-1 / 作家出版社,9.4,https://book.douban.com/subject/4913064/,2015/03/21 10:11:12,5,小说,很好
            """)
        #expect(book.title == "活着")
        #expect(book.rating == 5)
        #expect(book.dateAdded == "2015-03-21")
        #expect(book.tags == ["小说"])
        #expect(book.review == "很好")
        #expect(book.raw["简介"] == "余华 / 2012-8-1 / 作家出版社")
    }

    /// The header is the one that the user script in bambooom/douban-backup writes for books that have been read.
    @Test("in lists of read books from Douban's pages, ratings and short reviews are recognized")
    func doubanPages() throws {
        let book = try book(
            """
            书名,个人评分,打分日期,我的短评,出版日期,作者,条目链接
            "活着","5","2015/03/21","很好","2012/08","余华","https://book.douban.com/subject/4913064/"
            """)
        #expect(book.rating == 5)
        #expect(book.dateAdded == "2015-03-21")
        #expect(book.review == "很好")
        #expect(book.publicationYear == 2_012)
    }
}
