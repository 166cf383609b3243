import LibraryImport
import Testing

@Suite("The structure of a library file")
struct TableShapeTests {
    private static let books = [
        ["Title", "Author", "Year", "Price"], ["Emma", "Jane Austen", "1815", "3,95"],
        ["Dune, again", "Herbert, Frank", "1965", "7"], ["It", "Stephen King", "1986", "12,50"],
    ]

    private static func written(_ delimiter: String, _ lineEnd: String, quote: String = "\"", always: Bool = false)
        -> String
    {
        books.map { row in
            row.map { $0.contains(delimiter) || always ? quote + $0 + quote : $0 }.joined(separator: delimiter)
        }.joined(separator: lineEnd) + lineEnd
    }

    @Test("every delimiter is recognized", arguments: [",", ";", "\t", "|"])
    func delimiters(_ delimiter: String) throws {
        let table = try ReadTable(Self.written(delimiter, "\n"))
        #expect(table.shape.delimiter == delimiter.utf8.first)
        #expect(table.cells == Self.books)
    }

    @Test("every line ending is recognized", arguments: [("\n", TableShape.LineEnd.lf), ("\r\n", .crlf), ("\r", .cr)])
    func lineEnds(_ end: String, _ found: TableShape.LineEnd) throws {
        let table = try ReadTable(Self.written(",", end))
        #expect(table.shape.lineEnd == found)
        #expect(table.cells == Self.books)
        #expect(table.lines == [1, 2, 3, 4])
    }

    @Test("single quotes around cells are removed")
    func singleQuotes() throws {
        let table = try ReadTable(Self.written(",", "\n", quote: "'", always: true))
        #expect(table.shape.quote == UInt8(ascii: "'"))
        #expect(table.cells == Self.books)
    }

    @Test("apostrophes at the start of titles are not quotes")
    func apostrophes() throws {
        let table = try ReadTable("Title,Author\n'Tis Pity She's a Whore,John Ford\n'Salem's Lot,Stephen King\n")
        #expect(table.cells[1] == ["'Tis Pity She's a Whore", "John Ford"])
        #expect(table.cells[2] == ["'Salem's Lot", "Stephen King"])
    }

    @Test("quotes in a tab-separated file that does not use quoting are text")
    func quotesInTabs() throws {
        let text = "Id\tTitle\tHeight\n1\tPoems\t8\"\n2\t\"Yes\n3\tNo\t7\"\n4\t\"Maybe\t9\"\n"
        let table = try ReadTable(text)
        #expect(table.shape.delimiter == UInt8(ascii: "\t"))
        #expect(table.cells[1] == ["1", "Poems", "8\""])
        #expect(table.cells.count == 5)
    }

    @Test("Excel's sep= line sets the delimiter and is not a row")
    func separatorLine() throws {
        let table = try ReadTable("sep=;\r\nTitel;Autor\r\nEmma, die Zweite;Jane Austen\r\n")
        #expect(table.shape.delimiter == UInt8(ascii: ";"))
        #expect(table.shape.skippedLeadingLines == 1)
        #expect(table.cells == [["Titel", "Autor"], ["Emma, die Zweite", "Jane Austen"]])
        #expect(table.lines == [2, 3])
    }

    @Test("notes before the header are skipped")
    func notes() throws {
        let table = try ReadTable(
            "My library\nexported on 3 May 2024\n\nTitle,Author,ISBN\nEmma,Jane Austen,9780141439587\n")
        #expect(table.shape.skippedLeadingLines == 3)
        #expect(table.cells.first == ["Title", "Author", "ISBN"])
        #expect(table.lines == [4, 5])
    }

    @Test("a note padded with empty cells is not a row")
    func paddedNotes() throws {
        let table = try ReadTable("My library,,,\n,,,\nTitle,Author,ISBN,Year\nEmma,Jane Austen,9780141439587,1815\n")
        #expect(table.cells.first == ["Title", "Author", "ISBN", "Year"])
    }

