import BookstrackContract
import LibraryImport
import TestSupport
import Testing

/// One complete row of an application's export: every column that has a meaning is assigned to its member, and its
/// cells are not also kept in `raw`. The rows are invented in the style of the applications' files.
@Suite("Complete export rows")
struct WholeExportTests {
    struct Export: Sendable, CustomTestStringConvertible {
        let format: LibraryFormat
        let file: String
        /// The first book as clients read it, without the members for its position in the file.
        let book: String

        var testDescription: String { format.rawValue }
    }

    @Test("every column of an export is assigned to its member, kept in `raw` or ignored", arguments: exports)
    func row(export: Export) throws {
        let read = try ReadText(export.file)
        #expect(read.summary.source.format == export.format)
        #expect(read.errors.isEmpty)
        var book = try #require(read.books.first)
        #expect(book.confidence > 0.8)
        book.confidence = 1
        let text = try WireForm.of(book)
        let start = try #require(text.firstRange(of: "\"title\":"))
        #expect("{" + text[start.lowerBound...] == WireForm.line(export.book))
    }

    private static let exports = [
        Export(
            format: .goodreads,
            file: #"""
                Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies
                386372,"Mort (Discworld, #4; Death, #1)",Terry  Pratchett,"Pratchett, Terry","Ann  Other, Bob Other","=""0061020680""","=""9780061020681""",5,4.22,HarperTorch,Mass Market Paperback,243,2001,1987,2020/11/01,2020/11/27,"audio, fantasy","audio (#2), fantasy (#7)",read,"Fun.<br/>Very &amp; much",true,My copy is signed.,2,1
                """#,
            book: #"""
                {"title":"Mort","author":"Terry Pratchett","authors":["Terry Pratchett","Ann Other","Bob Other"],
                "isbn":"9780061020681","isbn10":"0061020680","isbn13":"9780061020681","ids":{"goodreadsBookId":"386372"},
                "series":{"name":"Discworld","position":"4"},"publisher":"HarperTorch","publicationYear":2001,
                "originalYear":1987,"pageCount":243,"format":"Mass Market","status":"read","statusRaw":"read",
                "shelves":["audio","fantasy"],"tags":[],"rating":5,"ratingRaw":"5","datesRead":[{"end":"2020-11-01"}],
                "dateAdded":"2020-11-27","readCount":2,"owned":true,"review":"Fun.\u000aVery & much",
                "notes":"My copy is signed.","raw":{},"remarks":[],"duplicateRows":[],"confidence":1,"success":true}
                """#),
        Export(
            format: .storygraph,
            file: """
                Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,Star Rating,Review,Tags,Owned?
                Emma,"Jane Austen, Ann Other",Bob Other (Translator),9780141439587,paperback,read,2021/01/02,2021/03/05,"2019/02/01-2019/02/09, 2021/03/05",2,"funny, light",slow,4.25,Good.,classics,Yes
                """,
            book: """
                {"title":"Emma","author":"Jane Austen","authors":["Jane Austen","Ann Other"],"isbn":"9780141439587",
                "isbn10":"0141439580","isbn13":"9780141439587","ids":{},"format":"Paperback","status":"read",
                "statusRaw":"read","shelves":[],"tags":["classics"],"rating":4.25,"ratingRaw":"4.25",
                "datesRead":[{"start":"2019-02-01","end":"2019-02-09"},{"end":"2021-03-05"}],"dateAdded":"2021-01-02",
                "readCount":2,"owned":true,"review":"Good.",
                "raw":{"Contributors":"Bob Other (Translator)","Moods":"funny, light","Pace":"slow"},"remarks":[],
                "duplicateRows":[],"confidence":1,"success":true}
                """),
        Export(
            format: .bookwyrm,
            file: """
                title,author_text,remote_id,openlibrary_key,goodreads_key,asin,isbn_10,isbn_13,start_date,finish_date,rating,review_content,shelf,shelf_name,shelf_date
                Emma,"Jane Austen, Ann Other",https://example.org/book/1,OL1M,6969,B00AKQ1O4W,0141439580,9780141439587,2021-02-01,2021-03-05,4.0,Good.,stopped-reading,Abandonné,2021-01-02
                """,
            book: """
                {"title":"Emma","author":"Jane Austen","authors":["Jane Austen","Ann Other"],"isbn":"9780141439587",
                "isbn10":"0141439580","isbn13":"9780141439587",
                "ids":{"goodreadsBookId":"6969","openLibraryEdition":"OL1M","asin":"B00AKQ1O4W"},"status":"didNotFinish",
                "statusRaw":"stopped-reading","shelves":[],"tags":[],"rating":4,"ratingRaw":"4.0",
                "datesRead":[{"start":"2021-02-01","end":"2021-03-05"}],"dateAdded":"2021-01-02","review":"Good.",
                "raw":{"remote_id":"https://example.org/book/1"},"remarks":[],"duplicateRows":[],"confidence":1,
                "success":true}
                """),
        Export(
            format: .calibre,
            file: #"""
                authors,author_sort,rating,timestamp,isbn,identifiers,comments,tags,series,series_index,languages,title,publisher,pubdate,uuid
                Jane Austen & Ann Other,"Austen, Jane & Other, Ann",4,2021-01-02T10:00:00+01:00,9780141439587,"goodreads:6969,amazon:B00AKQ1O4W","<p>A novel.</p>","classics, england",Novels,4.0,eng,Emma,Penguin,2003-05-06T00:00:00+00:00,0c9e
                """#,
            book: """
                {"title":"Emma","author":"Jane Austen","authors":["Jane Austen","Ann Other"],"isbn":"9780141439587",
                "isbn10":"0141439580","isbn13":"9780141439587","ids":{"goodreadsBookId":"6969","asin":"B00AKQ1O4W"},
                "series":{"name":"Novels","position":"4"},"publisher":"Penguin","publicationYear":2003,"language":"eng",
                "shelves":[],"tags":["classics","england"],"rating":4,"ratingRaw":"4","datesRead":[],
                "dateAdded":"2021-01-02","raw":{},"remarks":[],"duplicateRows":[],"confidence":1,"success":true}
                """),
        Export(
            format: .bookbuddy,
            file: """
                Author,"Author (Last, First)",Title,Subtitle,Genre,Rating,Publisher,Status,Notes,Date Published,Number of Pages,Format,Language,ISBN,Date Added,Date Started,Date Finished,Google VolumeID,Series,Volume,Wish List
                Jane Austen,"Austen, Jane",Emma,A Novel,Classics,4,Penguin,Read,Nice,2003-05-06,474,Paperback,English,9780141439587,2021/01/02,2021/02/01,2021/03/05,abc_DEF,Novels,4,0
                """,
            book: """
                {"title":"Emma","author":"Jane Austen","authors":["Jane Austen"],"isbn":"9780141439587",
                "isbn10":"0141439580","isbn13":"9780141439587","ids":{"googleVolumeId":"abc_DEF"},
                "series":{"name":"Novels","position":"4"},"subtitle":"A Novel","publisher":"Penguin",
                "publicationYear":2003,"pageCount":474,"language":"English","format":"Paperback","status":"read",
                "statusRaw":"Read","shelves":[],"tags":["Classics"],"rating":4,"ratingRaw":"4",
                "datesRead":[{"start":"2021-02-01","end":"2021-03-05"}],"dateAdded":"2021-01-02","notes":"Nice",
                "raw":{},"remarks":[],"duplicateRows":[],"confidence":1,"success":true}
                """),
        Export(
            format: .hardcover,
            file: """
                Title,Author,Series,Status,Privacy,Hardcover Book ID,ISBN 10,ISBN 13,ASIN,Media,Language Code,Binding,Pages,Publish Date,Publisher,Genres,Tags,Lists,Date Added,Date Started,Date Finished,Rating,Review,Private Notes,Owned,Review Slate
                Emma,"Jane Austen, Emma Thompson (Narrator)","Novels (#4.0), Classics (#2.0)",Read,Public,1,0141439580,9780141439587,B00AKQ1O4W,Audiobook,en,Paperback,474,2003-05-06,Penguin,"Classics, Romance",slow,"Best of 2021",2021-01-02,2021-02-01,2021-03-05,4.5,Good.,Mine,true,"{}"
                """,
            book: """
                {"title":"Emma","author":"Jane Austen","authors":["Jane Austen"],"isbn":"9780141439587",
                "isbn10":"0141439580","isbn13":"9780141439587","ids":{"asin":"B00AKQ1O4W"},
                "series":{"name":"Novels","position":"4"},"publisher":"Penguin","publicationYear":2003,"pageCount":474,
                "language":"en","format":"Paperback","status":"read","statusRaw":"Read","shelves":["Best of 2021"],
                "tags":["Classics","Romance","slow"],"rating":4.5,"ratingRaw":"4.5",
                "datesRead":[{"start":"2021-02-01","end":"2021-03-05"}],"dateAdded":"2021-01-02","owned":true,
                "review":"Good.","notes":"Mine","raw":{"Privacy":"Public","Hardcover Book ID":"1"},"remarks":[],
                "duplicateRows":[],"confidence":1,"success":true}
                """),
        Export(
            format: .openreads,
            file: """
                title,subtitle,author,description,status,favourite,deleted,rating,pages,publication_year,isbn,olid,tags,my_review,notes,book_format,readings,date_added,date_modified
                Emma,A Novel,Jane Austen,,finished,true,false,4.5,474,2003,9780141439587,OL1M,classics|||||slow,Good.,Mine,hardcover,2019-02-01T00:00:00.000|2019-02-09T00:00:00.000|3600000;2021-02-01T00:00:00.000|2021-03-05T00:00:00.000|,2021-01-02T10:00:00.000,2021-03-05T10:00:00.000
                """,
            book: """
                {"title":"Emma","author":"Jane Austen","authors":["Jane Austen"],"isbn":"9780141439587",
                "isbn10":"0141439580","isbn13":"9780141439587","ids":{"openLibraryEdition":"OL1M"},"subtitle":"A Novel",
                "publicationYear":2003,"pageCount":474,"format":"Hardcover","status":"read","statusRaw":"finished",
                "shelves":[],"tags":["classics","slow"],"rating":4.5,"ratingRaw":"4.5",
                "datesRead":[{"start":"2019-02-01","end":"2019-02-09"},{"start":"2021-02-01","end":"2021-03-05"}],
                "dateAdded":"2021-01-02","review":"Good.","notes":"Mine","raw":{"favourite":"true"},"remarks":[],
                "duplicateRows":[],"confidence":1,"success":true}
                """),
        Export(
            format: .libib,
            file: """
                item_type,title,creators,first_name,last_name,collection,ean_isbn13,upc_isbn10,description,publisher,publish_date,tags,notes,length,rating,review,status,began,completed,added,copies
                book,Emma,"Jane Austen, Ann Other",Jane,Austen,Home,9780141439587,0141439580,A novel.,Penguin,2003-05-06,"classics, slow",Mine,474,4,Good.,Completed,2021-02-01,2021-03-05,2021-01-02,2
                """,
            book: """
                {"title":"Emma","author":"Jane Austen","authors":["Jane Austen","Ann Other"],"isbn":"9780141439587",
                "isbn10":"0141439580","isbn13":"9780141439587","ids":{},"publisher":"Penguin","publicationYear":2003,
                "pageCount":474,"status":"read","statusRaw":"Completed","shelves":["Home"],"tags":["classics","slow"],
                "rating":4,"ratingRaw":"4","datesRead":[{"start":"2021-02-01","end":"2021-03-05"}],
                "dateAdded":"2021-01-02","owned":true,"review":"Good.","notes":"Mine","raw":{},"remarks":[],
                "duplicateRows":[],"confidence":1,"success":true}
                """),
        Export(
            format: .bookCatalogue,
            file: #"""
                "_id","author_details","title","isbn","publisher","date_published","rating","bookshelf","read","series_details","pages","notes","read_start","read_end","format","description","genre","language","date_added","goodreads_book_id"
                "1","Austen, Jane|Other, Ann","Emma","9780141439587","Penguin","2003-05-06","4","Default, Home","1","Novels (4)","474","First\nsecond","2021-02-01","2021-03-05","Paperback","","Classics","en","2021-01-02 10:00:00","6969"
                """#,
            book: #"""
                {"title":"Emma","author":"Jane Austen","authors":["Jane Austen","Ann Other"],"isbn":"9780141439587",
                "isbn10":"0141439580","isbn13":"9780141439587","ids":{"goodreadsBookId":"6969"},
                "series":{"name":"Novels","position":"4"},"publisher":"Penguin","publicationYear":2003,"pageCount":474,
                "language":"en","format":"Paperback","status":"read","shelves":["Default","Home"],
                "tags":["Classics"],"rating":4,"ratingRaw":"4","datesRead":[{"start":"2021-02-01","end":"2021-03-05"}],
                "dateAdded":"2021-01-02","notes":"First\u000asecond","raw":{},"remarks":[],"duplicateRows":[],
                "confidence":1,"success":true}
                """#),
        Export(
            format: .clz,
            file: """
                Index,Title,Sub Title,Author,Publisher,Publication Date,Format,No. of Pages,ISBN,Series,Volume,Genre,Read It,Reading Date,My Rating,Collection Status,Added Date,Language,Notes
                1,Emma,A Novel,"Austen, Jane",Penguin,2003-05-06,Paperback,474,978-0-14-143958-7,Novels,4,Classics,Yes,2021-03-05,4,In Collection,2021-01-02,English,Mine
                """,
            book: """
                {"title":"Emma","author":"Jane Austen","authors":["Jane Austen"],"isbn":"9780141439587",
                "isbn10":"0141439580","isbn13":"9780141439587","ids":{},"series":{"name":"Novels","position":"4"},
                "subtitle":"A Novel","publisher":"Penguin","publicationYear":2003,"pageCount":474,"language":"English",
                "format":"Paperback","status":"read","shelves":[],"tags":["Classics"],"rating":4,
                "ratingRaw":"4","datesRead":[{"end":"2021-03-05"}],"dateAdded":"2021-01-02","owned":true,"notes":"Mine",
                "raw":{},"remarks":[],"duplicateRows":[],"confidence":1,"success":true}
                """),
        Export(
            format: .bookstrack,
            file: """
                title,subtitle,author,authors,isbn13,isbn10,status,shelves,tags,rating,dateRead,dateAdded,readCount,owned,review,notes,publisher,publicationYear,originalYear,pageCount,language,format,series,position,goodreadsBookId,librarythingId,openLibraryWork,openLibraryEdition,asin,googleVolumeId,Lent to
                Emma,A Novel,Jane Austen,Jane Austen; Ann Other,9780141439587,0141439580,didNotFinish,a; b,c;;d; e,4.25,2020-01-02/2020-02-03; 2021; 2022-05/,2019-12-31,3,true,Good.,Mine,Penguin,2003,1815,474,English,Mass Market,Novels,4,6969,7,OL66562W,OL2M,B00AKQ1O4W,abc_DEF,Bob
                """,
            book: """
                {"title":"Emma","author":"Jane Austen","authors":["Jane Austen","Ann Other"],"isbn":"9780141439587",
                "isbn10":"0141439580","isbn13":"9780141439587","ids":{"goodreadsBookId":"6969","librarythingId":"7",
                "openLibraryWork":"OL66562W","openLibraryEdition":"OL2M","asin":"B00AKQ1O4W","googleVolumeId":"abc_DEF"},
                "series":{"name":"Novels","position":"4"},"subtitle":"A Novel","publisher":"Penguin",
                "publicationYear":2003,"originalYear":1815,"pageCount":474,"language":"English","format":"Mass Market",
                "status":"didNotFinish","statusRaw":"didNotFinish","shelves":["a","b"],"tags":["c;d","e"],"rating":4.25,
                "ratingRaw":"4.25","datesRead":[{"start":"2020-01-02","end":"2020-02-03"},{"end":"2021"},
                {"start":"2022-05"}],"dateAdded":"2019-12-31","readCount":3,"owned":true,"review":"Good.","notes":"Mine",
                "raw":{"Lent to":"Bob"},"remarks":[],"duplicateRows":[],"confidence":1,"success":true}
                """),
    ]
}
