import BookstrackContract
import LibraryImport
import Testing

/// Lists that people keep by hand: which columns contain the authors, and how their names are composed.
@Suite("Columns of authors")
struct AuthorColumnTests {
    @Test(
        "people under a header that does not name authors are not authors",
        arguments: ["Recommended by", "Lent to", "Owner", "Narrated By", "Sprecher"],
        [
            ["Anna Smith", "", "Bob Jones", "Mary Hill", "John Miller"],
            ["Anna Smith", "Bob Jones", "Mary Hill", "John Miller", "Eva Brown"],
        ])
    func unknownPeople(header: String, cells: [String]) throws {
        let read = try SmallList.read(header, cells)
        #expect(read.books.map(\.authors) == SmallList.books.prefix(cells.count).map { [$0.author] })
        #expect(read.books.map { $0.raw[header] ?? "" } == cells)
    }

    @Test(
        "people under a header for further authors are authors",
        arguments: ["Second Author", "2nd author", "Co-Author", "Additional Author", "Author 2", "Coautor", "Соавтор"])
    func furtherAuthors(header: String) throws {
        let read = try SmallList.read(header, ["", "Anna Smith", "", "Bob Jones", ""])
        #expect(
            read.books.map(\.authors) == [
                ["Frank Herbert"], ["Jane Austen", "Anna Smith"], ["James Joyce"], ["George Eliot", "Bob Jones"],
                ["Toni Morrison"],
            ])
    }

    @Test("given and family names in two columns become one author")
    func namesInTwoColumns() throws {
        for header in [
            "title,author first name,author last name", "tytul,imieautora,nazwiskoautora", "Title,First,Last",
            "Titel,Förnamn,Efternamn",
        ] {
            let read = try ReadText(header + "\nEmma,Jane,Austen\nDune,Frank,Herbert\n")
            #expect(read.books.map(\.author) == ["Jane Austen", "Frank Herbert"])
            #expect(read.books.allSatisfy { $0.statusRaw == nil })
        }
    }

    @Test("numbers and dates are not given and family names", arguments: [("1", "24"), ("2019-05-01", "2022-01-31")])
    func firstAndLast(first: String, last: String) throws {
        let read = try ReadText("Title,First,Last\nEmma,\(first),\(last)\nDune,\(first),\(last)\n")
        #expect(read.books.map(\.title) == ["Emma", "Dune"])
        #expect(read.books.allSatisfy { $0.authors.isEmpty })
    }

    @Test(
        "a column of authors with the family name first is used if there is no other column of authors",
        arguments: [
            "Title,\"Author (Last, First)\",Status,ISBN", "Title,\"Author (Last, First)\",Publisher,ISBN",
            "Title,Author l-f,Publisher,ISBN", "title,author_sort,publisher,isbn", "Title,Author l-f,Surname,ISBN",
        ])
    func invertedNames(header: String) throws {
        let read = try ReadText(
            """
            \(header)
            Emma,"Austen, Jane",,9780141439587
            Good Omens,"Gaiman, Neil & Pratchett, Terry",,9780060853983
            """)
        #expect(read.books.map(\.authors) == [["Jane Austen"], ["Neil Gaiman", "Terry Pratchett"]])
    }

    @Test("a column Last beside full authors is kept unchanged and is not a reading status")
    func lastBesideAuthors() throws {
        let read = try ReadText("Title,Author,Last\nEmma,Jane Austen,Austen\nDune,Frank Herbert,Herbert\n")
        #expect(read.books.map(\.author) == ["Jane Austen", "Frank Herbert"])
        #expect(read.books.allSatisfy { $0.statusRaw == nil })
        #expect(read.books.map { $0.raw["Last"] } == ["Austen", "Herbert"])
    }

    @Test("family names without given names are the authors", arguments: ["Surname", "Last", "Nachname"])
    func familyNamesAlone(header: String) throws {
        let read = try ReadText("ISBN,Title,\(header)\n9780141439587,Emma,Austen\n9780441172719,Dune,Herbert\n")
        #expect(read.books.map(\.author) == ["Austen", "Herbert"])
    }
}
