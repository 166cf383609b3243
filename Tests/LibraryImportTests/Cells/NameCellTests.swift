import BookstrackContract
import LibraryImport
import Testing

/// Authors and series in the forms that applications write into a single cell.
@Suite("Name and series cells")
struct NameCellTests {
    private let anyShape = AuthorNames(separator: .any, order: .any)

    @Test(
        "a single author is not split, whatever punctuation the name contains",
        arguments: [
            "Homer", "J. R. R. Tolkien", "Gabriel García Márquez", "Madeleine L'Engle", "Jean-Paul Sartre",
            "bell hooks",
            "Martin Luther King, Jr.", "Kurt Vonnegut Jr.", "紫式部", "Лев Толстой", "José Ortega y Gasset", "نجيب محفوظ",
        ])
    func oneName(cell: String) {
        #expect(anyShape.names(cell) == [cell])
    }

    @Test(
        "a family name before a comma is moved after the given name",
        arguments: [
            ("Austen, Jane", "Jane Austen"), ("Tolkien, J. R. R.", "J. R. R. Tolkien"),
            ("García Márquez, Gabriel", "Gabriel García Márquez"), ("de Beauvoir, Simone", "Simone de Beauvoir"),
            ("van der Kolk, Bessel", "Bessel van der Kolk"), ("Толстой, Лев", "Лев Толстой"),
            ("長谷川, 町子", "町子 長谷川"),
        ])
    func turned(cell: String, name: String) {
        #expect(anyShape.names(cell) == [name])
    }

    @Test(
        "the years of a life after a name are dropped",
        arguments: [
            ("Austen, Jane, 1775-1817.", ["Jane Austen"]), ("Süskind, Patrick, 1949-", ["Patrick Süskind"]),
            ("King, Martin Luther, Jr., 1929-1968", ["Martin Luther King Jr."]),
            ("Gaiman, Neil, 1960-; Pratchett, Terry, 1948–2015", ["Neil Gaiman", "Terry Pratchett"]),
        ])
    func lifeDates(cell: String, names: [String]) {
        #expect(anyShape.names(cell) == names)
        #expect(AuthorNames(separator: .any, order: .lastFirst).names(cell) == names)
    }

    @Test(
        "several authors are separated at the punctuation marks and conjunctions that applications use",
        arguments: [
            ("Terry Pratchett; Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett & Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett and Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett und Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett et Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett|Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett, Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett, Neil Gaiman, Jane Austen", ["Terry Pratchett", "Neil Gaiman", "Jane Austen"]),
            ("Pratchett, Terry; Gaiman, Neil", ["Terry Pratchett", "Neil Gaiman"]),
            ("Pratchett, Terry, Gaiman, Neil", ["Terry Pratchett", "Neil Gaiman"]),
            ("Le Guin, Ursula K., King, Martin Luther, Jr.", ["Ursula K. Le Guin", "Martin Luther King Jr."]),
            ("Gaiman, Neil (Author), Kidd, Chip (Illustrator)", ["Neil Gaiman"]),
            ("Terry Pratchett, Moebius, Neil Gaiman, Banksy", ["Terry Pratchett", "Moebius", "Neil Gaiman", "Banksy"]),
            ("村上春樹, 柴田元幸", ["村上春樹", "柴田元幸"]), ("莫言, 余华, 苏童, 格非", ["莫言", "余华", "苏童", "格非"]),
            ("한강, 은희경, 김훈, 공지영", ["한강", "은희경", "김훈", "공지영"]),
            ("['Terry Pratchett', 'Neil Gaiman']", ["Terry Pratchett", "Neil Gaiman"]),
            ("Terry Pratchett\nNeil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Pratchett, Terry;\r\nGaiman, Neil\r\n", ["Terry Pratchett", "Neil Gaiman"]),
            ("Homer\n", ["Homer"]),
        ])
    func several(cell: String, names: [String]) {
        #expect(anyShape.names(cell) == names)
    }

