import BookstrackContract
import LibraryImport
import Testing

/// A file in one format with one to three invented rows, and the expected content of its first row.
struct FormatSample: Sendable, CustomTestStringConvertible {
    let format: LibraryFormat
    let text: String
    var title = "Emma"
    var author = "Jane Austen"
    var isbn: String? = "9780141439587"
    var status: ReadingStatus? = .read
    var rating: Double? = 4
    var end: String? = "2021-03-05"
    var added: String?

    var testDescription: String { format.rawValue }

    static let all: [FormatSample] = [
        FormatSample(
            format: .goodreads,
            text: #"""
                Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies
                1,Emma,Jane Austen,"Austen, Jane",,"=""0141439580""","=""9780141439587""",4,4.0,Penguin,Paperback,474,2003,1815,2021/03/05,2021/01/02,,,read,,,,1,1
                """#, added: "2021-01-02"),
        FormatSample(
            format: .storygraph,
            text: """
                Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Star Rating,Review,Tags,Owned?
                Emma,Jane Austen,,9780141439587,paperback,read,2021/01/02,2021/03/05,2021/02/01-2021/03/05,1,,slow,4.0,,classics,Yes
                """, added: "2021-01-02"),
        FormatSample(
            format: .librarything,
            text: """
                Book Id\tTitle\tPrimary Author\tSecondary Author\tSecondary Author Roles\tPublication\tDate\tRating\tMedia\tDate Started\tDate Read\tTags\tCollections\tISBN\tEntry Date
                7\tEmma\tAusten, Jane\tMullan, John\tIntroduction\tPenguin (2003), Paperback\t2003\t4\tPaperback\t\t[2021-03-05]\tclassics\tYour library\t[0141439580]\t[2021-01-02]
                """, added: "2021-01-02"),
        FormatSample(
            format: .librarythingJSON,
            text: """
                {"7":{"books_id":"7","title":"Emma","primaryauthor":"Austen, Jane","authors":[{"lf":"Austen, Jane","fl":"Jane Austen"}],"isbn":{"0":"0141439580","2":"9780141439587"},"originalisbn":"0141439580","collections":["Your library"],"rating":4,"dateread":"2021-03-05","entrydate":"2021-01-02"}}
                """, added: "2021-01-02"),
        FormatSample(
            format: .bookwyrm,
            text: """
                title,author_text,remote_id,openlibrary_key,goodreads_key,isbn_10,isbn_13,start_date,finish_date,rating,review_content,shelf,shelf_name,shelf_date
                Emma,Jane Austen,https://example.org/book/1,OL1M,6969,0141439580,9780141439587,2021-02-01,2021-03-05,4.0,,read,Lu,2021-01-02
                """, added: "2021-01-02"),
        FormatSample(
            format: .bookwyrmGeneric,
            text: """
                id,title,author,ISBN13,rating,shelf,review,added,finished
                1,Emma,Jane Austen,9780141439587,4,read,,2021-01-02,2021-03-05
                """, added: "2021-01-02"),
        FormatSample(
            format: .openlibrary,
            text: """
                Work ID,Title,Authors,First Publish Year,Edition ID,Edition Count,Bookshelf,My Ratings,Ratings Average,Ratings Count,Has Ebook,Subjects
                OL66562W,Emma,Jane Austen,1815,OL2M,900,Already Read,4,4.1,80,true,Fiction
                """, isbn: nil, end: nil),
        FormatSample(
            format: .calibre,
            text: """
                authors,author_sort,rating,timestamp,isbn,identifiers,tags,series,series_index,languages,title,publisher,pubdate,uuid
                Jane Austen & John Mullan,"Austen, Jane & Mullan, John",4,2021-01-02T10:00:00+01:00,,"isbn:9780141439587,goodreads:6969",classics,,,eng,Emma,Penguin,2003-05-06T00:00:00+00:00,0c9e
                """, status: nil, end: nil, added: "2021-01-02"),
        FormatSample(
            format: .bookbuddy,
            text: """
                Author,"Author (Last, First)",Title,Subtitle,Genre,Rating,Status,ISBN,Date Added,Date Finished,Wish List
                Jane Austen,"Austen, Jane",Emma,,Classics,4,Read,9780141439587,2021/01/02,2021/03/05,0
                """, added: "2021-01-02"),
        FormatSample(
            format: .hardcover,
            text: """
                Title,Author,Series,Status,Privacy,Hardcover Book ID,ISBN 10,ISBN 13,Media,Binding,Lists,Date Added,Date Started,Date Finished,Rating,Review Slate
                Emma,"Jane Austen, Emma Thompson (Narrator)",Classics (#2.0),Read,Public,1,0141439580,9780141439587,Audiobook,,,2021-01-02,2021-02-01,2021-03-05,4.0,
                """, added: "2021-01-02"),
        FormatSample(
            format: .babelio,
            text: """
                "ISBN";"Titre";"Auteur";"Editeur";"Date de publication";"Date d`entrée dans Babelio";"Statut";"Note"
                "9780141439587";"Emma";"Austen Jane";"10/18";"2003-05-06";"2021-01-02 10:00:00";"Lu";"4,0"
                """, end: nil, added: "2021-01-02"),
        FormatSample(
            format: .openreads,
            text: """
                title,subtitle,author,description,status,favourite,deleted,rating,pages,publication_year,isbn,olid,tags,my_review,notes,book_format,readings,date_added,date_modified
                Emma,,Jane Austen,,finished,false,false,4.0,474,2003,9780141439587,OL1M,classics|||||slow,,,paperback,2021-02-01T00:00:00.000|2021-03-05T00:00:00.000|,2021-01-02T10:00:00.000,2021-03-05T10:00:00.000
                """, added: "2021-01-02"),
        FormatSample(
            format: .tellico,
            text: """
                Title,Subtitle,Author,Binding,Publisher,Copyright Year,ISBN#,LCCN#,Pages,Read,Rating
                Emma,,"Austen, Jane",Paperback,Penguin,2003,0-14-143958-0,,474,true,4
                """, end: nil),
        FormatSample(
            format: .libib,
            text: """
                item_type,title,creators,first_name,last_name,collection,ean_isbn13,upc_isbn10,description,publisher,publish_date,tags,notes,length,rating,review,status,began,completed,added,copies
                book,Emma,Jane Austen,Jane,Austen,Home,9780141439587,0141439580,,Penguin,2003-05-06,,,474,4,,Completed,2021-02-01,2021-03-05,2021-01-02,1
                movie,Emma,Douglas McGrath,Douglas,McGrath,Home,,,,,1996-08-02,,,121,3,,Completed,,,2021-01-02,1
                """, added: "2021-01-02"),
        FormatSample(
            format: .bookCatalogue,
            text: #"""
                "_id","author_details","title","isbn","publisher","date_published","rating","bookshelf","read","series_details","pages","notes","read_start","read_end","format","description","genre","language","date_added"
                "1","Austen, Jane|Mullan, John","Emma","9780141439587","Penguin","2003-05-06","4","Default","1","","474","First line\nsecond","2021-02-01","2021-03-05","Paperback","","","en","2021-01-02 10:00:00"
                """#, added: "2021-01-02"),
        FormatSample(
            format: .bookCrawler,
            text: """
                #isbn,title,subtitle,author,copyright,publisher,pages,format,genre,read,rating,notes
                9780141439587,Emma,,Jane Austen,2003,Penguin,474,Paperback,Classics,03-05-2021,4,
                """),
        FormatSample(
            format: .leaf,
            text: """
                Title,Author,ISBN,Status,Date Added,Date Started,Date Finished,Rating,Progress,Progress Unit
                Emma,Jane Austen,9780141439587,Finished,2021-01-02,2021-02-01,2021-03-05,4,474,pages
                """, added: "2021-01-02"),
        FormatSample(
            format: .notion,
            text: """
                Name,Author,Completed,Link,Publisher,Publishing/Release Date,Score /5,Status,Summary,Type
                Emma,Jane Austen,"March 5, 2021",,Penguin,2003,⭐️⭐️⭐️⭐️,Finished,,Book
                """, isbn: nil),
        FormatSample(
            format: .clz,
            text: """
                Index,Title,Author,Publisher,Publication Date,Format,No. of Pages,ISBN,Series,Volume,Read It,Reading Date,My Rating,Collection Status,Added Date
                1,Emma,"Austen, Jane",Penguin,2003,Paperback,474,978-0-14-143958-7,,,Yes,2021-03-05,4,In Collection,2021-01-02
                """, added: "2021-01-02"),
        FormatSample(
            format: .libby,
            text: """
                cover,title,author,publisher,isbn,timestamp,activity,details,library
                https://example.org/1.jpg,Emma,Jane Austen,Penguin,9780141439587,"January 02, 2021 10:00",Borrowed,21 days,City
                """, status: nil, rating: nil, end: nil, added: "2021-01-02"),
        FormatSample(
            format: .kindle,
            text: """
                \u{FEFF}ASIN,Product Name,OrderId,OrderDate
                B00AKQ1O4W,Emma,D01-1,2021-01-02T10:00:00Z
                """, author: "", isbn: nil, status: nil, rating: nil, end: nil, added: "2021-01-02"),
        FormatSample(
            format: .bookstrack,
            text: """
                title,author,authors,isbn13,status,rating,dateRead,dateAdded,readCount,goodreadsBookId,openLibraryWork
                Emma,Jane Austen,Jane Austen,9780141439587,read,4.0,2021-02-01/2021-03-05,2021-01-02,1,6969,OL66562W
                """, added: "2021-01-02"),
        FormatSample(
            format: .isbnList, text: "9780141439587\n0441013597 # Dune\n9780306406157\n", title: "", author: "",
            status: nil, rating: nil, end: nil),
        FormatSample(
            format: .titleList, text: "1. Emma by Jane Austen\n2. Dune by Frank Herbert\n3. Ulysses by James Joyce\n",
            isbn: nil, status: nil, rating: nil, end: nil),
    ]
}

@Suite("Exports of all applications")
struct FormatSampleTests {
    @Test(
        "an application's export is recognized, and its cells are assigned to the correct members",
        arguments: FormatSample.all)
    func sample(sample: FormatSample) throws {
        let read = try ReadText(sample.text)
        let book = try #require(read.books.first)
        #expect(read.summary.source.format == sample.format)
        #expect(book.title == sample.title)
        #expect(book.author == sample.author)
        #expect(book.isbn == sample.isbn)
        #expect(book.status == sample.status)
        #expect(book.rating == sample.rating)
        #expect(book.datesRead.last?.end == sample.end)
        #expect(book.dateAdded == sample.added)
    }

    @Test("every format has a sample")
    func complete() {
        #expect(Set(FormatSample.all.map(\.format)).union([.unknown]) == Set(LibraryFormat.allCases))
    }

    @Test("films in a book list are skipped")
    func films() throws {
        let sample = try #require(FormatSample.all.first { $0.format == .libib })
        #expect(try ReadText(sample.text).skipped.map(\.reason) == [.otherMedia])
    }

    @Test("Book Catalogue's escaped line breaks are decoded")
    func escapedLineBreak() throws {
        let sample = try #require(FormatSample.all.first { $0.format == .bookCatalogue })
        #expect(try ReadText(sample.text).books.first?.notes == "First line\nsecond")
    }

    @Test("contributors in other roles are not authors")
    func contributors() throws {
        for (format, authors) in [
            (LibraryFormat.hardcover, ["Jane Austen"]), (.librarything, ["Jane Austen"]),
            (.calibre, ["Jane Austen", "John Mullan"]), (.bookCatalogue, ["Jane Austen", "John Mullan"]),
        ] {
            let sample = try #require(FormatSample.all.first { $0.format == format })
            #expect(try ReadText(sample.text).books.first?.authors == authors)
        }
    }

    @Test("the numbers and bullets of a list are not part of its titles")
    func numberedTitles() throws {
        for text in ["1. Emma\n2. Dune\n3. Persuasion\n4. It\n", "- Emma\n- Dune\n- Persuasion\n- It\n"] {
            #expect(try ReadText(text).books.map(\.title) == ["Emma", "Dune", "Persuasion", "It"])
        }
        let years = "1984\nEmma\nDune\nPersuasion\nUlysses\n"
        #expect(try ReadText(years).books.map(\.title) == ["1984", "Emma", "Dune", "Persuasion", "Ulysses"])
    }
}

@Suite("Handmade tables")
struct HandMadeTableTests {
    @Test(
        "headers without accents, without spaces or with the same first word identify their columns",
        arguments: [
            "nazev_knihy;autor;rok_vydani;pocet_stran", "BookTitle;AuthorName;YearPublished;NumberOfPages",
            "Citation Title;Citation Author;Citation Publication Year;Citation Pages", "titulo;autor;año;paginas",
            "Titre;Auteur;Annee;Nombre de pages", "Title ;  Author;Published Year;# Pages",
        ])
    func headers(header: String) throws {
        let read = try ReadText(header + "\nEmma;Jane Austen;2003;474\nDune;Frank Herbert;1990;604\n")
        let book = try #require(read.books.first)
        #expect(book.title == "Emma")
        #expect(book.author == "Jane Austen")
        #expect(book.publicationYear == 2_003)
        #expect(book.pageCount == 474)
    }

    @Test("the year a book was read is its reading date")
    func yearOfReading() throws {
        let read = try ReadText("Title,Author,Year Read\nEmma,Jane Austen,2021\nDune,Frank Herbert,2022\n")
        #expect(read.books.map { $0.datesRead.last?.end } == ["2021", "2022"])
        #expect(read.books.allSatisfy { $0.status == .read })
    }

    @Test("a column of consecutive numbers is not a page count")
    func runningNumbers() throws {
        let rows = (1...200).map { "\($0),Book of \($0) things,Some One\n" }.joined()
        let plan = try LibraryReading(try LibraryTable(bytes: Array(("xq,title,author\n" + rows).utf8))).plan()
        #expect(plan.columns[0].role == nil)
    }

    @Test("a column of surnames without a header has no role")
    func surnames() throws {
        let text = """
            9780141439587,Brontë
            9780441172719,Austen
            9780547928227,Tolstoi
            9780060853983,Dickens
            9780441478125,Eliot
            """
        let plan = try LibraryReading(try LibraryTable(bytes: Array(text.utf8))).plan()
        #expect(plan.columns.map(\.role) == [.isbn13, nil])
    }
}
