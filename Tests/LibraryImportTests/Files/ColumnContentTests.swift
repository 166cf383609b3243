import BookstrackContract
import LibraryImport
import Testing

/// Tables with meaningless headers or with none: the cells determine the columns' roles, and columns that the cells do
/// not identify have no role.
@Suite("Recognizing columns by their cells")
struct ColumnContentTests {
    /// The cells of each column for a shelf of eight books.
    private static let columns: [String: [String]] = [
        "title": [
            "Pride and Prejudice", "The Left Hand of Darkness", "One Hundred Years of Solitude", "To the Lighthouse",
            "Things Fall Apart", "The Name of the Rose", "A Wizard of Earthsea", "The Remains of the Day",
        ],
        "author": [
            "Jane Austen", "Ursula K. Le Guin", "Gabriel García Márquez", "Virginia Woolf", "Chinua Achebe",
            "Umberto Eco",
            "Ursula K. Le Guin", "Kazuo Ishiguro",
        ],
        "isbn": [
            "9780141439518", "9780441478125", "9780060883287", "9780156907392", "9780385474542", "9780156001311",
            "9780547773742", "9780679731726",
        ],
        "status": ["read", "to-read", "read", "currently-reading", "read", "to-read", "did-not-finish", "read"],
        "dateRead": [
            "2019-01-31", "", "2020-02-29", "", "2021-12-24", "", "", "2018-07-15",
        ],
        "rating": ["5", "", "4", "", "3", "", "2", "5"],
        "year": ["1813", "1969", "1967", "1927", "1958", "1980", "1968", "1989"],
        "format": [
            "Paperback", "Hardcover", "Paperback", "Kindle Edition", "Paperback", "Mass Market Paperback", "Hardcover",
            "Audiobook",
        ],
        "language": ["English", "English", "Spanish", "English", "English", "Italian", "English", "English"],
    ]

    private func table(_ names: [String], header: [String]? = nil, separator: String = ",") -> String {
        let rows = (0..<8).map { row in
            names.map { Self.columns[$0]?[row] ?? "" }.joined(separator: separator)
        }
        return ((header.map { [$0.joined(separator: separator)] } ?? []) + rows).joined(separator: "\n") + "\n"
    }

    private func roles(_ text: String) throws -> [ColumnRole?] {
        try LibraryReading(try LibraryTable(bytes: Array(text.utf8))).plan().columns.map(\.role)
    }

    @Test(
        "without a header, title, author and ISBN are found in any order",
        arguments: [
            ["title", "author", "isbn"], ["isbn", "title", "author"], ["author", "title", "isbn"],
            ["isbn", "author", "title"],
        ])
    func orders(names: [String]) throws {
        let read = try ReadText(table(names))
        #expect(!read.summary.source.hasHeader)
        #expect(read.books.map(\.title) == Self.columns["title"])
        #expect(read.books.map(\.author) == Self.columns["author"])
        #expect(read.books.compactMap(\.isbn13) == Self.columns["isbn"])
    }

    @Test("a header with unknown words does not become a book, and the cells determine the roles")
    func strangeHeader() throws {
        let names = ["title", "author", "isbn", "status"]
        let read = try ReadText(table(names, header: ["Heiti", "Höfundur", "Númer", "Staða"]))
        #expect(read.summary.source.hasHeader)
        #expect(read.books.count == 8)
        #expect(read.books.map(\.title) == Self.columns["title"])
        #expect(read.books.map(\.author) == Self.columns["author"])
        #expect(read.books[0].status == .read)
        #expect(read.books[6].status == .didNotFinish)
    }