    @Test(
        "in a column with the family name first, authors are separated, and a name with a conjunction is kept whole",
        arguments: [
            ("Boswell, Dustin & Foucher, Trevor", ["Dustin Boswell", "Trevor Foucher"]),
            ("Pratchett, Terry and Gaiman, Neil", ["Terry Pratchett", "Neil Gaiman"]),
            ("Pratchett, Terry and Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("Pratchett, Terry; Gaiman, Neil", ["Terry Pratchett", "Neil Gaiman"]),
            ("David Talbott & Wallace Thornhill", ["David Talbott", "Wallace Thornhill"]),
            ("Simon & Schuster", ["Simon & Schuster"]), ("Ortega y Gasset, José", ["José Ortega y Gasset"]),
            ("Arts and Letters, Academy of", ["Academy of Arts and Letters"]),
            ("García Márquez, Gabriel José", ["Gabriel José García Márquez"]),
        ])
    func severalInverted(cell: String, names: [String]) {
        #expect(AuthorNames(separator: .any, order: .lastFirst).names(cell) == names)
    }

    @Test(
        "contributors in other roles are omitted if there is an author",
        arguments: [
            "Translator", "Narrator", "Illustrator", "Foreword", "Introduction", "Editor", "Übersetzer", "Sprecherin",
            "Traducteur", "Traductora", "Narratore", "Vertaler", "Tłumacz", "Переводчик", "Översättare", "Cover Artist",
        ])
    func otherRoles(role: String) {
        #expect(anyShape.names("Jane Austen, Ann Other (\(role))") == ["Jane Austen"])
        #expect(anyShape.names("Ann Other (\(role))") == ["Ann Other"])
    }

    @Test(
        "a role after an inverted name is not part of the name, and a full name with another role is another person",
        arguments: [
            ("King, Stephen (Author)", "Stephen King"), ("Doe, Jane (Translator)", "Jane Doe"),
            ("Corey, James S.A. (Goodreads Author)", "James S.A. Corey"),
            ("Rowling, J. K. (Author) & Ann Other (Narrator)", "J. K. Rowling"),
            ("Doe, Jane A. (Editor)", "Jane A. Doe"), ("Homer, Emily Wilson (Translator)", "Homer"),
            ("Homer, E. V. Rieu (Translator)", "Homer"), ("Homer, Emily Wilson (trans.)", "Homer"),
            ("Homer (Author), Emily Wilson (Translator)", "Homer"),
        ])
    func invertedWithRole(cell: String, name: String) {
        #expect(anyShape.names(cell) == [name])
    }

    @Test("contributors on a line of their own are omitted if another line names an author")
    func otherRolesOnLines() {
        #expect(anyShape.names("Frank Herbert\nAnna Smith (Translator)") == ["Frank Herbert"])
        #expect(anyShape.names("Anna Smith (Translator)\nFrank Herbert (Author)") == ["Frank Herbert"])
        #expect(
            anyShape.names("Anna Smith (Translator)\nAnn Other (Narrator)") == ["Anna Smith", "Ann Other"])
    }