    @Test(
        "in a narrow table, notes padded with empty cells are not rows if they are above a known header",
        arguments: [
            "My books,,\n", "My books,,\nExported 2024-05-03,,\n,,\n", ",,\nMy books,,\n",
            "My books,,\nTotal books,2,\n", "Owner,Jane Doe,\nTotal books,2,\n",
        ])
    func paddedNotesOfNarrowTable(notes: String) throws {
        let table = try ReadTable(notes + "Title,Author,Rating\nEmma,Jane Austen,4\nDune,Frank Herbert,5\n")
        #expect(
            table.cells == [
                ["Title", "Author", "Rating"], ["Emma", "Jane Austen", "4"], ["Dune", "Frank Herbert", "5"],
            ])
        #expect(table.shape.skippedLeadingLines == notes.count { $0 == "\n" })
    }

    @Test("sparse rows above a row of ordinary words are rows")
    func sparseRowsOfNarrowTable() throws {
        let table = try ReadTable("Beowulf,,\nEmma,Jane Austen,Penguin\nDune,Frank Herbert,Ace\n", hasHeader: false)
        #expect(table.cells.first == ["Beowulf", "", ""])
    }

    @Test(
        "rows of words above a known header of more columns are rows",
        arguments: ["Book,Author\nEmma,Jane Austen\n", "Mort,Terry Pratchett,\nEmma,Jane Austen,\n"])
    func rowsAboveWiderHeader(rows: String) throws {
        let table = try ReadTable(rows + "Title,Author,ISBN\nDune,Frank Herbert,9780441172719\n", hasHeader: false)
        #expect(table.shape.skippedLeadingLines == 0)
    }

    @Test("headings merged over several columns are not a row")
    func mergedHeadings() throws {
        let table = try ReadTable(
            "Book,,,Reading,,\nTitle,Author,ISBN,Started,Finished,Notes\nEmma,Jane Austen,9780141439587,2023,2023,x\n")
        #expect(table.shape.skippedLeadingLines == 1)
        #expect(table.cells.first == ["Title", "Author", "ISBN", "Started", "Finished", "Notes"])
    }

    @Test(
        "a sparse first row is not taken for headings",
        arguments: ["Emma,,,,2021-01-02,", "Emma,Jane Austen,,,,", "Emma,,Penguin,,,", "Emma,,Penguin,,paper,"])
    func sparseFirstRow(first: String) throws {
        let table = try ReadTable(first + "\nDune,Frank Herbert,Ace,1990,2021-02-03,\n", hasHeader: false)
        #expect(table.rows.count == 2)
    }

    @Test("a line that starts with # is a comment only if it has a single cell")
    func comments() throws {
        let table = try ReadTable("#isbn,title,author\n# my favourites\n9780141439587,Emma,Jane Austen\n#9,It,King\n")
        #expect(
            table.cells == [
                ["#isbn", "title", "author"], ["9780141439587", "Emma", "Jane Austen"], ["#9", "It", "King"],
            ])
    }

    @Test("Git's conflict markers are not rows, but the lines between them are")
    func conflict() throws {
        let table = try ReadTable(
            "Title,Author\n<<<<<<< HEAD\nEmma,Jane Austen\n=======\nIt,Stephen King\n>>>>>>> branch\n")
        #expect(table.cells == [["Title", "Author"], ["Emma", "Jane Austen"], ["It", "Stephen King"]])
        #expect(table.lines == [1, 3, 5])
    }

    @Test("lines that are each quoted as a whole are split into cells")
    func wrapped() throws {
        let lines = ["Title,Author,Review", #""Dune, again",Frank Herbert,"He said ""no""""#, "Emma,Jane Austen,"]
        let text = lines.map {
            "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }
        let table = try ReadTable(text.joined(separator: "\r\n") + "\r\n")
        #expect(table.shape.isWrapped)
        #expect(
            table.cells == [
                ["Title", "Author", "Review"], ["Dune, again", "Frank Herbert", "He said \"no\""],
                ["Emma", "Jane Austen", ""],
            ])
    }

    @Test(
        "lines that are each quoted as a whole are split even if no inner cell is quoted", arguments: [",", ";", "\t"])
    func wrappedWithoutInnerQuotes(_ delimiter: String) throws {
        let rows = [["Title", "Author", "Note"], ["Dune", "Frank Herbert", "x"], ["Emma", "Jane Austen", "z"]]
        let text = rows.map { "\"\($0.joined(separator: delimiter))\"\n" }.joined()
        #expect(try ReadTable(text).cells == rows)
    }

    @Test("lines quoted as a whole are split even if they have fewer cells or contain line breaks")
    func wrappedRaggedRows() throws {
        let table = try ReadTable(
            "\"Title,Author,Year\"\n\"Emma,Jane Austen\"\n\"It,\"\"Stephen\nKing\"\",1986\"\n\"Dune,Frank Herbert,1965\"\n"
        )
        #expect(
            table.cells == [
                ["Title", "Author", "Year"], ["Emma", "Jane Austen"], ["It", "Stephen\nKing", "1986"],
                ["Dune", "Frank Herbert", "1965"],
            ])
        #expect(table.lines == [1, 2, 3, 5])
    }

    @Test("a list of quoted titles remains a list if a few of the titles contain commas")
    func quotedTitlesWithCommas() throws {
        let lines = ["Emma", "Dune", "The Lion, the Witch and the Wardrobe", "It", "Mort", "Eric, or Little by Little"]
        let table = try ReadTable(lines.map { "\"\($0)\"\n" }.joined())
        #expect(table.cells == lines.map { [$0] })
    }

    @Test("an individual row that is quoted as a whole is split into cells")
    func partlyWrapped() throws {
        let table = try ReadTable(
            "Title,Author,Year\n\"Emma,Jane Austen,1815\"\nIt,Stephen King,1986\nDune,Frank Herbert,1965\n")
        #expect(table.cells[1] == ["Emma", "Jane Austen", "1815"])
    }

    @Test("the separator line below a Markdown table's header is not a row")
    func markdown() throws {
        let table = try ReadTable(
            "| Title | Author |\n|:------|--------|\n| Dune | Frank Herbert |\n| Emma | Jane Austen |\n")
        #expect(table.rows.count == 3)
        #expect(table.lines == [1, 3, 4])
    }

    @Test("rows with fewer or more cells than the header keep all their cells")
    func ragged() throws {
        let table = try ReadTable(
            "Title,Author,Year\nEmma,Jane Austen\nIt,Stephen King,1986,x\nDune,Frank Herbert,1965\n")
        #expect(table.cells.map(\.count) == [3, 2, 4, 3])
        #expect(table.rows[1][2] == "")
    }

    @Test("blank lines and lines of empty cells are not rows but count as lines")
    func blankRows() throws {
        let table = try ReadTable("Title,Author\n\n,\n \nEmma,Jane Austen\n\"\",\"\"\n")
        #expect(table.cells == [["Title", "Author"], ["Emma", "Jane Austen"]])
        #expect(table.lines == [1, 5])
    }

    @Test("the last line may lack a line ending")
    func lastLine() throws {
        #expect(try ReadTable("a,b\nc,d").cells == [["a", "b"], ["c", "d"]])
        #expect(try ReadTable("a,b\nc,").cells == [["a", "b"], ["c", ""]])
        #expect(try ReadTable("a,b\nc,\"d\"").cells == [["a", "b"], ["c", "d"]])
    }

    @Test("zero bytes are removed")
    func zeros() throws {
        #expect(
            try ReadTable("Title,Author\nEm\0ma,\0Jane Austen\n\0\0,\n").cells == [
                ["Title", "Author"], ["Emma", "Jane Austen"],
            ])
    }
}