    private static let unknownNames = #"""
        [{"kitap": "The Left Hand of Darkness", "kisi": "Ursula Le Guin"}, {"kitap": "The Fellowship of the Ring", "kisi": "John Tolkien"},
        {"kitap": "A Wizard of Earthsea", "kisi": "Ursula Le Guin"}, {"kitap": "The Old Man and the Sea", "kisi": "Ernest Hemingway"}]
        """#

    @Test("the names of a JSON export's members do not become a book, even if they are unknown words")
    func unknownNamesInJSON() throws {
        let read = try ReadText(Self.unknownNames)
        #expect(read.summary.source.hasHeader)
        #expect(read.summary.source.columns.map(\.header) == ["kitap", "kisi"])
        #expect(read.books.count == 4)
        #expect(read.books.first?.title == "The Left Hand of Darkness")
        #expect(read.books.first?.author == "Ursula Le Guin")
    }

    @Test("names of JSON members do not become a book in a format that is recognized without a header")
    func namesOfDescribedFormat() throws {
        let text = #"""
            [{"x": "OL45804W", "y": "OL7353617M", "z": "Already Read"}, {"x": "OL45883W", "y": "OL7353618M", "z": "Want to Read"}]
            """#
        let read = try ReadText(text, options: ImportOptions(format: .openlibrary))
        #expect(read.summary.source.hasHeader)
        #expect(read.books.map(\.ids.openLibraryWork) == ["OL45804W", "OL45883W"])
        #expect(read.errors.isEmpty)
    }

    @Test("an Open Library key without a number is reported as unreadable")
    func keyWithoutNumber() throws {
        let read = try ReadText(
            "Title,Key\nEmma,OLW\nDune,OL893415W\n", options: ImportOptions(mapping: ["Key": .openLibraryWork]))
        #expect(read.books.map(\.ids.openLibraryWork) == [nil, "OL893415W"])
        #expect(read.books.first?.remarks == [ImportRemark(.idUnreadable, column: "Key")])
    }

    @Test("columns of statuses and formats are recognized by their cells")
    func furtherColumns() throws {
        let read = try ReadText(table(["title", "author", "isbn", "status", "format", "dateRead"]))
        #expect(
            read.books.map { $0.status?.rawValue } == [
                "read", "toRead", "read", "reading", "read", "toRead", "didNotFinish", "read",
            ])
        #expect(read.books[0].format == .paperback)
        #expect(read.books[3].format == .ebook)
        #expect(read.books[7].format == .audiobook)
    }

    @Test("a column is reported with its index, its confidence and the evidence for its role")
    func evidence() throws {
        let source = try ReadText(table(["title", "author", "isbn"])).summary.source
        #expect(source.format == .unknown)
        #expect(source.columns.map(\.index) == [0, 1, 2])
        #expect(source.columns.allSatisfy { $0.by == .content })
        #expect(source.columns.allSatisfy { $0.confidence > 0.5 && $0.confidence <= 1 })
        let named = try ReadText(table(["title", "author", "isbn"], header: ["Title", "Author", "ISBN"])).summary.source
        #expect(named.columns.allSatisfy { $0.by == .header })
    }

    @Test("no two columns have the same role", arguments: [",", ";", "\t"])
    func distinct(separator: String) throws {
        let names = ["title", "author", "isbn", "status", "rating", "year", "format", "language"]
        let roles = try roles(table(names, header: names, separator: separator)).compactMap(\.self)
        #expect(Set(roles).count == roles.count)
        #expect(Set(roles).isSuperset(of: [.title, .author, .isbn, .status, .rating, .format, .language]))
    }

    @Test(
        "a yes/no column is not a column of languages", arguments: [["No", "Yes", "No", "No"], ["ja", "nei", "ja"]])
    func flagsAreNoLanguages(cells: [String]) throws {
        let read = try SmallList.read("Signed", cells)
        #expect(read.roles == [.title, .author, nil])
        #expect(read.books.allSatisfy { $0.language == nil })
        #expect(read.books[0].raw["Signed"] == cells[0])
    }

    @Test("a column of language codes may contain Norwegian")
    func norwegian() throws {
        #expect(try SmallList.read("Column 3", ["no", "en", "de", "fr", "no"]).roles[2] == .language)
        #expect(try SmallList.read("Language", ["no", "no", "no"]).roles[2] == .language)
        #expect(try SmallList.read("Lang.", ["no", "no", "no"]).roles[2] == .language)
    }

    @Test("neither a column with one repeated word nor a column of numbers is a title")
    func noTitle() throws {
        let rows = (1...20).map { "Paperback,\($0 * 7)\n" }.joined()
        #expect(throws: ImportFailure.self) {
            try LibraryReading(try LibraryTable(bytes: Array(rows.utf8))).plan()
        }
    }

    @Test("a position without a series is kept under its column's header")
    func positionWithoutSeries() throws {
        let read = try ReadText(
            "Title,Author,Series,Volume\nEmma,Jane Austen,,2\nMort,Terry Pratchett,Discworld,4\nDune,Frank Herbert,,\n")
        #expect(read.books.map { $0.raw["Volume"] } == ["2", nil, nil])
        #expect(read.books.map { $0.series?.position } == [nil, "4", nil])
    }

    @Test("a cell with an unknown format, or with other text in a yes/no column, is kept under its column's header")
    func unknownFormatAndOwner() throws {
        let read = try ReadText(
            "Title,Author,Format,Owned\nEmma,Jane Austen,Folio Society,lent to Bob\nMort,Terry Pratchett,Paperback,yes\n"
                + "Dune,Frank Herbert,,no\nIt,Stephen King,N/A,0\n")
        #expect(read.books.map { $0.raw["Format"] } == ["Folio Society", nil, nil, nil])
        #expect(read.books.map { $0.raw["Owned"] } == ["lent to Bob", nil, nil, nil])
        #expect(read.books.map(\.format) == [nil, .paperback, nil, nil])
        #expect(read.books.map(\.owned) == [nil, true, false, false])
    }

    @Test("the numbers of a numbered list are not part of its titles, even if the list is in JSON")
    func numberedJSON() throws {
        let titles = ["Emma", "Dune", "Mort", "The Hobbit"]
        let records = titles.enumerated().map { #"{"kitap": "\#($0 + 1). \#($1)"}"# }
        let read = try ReadText("[\(records.joined(separator: ", "))]")
        #expect(read.books.map(\.title) == titles)
    }

    @Test("columns with the same header are numbered, without taking the name of another column")
    func sameHeaders() throws {
        let read = try ReadText("Title,Author,Memo,Memo,Memo (2)\nEmma,Jane Austen,1,2,3\nMort,Terry Pratchett,4,5,6\n")
        let names = ["Memo", "Memo (3)", "Memo (2)"]
        #expect(read.books.map { book in names.map { book.raw[$0] } } == [["1", "2", "3"], ["4", "5", "6"]])
    }

    @Test("the cells of a column that cannot be identified are kept under its header")
    func unknownColumn() throws {
        let names = ["title", "author", "isbn"]
        let lines = table(names, header: names).split(separator: "\n").enumerated().map { number, line in
            line + (number == 0 ? ",Lent to" : number == 2 ? ",Ann" : ",")
        }
        let read = try ReadText(lines.joined(separator: "\n") + "\n")
        #expect(read.books[1].raw["Lent to"] == "Ann")
        #expect(read.books[0].raw.cells.isEmpty)
    }

    @Test(
        "short titles in a list of ISBNs without a header are not taken for authors",
        arguments: [
            (["Northanger Abbey", "Dune Messiah", "Small Gods"], ["Jane Austen", "Frank Herbert", "Terry Pratchett"]),
            (["Emma", "Dune Messiah", "Small Gods"], ["Jane Austen", "Frank Herbert", "Terry Pratchett"]),
            (["Emma", "Dune Messiah", "Small Gods"], ["Austen", "Herbert", "Pratchett"]),
            (["Emma", "Dune", "Mort"], ["Jane Austen", "Frank Herbert", "Terry Pratchett"]),
            (["Emma", "Dune", "Mort"], ["Austen", "Herbert", "Pratchett"]),
        ])
    func shortTitles(titles: [String], authors: [String]) throws {
        let isbns = ["9780141439587", "9780441172719", "9780552131063"]
        let read = try ReadText(zip(isbns, zip(titles, authors)).map { "\($0),\($1.0),\($1.1)\n" }.joined())
        #expect(read.books.map(\.title) == titles)
        #expect(read.books.map(\.author) == authors)
    }

    @Test("short titles in a list of ISBNs and titles without a header are not taken for authors")
    func shortTitlesAlone() throws {
        let read = try ReadText("9780141439587,Northanger Abbey\n9780441172719,Dune Messiah\n9780552131063,Mort\n")
        #expect(read.books.map(\.title) == ["Northanger Abbey", "Dune Messiah", "Mort"])
        #expect(read.books.allSatisfy { $0.authors.isEmpty })
    }

    @Test("titles that nearly all look like people are neither authors nor further authors")
    func titlesLikePeople() throws {
        let words = ["Ash", "Bay", "Cliff", "Dale", "Elm", "Fern", "Glen", "Hill", "Isle", "Lake"]
        let books = [("Emma", "Jane Austen")] + words.map { ("Small \($0)", "Ann \($0)") }
        let rows = books.enumerated().map { "97801414395\($0 + 10),\($1.0),\($1.1)\n" }
        let source = try ReadText(rows.joined()).summary.source
        #expect(source.columns.dropFirst().map(\.role) == [.title, .author])
    }

    @Test("authors before short titles in a list of ISBNs without a header are not taken for titles")
    func authorsBeforeShortTitles() throws {
        let read = try ReadText("9780141439587,Jane Austen,Emma\n9780441172719,Frank Herbert,Dune\n")
        #expect(read.books.map(\.author) == ["Jane Austen", "Frank Herbert"])
        #expect(read.books.map(\.title) == ["", ""])
        let inverted = try ReadText(
            "9780141439587,\"Austen, Jane\",Emma\n9780441172719,\"Herbert, Frank\",Dune\n")
        #expect(inverted.books.map(\.author) == ["Jane Austen", "Frank Herbert"])
        #expect(inverted.books.map(\.title) == ["Emma", "Dune"])
    }

    @Test("categories in a list of ISBNs without a header are not taken for titles")
    func noTitles() throws {
        let read = try ReadText("9780141439587,Classics\n9780441172719,Fantasy\n9780552131063,Fantasy\n")
        #expect(read.books.map(\.title) == ["", "", ""])
    }
}