    @Test("words in brackets that are not a contributor's role do not exclude an author")
    func otherBrackets() {
        #expect(anyShape.names("Jane Austen (Author), Ann Other (Goodreads Author)") == ["Jane Austen", "Ann Other"])
        #expect(
            AuthorNames(separator: .none, order: .reading).names("Culadasa (John Yates)") == ["Culadasa (John Yates)"])
        #expect(AuthorNames(separator: .none, order: .reading).names("Jane Austen (Author)") == ["Jane Austen"])
    }

    @Test(
        "an empty or placeholder cell yields no author", arguments: ["", " ", "N/A", "Unknown", "-", ";", ",", "=\"\""])
    func noName(cell: String) {
        #expect(anyShape.names(cell).isEmpty)
    }

    @Test(
        "a series in brackets at the end of a title is separated from the title",
        arguments: [
            ("Dune (Dune, #1)", "Dune", "Dune", "1"), ("Dune (Dune #1)", "Dune", "Dune", "1"),
            ("Dune  (Dune Chronicles, #1)", "Dune", "Dune Chronicles", "1"),
            ("The Sandman (The Sandman, #0)", "The Sandman", "The Sandman", "0"),
            ("A Novella (Saga, #2.5)", "A Novella", "Saga", "2.5"), ("Omnibus (Saga, #1-3)", "Omnibus", "Saga", "1-3"),
            ("Omnibus (Saga, #1–3)", "Omnibus", "Saga", "1–3"),
            ("Krieg und Frieden (Werke, Band 2)", "Krieg und Frieden", "Werke", "2"),
            ("Germinal (Les Rougon-Macquart, Tome 13)", "Germinal", "Les Rougon-Macquart", "13"),
            ("Emma (Complete Works, Vol. 4)", "Emma", "Complete Works", "4"),
            ("Том первый (Война и мир, том 1)", "Том первый", "Война и мир", "1"),
            ("Mort (Discworld, #4; Death, #1)", "Mort", "Discworld", "4"),
            ("It (a novel) (Horror, #1)", "It (a novel)", "Horror", "1"),
            ("Mort (Discworld #4, Death #1)", "Mort", "Discworld", "4"),
            ("Dune (Dune Chronicles, Book 1)", "Dune", "Dune Chronicles", "1"),
            ("Dune (Dune Chronicles Book 1)", "Dune", "Dune Chronicles", "1"),
            ("Dune (Dune Chronicles: Book 1)", "Dune", "Dune Chronicles", "1"),
            ("Dune (Dune Chronicles - Vol. 1)", "Dune", "Dune Chronicles", "1"),
            ("Omnibus (Saga Books 1-3)", "Omnibus", "Saga", "1-3"),
            ("Der Zauberhut (Scheibenwelt Band 5)", "Der Zauberhut", "Scheibenwelt", "5"),
        ])
    func seriesInTitle(cell: String, title: String, name: String, position: String) {
        let split = SeriesNotation.split(title: cell)
        #expect(split.title == title)
        #expect(split.series == ImportedSeries(name: name, position: position))
    }

    @Test(
        "text in brackets that is not a series belongs to the title",
        arguments: [
            "Emma (Penguin Classics)", "Emma (Annotated)", "1984 (1949)", "(#1)", "Emma)", "Emma (", "Emma", "",
            "(Saga, #1)", "Emma (Saga, #)", "Emma (#x)", "C++ (Second Edition)", "Dune (Book 1)",
            "Headway (Student's Book 1)", "Headway (Teacher’s Book 1)", "Berserk (Deluxe Edition Volume 2)",
            "Berserk (Deluxe Edition, Volume 2)", "War and Peace (Part 1 of 2)",
        ])
    func notASeries(title: String) {
        let split = SeriesNotation.split(title: title)
        #expect(split.title == title)
        #expect(split.series == nil)
    }

    @Test(
        "a series column yields the series' name and, if present, the number in the series",
        arguments: [
            ("Discworld (#4)", "Discworld", "4"), ("Discworld (#4.0)", "Discworld", "4"),
            ("Discworld #4", "Discworld", "4"),
            ("Discworld, #4", "Discworld", "4"), ("Discworld, Book 4", "Discworld", "4"),
            ("Discworld Book 4", "Discworld", "4"),
            ("Discworld, 4", "Discworld", "4"),
            ("Discworld (4)", "Discworld", "4"), ("Discworld", "Discworld", nil),
            ("Discworld (#4), Death (#1)", "Discworld", "4"),
            ("Discworld #4, Death #1", "Discworld", "4"), ("Discworld, #4, Death, #1", "Discworld", "4"),
            ("The #1 Girls, #2", "The #1 Girls", "2"), ("Hashtag #Love, #2", "Hashtag #Love", "2"),
            ("Les Rougon-Macquart", "Les Rougon-Macquart", nil),
        ] as [(String, String, String?)])
    func seriesColumn(cell: String, name: String, position: String?) {
        #expect(SeriesNotation.column(cell) == ImportedSeries(name: name, position: position))
    }

    @Test(
        "the position in a series may be a number, a range or any other string",
        arguments: [("4", "4"), ("4.0", "4"), ("#4", "4"), ("1-3", "1-3"), ("IV", "IV"), ("prequel", "prequel")])
    func places(cell: String, place: String) {
        #expect(SeriesNotation.place(cell) == place)
    }
}
