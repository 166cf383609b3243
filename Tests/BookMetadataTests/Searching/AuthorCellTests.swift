import BookMetadata
import Testing

@Suite("Author cells")
struct AuthorCellTests {
    @Test(
        "a single person becomes one name in reading order",
        arguments: [
            ("Frank Herbert", "Frank Herbert"), ("Herbert, Frank", "Frank Herbert"),
            ("Rowling, J. K.", "J. K. Rowling"),
            ("Le Guin, Ursula K.", "Ursula K. Le Guin"), ("Vargas Llosa, Mario", "Mario Vargas Llosa"),
            ("Saint-Exupéry, Antoine de", "Antoine de Saint-Exupéry"), ("von der Berg, Anna", "Anna von der Berg"),
            ("García Márquez, G.", "G. García Márquez"), ("Márquez, Gabriel García", "Gabriel García Márquez"),
            ("King, Martin Luther, Jr.", "Martin Luther King"), ("Kurt Vonnegut Jr.", "Kurt Vonnegut"),
            ("Vonnegut, Kurt, Jr.", "Kurt Vonnegut"), ("Orwell, George, 1903-1950", "George Orwell"),
            ("Doyle, Arthur Conan, Sir", "Arthur Conan Doyle"), ("Dr. Seuss", "Seuss"),
            ("José Ortega y Gasset", "José Ortega y Gasset"), ("Ortega y Gasset, José", "José Ortega y Gasset"),
            ("Eça de Queirós", "Eça de Queirós"), ("Homer", "Homer"), ("村上春樹", "村上春樹"), ("宮沢 賢治", "宮沢 賢治"),
            ("長谷川, 町子", "町子 長谷川"),
            ("Толстой, Лев", "Лев Толстой"), ("يوسف زيدان", "يوسف زيدان"), ("Frank  Herbert (Author)", "Frank Herbert"),
            ("Walter Lord", "Walter Lord"), ("Lord, Walter", "Walter Lord"), ("Graf, Oskar Maria", "Oskar Maria Graf"),
            ("Byron, George Gordon, Lord", "George Gordon Byron"), ("Tolstoy, Leo, graf", "Leo Tolstoy"),
            ("Lady", "Lady"),
            ("Al Franken", "Al Franken"), ("Gore, Al", "Al Gore"),
            ("Le Guin, Ursula K., 1929-2018, author.", "Ursula K. Le Guin"), ("Berdyaev, N. A.", "N. A. Berdyaev"),
            ("Anonymous, Seamus Heaney", "Seamus Heaney"), ("Seamus Heaney, Unknown", "Seamus Heaney"),
            ("by Frank Herbert", "Frank Herbert"), ("MADONNA", "MADONNA"), ("Herbert, Frank,", "Frank Herbert"),
            ("Lily By", "Lily By"), ("By, Lily", "Lily By"),
        ])
    func onePerson(cell: String, name: String) {
        #expect(AuthorCell(cell).people == [name])
    }

    @Test(
        "several people are separated, and roles are removed",
        arguments: [
            ("J.K. Rowling, Jim Kay (Illustrator)", ["J.K. Rowling", "Jim Kay"]),
            ("Neil Gaiman & Terry Pratchett", ["Neil Gaiman", "Terry Pratchett"]),
            ("Neil Gaiman and Terry Pratchett", ["Neil Gaiman", "Terry Pratchett"]),
            ("Neil Gaiman, Terry Pratchett", ["Neil Gaiman", "Terry Pratchett"]),
            ("Neil Gaiman/Terry Pratchett", ["Neil Gaiman", "Terry Pratchett"]),
            ("Gaiman, Neil; Pratchett, Terry", ["Neil Gaiman", "Terry Pratchett"]),
            ("Gaiman, Neil & Pratchett, Terry", ["Neil Gaiman", "Terry Pratchett"]),
            ("Gaiman, Neil, Pratchett, Terry", ["Neil Gaiman", "Terry Pratchett"]),
            ("Levitt, Steven D., Stephen J. Dubner", ["Steven D. Levitt", "Stephen J. Dubner"]),
            ("Homer, Robert Fagles", ["Homer", "Robert Fagles"]),
            ("Herbert, Frank|Anderson, Kevin J.", ["Frank Herbert", "Kevin J. Anderson"]),
            ("A. Wheen, B. Remarque, and C. Paul", ["A. Wheen", "B. Remarque", "C. Paul"]),
            ("Anna Seghers und Christa Wolf", ["Anna Seghers", "Christa Wolf"]),
            ("Rachel Cohn and David Levithan et Jane Austen", ["Rachel Cohn", "David Levithan", "Jane Austen"]),
            ("Rachel Cohn and José Ortega y Gasset", ["Rachel Cohn", "José Ortega y Gasset"]),
            ("Homer; translated by Robert Fagles", ["Homer", "Robert Fagles"]),
            ("Homer, translated by Robert Fagles", ["Homer", "Robert Fagles"]),
            ("Leo Tolstoy, translated by Louise Maude", ["Leo Tolstoy", "Louise Maude"]),
            ("Frank Herbert et al.", ["Frank Herbert"]), ("Tipper Gore; Al Gore", ["Tipper Gore", "Al Gore"]),
            ("太宰治、芥川龍之介", ["太宰治", "芥川龍之介"]), ("村上春樹, 柴田元幸", ["村上春樹", "柴田元幸"]),
            ("刘慈欣，刘宇昆", ["刘慈欣", "刘宇昆"]), ("莫言, 余华, 苏童, 格非", ["莫言", "余华", "苏童", "格非"]),
            ("한강, 은희경, 김훈, 공지영", ["한강", "은희경", "김훈", "공지영"]),
            ("Frank Herbert; Frank Herbert", ["Frank Herbert"]), ("Various", []), ("", []), ("(Editor)", []),
            ("N/A", []), ("No author", []),
        ])
    func severalPeople(cell: String, names: [String]) {
        #expect(AuthorCell(cell).people == names)
    }
}
