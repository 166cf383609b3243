import BookstrackContract
import LibraryImport
import Testing

/// Lists that library catalogs export, with their punctuation (ISBD) and the tags of their records (MARC).
@Suite("Lists from library catalogs")
struct LibraryCatalogTests {
    private func book(_ title: String, _ author: String) throws -> ImportedBook {
        let read = try ReadText(
            """
            Title,Author,Publisher
            "\(title)","\(author)",Ace
            Middlemarch,"Eliot, George",Penguin
            """)
        return try #require(read.books.first)
    }

    @Test(
        "a statement of responsibility, the kind of medium and the mark after a title are not part of the title",
        arguments: [
            ("Dune / Frank Herbert.", "Herbert, Frank", "Dune"),
            ("Dune / Frank Herbert.", "Frank Herbert", "Dune"),
            ("Dune / by Frank Herbert ; illustrated by John Schoenherr.", "Herbert, Frank, 1920-1986.", "Dune"),
            (
                "The hobbit, or, There and back again / by J.R.R. Tolkien.", "Tolkien, J. R. R.",
                "The hobbit, or, There and back again"
            ),
            ("Best stories / edited by Anna Smith", "King, Stephen", "Best stories"),
            ("Momo / von Michael Ende", "Ende, Michael", "Momo"),
            ("Good omens / Neil Gaiman and Terry Pratchett", "Neil Gaiman; Terry Pratchett", "Good omens"),
            ("Emma / Persuasion / Jane Austen", "Jane Austen", "Emma / Persuasion"),
            ("Dune /", "Frank Herbert", "Dune"),
            ("Emma :", "Jane Austen", "Emma"),
            ("Dune [electronic resource] / Frank Herbert.", "Herbert, Frank", "Dune"),
            ("Dune [text (large print)] /", "Herbert, Frank", "Dune"), ("[Text]", "Anna Smith", "[Text]"),
            ("Poems [selected]", "Anna Smith", "Poems [selected]"),
        ])
    func statements(cell: String, author: String, title: String) throws {
        #expect(try book(cell, author).title == title)
    }

    @Test(
        "a slash that begins no statement of responsibility, and a colon without a space before it, are part of the title",
        arguments: [
            ("Either / Or", "Kierkegaard, Søren"), ("Jekyll / Hyde", "Stevenson, Robert Louis"),
            ("Emma / Jane Austen's letters", "Austen, Jane"), ("Face/Off", "Anna Smith"), ("AC/DC", "Anna Smith"),
            ("/ by Night", "Anna Smith"), ("Two plays / By the sea", "Anna Smith"), ("Why:", "Anna Smith"),
        ])
    func slashes(title: String, author: String) throws {
        #expect(try book(title, author).title == title)
    }

    @Test("a statement of responsibility supplies the authors of a row that has none")
    func authorsInStatements() throws {
        let book = try book("Good omens / by Neil Gaiman and Terry Pratchett ; read by Anna Smith.", "")
        #expect(book.authors == ["Neil Gaiman", "Terry Pratchett"])
    }

    @Test("rows with and without a statement of responsibility are the same book")
    func duplicates() throws {
        let read = try ReadText("Title,Author\nDune / Frank Herbert.,Frank Herbert\nDune,Frank Herbert\n")
        #expect(read.books.map(\.duplicateRows) == [[2]])
    }

    @Test(
        "headers made of MARC tags are recognized",
        arguments: [
            "020a,100a,245a,245b,260b,260c,300a,700a", "020$a,100$a,245$a,245$b,264$b,264$c,300$a,700$a",
            "020 a,100 a,245 a,245 b,260 b,260 c,300 a,700 a",
        ])
    func tags(header: String) throws {
        let read = try ReadText(
            """
            \(header)
            9780441172719,"Herbert, Frank,",Dune /,,"Ace Books,",c1990.,"xii, 535 p. ;","Herbert, Brian."
            9780141439587,"Austen, Jane.",Emma :,a novel /,Penguin,2003.,474 pages ;,
            """)
        #expect(read.books.map(\.isbn13) == ["9780441172719", "9780141439587"])
        #expect(read.books.map(\.title) == ["Dune", "Emma"])
        #expect(read.books.map(\.subtitle) == [nil, "a novel"])
        #expect(read.books.map(\.authors) == [["Frank Herbert", "Brian Herbert"], ["Jane Austen"]])
        #expect(read.books.map(\.publisher) == ["Ace Books", "Penguin"])
        #expect(read.books.map(\.publicationYear) == [1_990, 2_003])
        #expect(read.books.map(\.pageCount) == [535, 474])
    }

    @Test("numbers that are also MARC tags do not make a row a header")
    func numbersLikeTags() throws {
        let read = try ReadText("The World of Emma,Jane Austen,245\nThe World of Dune,Frank Herbert,300\n")
        #expect(read.books.map(\.title) == ["The World of Emma", "The World of Dune"])
    }

    @Test("page counts with units and years with marks are recognized by their headers")
    func unitsAndMarks() throws {
        let read = try ReadText(
            """
            Title,Author,Pages,Year
            Emma,Jane Austen,474 pages,c2003
            Dune,Frank Herbert,535 p.,[1990]
            """)
        #expect(read.books.map(\.pageCount) == [474, 535])
        #expect(read.books.map(\.publicationYear) == [2_003, 1_990])
    }

    @Test("authors with the years of their lives are names with the family name first")
    func lives() throws {
        let read = try ReadText(
            """
            Author,Title
            "Austen, Jane, 1775-1817.",Emma
            "Herbert, Frank, 1920-1986.",Dune
            "Le Guin, Ursula K., 1929-2018.",The Dispossessed
            """)
        #expect(read.books.map(\.author) == ["Jane Austen", "Frank Herbert", "Ursula K. Le Guin"])
    }
}