@Suite("Lists without columns")
struct LineListTests {
    @Test("a file with one ISBN per line is a list of ISBNs, and its comments are not rows")
    func isbns() throws {
        let table = try ReadTable("# to buy\n9780141439587\n978-0-14-143951-8\n0141439513\nunknown\n")
        #expect(table.shape.kind == .isbnList)
        #expect(table.shape.delimiter == nil)
        #expect(table.cells == [["9780141439587"], ["978-0-14-143951-8"], ["0141439513"], ["unknown"]])
    }

    @Test("lines of the form “title by author” become two cells")
    func titlesByAuthors() throws {
        let table = try ReadTable(
            "Emma by Jane Austen\nDeath by Black Hole by Neil deGrasse Tyson\nIt by Stephen King\nStandalone\n")
        #expect(table.shape.kind == .titleByAuthorList)
        #expect(
            table.cells == [
                ["Emma", "Jane Austen"], ["Death by Black Hole", "Neil deGrasse Tyson"], ["It", "Stephen King"],
                ["Standalone"],
            ])
    }

    @Test("the first lines of a Kindle's clippings become two cells, and the other lines are not rows")
    func clippings() throws {
        let clippings = [
            "Dune (Dune Chronicles Book 1) (Frank Herbert)\n- Your Highlight on page 12 | Location 123-125 | Added on Monday\n\nFear, and (more) fear",
            "\u{FEFF}Emma (Austen, Jane)\n- Your Bookmark on page 2 | Added on Monday, March 1, 2021\n\n",
            "Notes\n- Your Note on Location 5 | Added on Monday\n\nTwo\nlines",
        ]
        for lineEnd in ["\n", "\r\n"] {
            let text = clippings.map { $0 + "\n==========\n" }.joined().replacing("\n", with: lineEnd)
            let table = try ReadTable(text)
            #expect(table.shape.kind == .clippings)
            #expect(
                table.cells == [
                    ["Dune (Dune Chronicles Book 1) ", "Frank Herbert"], ["\u{FEFF}Emma ", "Austen, Jane"], ["Notes"],
                ])
        }
    }

    @Test("a list of titles with a line of equals signs is not a list of clippings")
    func noClippings() throws {
        let table = try ReadTable("My books\n==========\nEmma\nThe Lion, the Witch and the Wardrobe\n")
        #expect(table.shape.kind == .lineList)
    }

    @Test("titles that contain commas are not split")
    func titles() throws {
        let lines = [
            "Emma", "The Lion, the Witch and the Wardrobe", "Dune", "\"Repent, Harlequin!\" Said the Ticktockman", "It",
        ]
        let table = try ReadTable(lines.joined(separator: "\n"))
        #expect(table.shape.kind == .lineList)
        #expect(table.cells == lines.map { [$0] })
    }

    @Test("quotes are removed if every line of a list is quoted")
    func quoted() throws {
        let table = try ReadTable("\"Emma\"\n\"It\"\n\"Dune \"\"Messiah\"\"\"\n")
        #expect(table.cells == [["Emma"], ["It"], ["Dune \"Messiah\""]])
    }
}
