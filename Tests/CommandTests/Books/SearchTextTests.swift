import BookstrackContract
import Testing
@testable import BookstrackCLI

@Suite("Books, ages and years as text")
struct SearchTextTests {
    @Test("book details have a line per fact, wrap long text, and never cut a URL")
    func sheet() {
        var work = SampleBooks.dune
        work.description = "A desert planet, a spice that everybody wants.\nAnd a duke's son."
        work.subjectTags = ["Science Fiction"]
        let book = SearchHit(
            work: work, edition: SampleBooks.duneEdition, authors: [SampleBooks.herbert, AuthorDTO(name: "B")])
        #expect(
            SearchHitText.text(book, source: "from Open Library", width: 46) == """
                Title:       Dune
                Authors:     Frank Herbert (1920-1986, United
                             States)
                             B
                First in:    1965
                Published:   1990-09-01, Ace Books
                Format:      Mass Market, 535 pages
                Language:    en
                ISBN:        9780441172719, 0441172717
                Subjects:    Science Fiction
                Cover:       https://covers.openlibrary.org/b/id/13473958-L.jpg
                Description: A desert planet, a spice that
                             everybody wants.
                             And a duke's son.
                Quality:     80 of 100
                Providers:   Open Library, Google Books
                Response:    from Open Library

                """)
    }

    @Test("the table shows each work with its own edition, and covers if there is room")
    func table() {
        let books = SearchHit.books(of: SampleBooks.two)
        #expect(
            BookTableText.text(books, style: OutputStyle(width: 120, colors: false), covers: false) == """
                Title  Year  Publisher      Format       Pages  ISBN           Cover
                -----  ----  -------------  -----------  -----  -------------  --------------------------------------------------
                Dune   1965  Ace Books      Mass Market    535  9780441172719  https://covers.openlibrary.org/b/id/13473958-L.jpg
                Emma   1815  Penguin Books  Paperback           9780141439587

                """)
        #expect(
            BookTableText.text(books, style: OutputStyle(width: 80, colors: false), covers: true) == """
                #  Title  Year  Publisher      Format       Pages  ISBN
                -  -----  ----  -------------  -----------  -----  -------------
                1  Dune   1965  Ace Books      Mass Market    535  9780441172719
                2  Emma   1815  Penguin Books  Paperback           9780141439587

                Covers:

                1  https://covers.openlibrary.org/b/id/13473958-L.jpg
                2  none

                """)
    }

    @Test("tables stay within the terminal's width, and the title is shortened last", arguments: 60...130)
    func narrow(width: Int) {
        var work = SampleBooks.dune
        work.title = "The Brothers Karamazov"
        let books = [SearchHit(work: work, edition: SampleBooks.duneEdition, authors: nil)]
        let editions = [SampleBooks.duneEdition, SampleBooks.emmaEdition]
        let style = OutputStyle(width: width, colors: false)
        let table = BookTableText.text(books, style: style, covers: false)
        for line in (table + EditionTableText.text(editions, style: style, covers: false)).split(separator: "\n") {
            #expect(DisplayWidth.of(line) <= width)
        }
        #expect(width < 70 || table.contains("The Brothers Karamazov"))
        #expect(table.contains("Cover") == (width >= 100))
    }

    @Test("if there are several works, their authors are not guessed")
    func authors() {
        #expect(SearchHit.books(of: SampleBooks.one).first?.authors?.map(\.name) == ["Frank Herbert"])
        #expect(SearchHit.books(of: SampleBooks.two).map { $0.authors == nil } == [true, true])
        #expect(SearchHit.books(of: SampleBooks.two, limit: 1).map { $0.authors == nil } == [true])
    }

    @Test("control characters in a title do not reach the terminal")
    func control() {
        var work = SampleBooks.dune
        work.title = "a\u{1B}[2Jb"
        let book = SearchHit(work: work, edition: nil, authors: nil)
        #expect(!SearchHitText.text(book, source: "", width: 80).contains("\u{1B}"))
        #expect(
            !BookTableText.text([book], style: OutputStyle(width: 80, colors: false), covers: true).contains("\u{1B}"))
    }

    @Test(
        "an age is shown in a single unit that suits its length",
        arguments: [(0, "0 s"), (99, "99 s"), (100, "1 min"), (7_200, "2 h"), (700_000, "8 days")])
    func ages(seconds: Int, text: String) {
        #expect(AnswerNote.age(seconds) == text)
    }

    @Test("years before the common era are marked")
    func years() {
        #expect(YearText.text(-800) == "800 BCE")
        #expect(YearText.text(1965) == "1965")
    }
}

/// Books and results for search tests.
enum SampleBooks {
    static let dune = work("Dune", year: 1965, cover: "https://covers.openlibrary.org/b/id/13473958-L.jpg")
    static let emma = work("Emma", year: 1815)

    static var duneEdition: EditionDTO {
        var edition = EditionDTO(isbns: ["9780441172719", "0441172717"], format: .massMarket)
        edition.publisher = "Ace Books"
        edition.publicationDate = "1990-09-01"
        edition.pageCount = 535
        edition.language = "en"
        return edition
    }

    static var emmaEdition: EditionDTO {
        var edition = EditionDTO(isbns: ["9780141439587"], format: .paperback)
        edition.publisher = "Penguin Books"
        return edition
    }

    static var herbert: AuthorDTO {
        var author = AuthorDTO(name: "Frank Herbert")
        (author.birthYear, author.deathYear, author.nationality) = (1920, 1986, "United States")
        return author
    }

    /// One book.
    static let one = SearchResults(works: [dune], editions: [duneEdition], authors: [herbert], totalResults: 1)
    /// Two books, followed by a further edition.
    static let two = SearchResults(
        works: [dune, emma], editions: [duneEdition, emmaEdition, duneEdition],
        authors: [herbert, AuthorDTO(name: "Jane Austen")], totalResults: 7)

    private static func work(_ title: String, year: Int, cover: String? = nil) -> WorkDTO {
        var work = WorkDTO(title: title)
        work.firstPublicationYear = year
        work.coverImageURL = cover
        work.isbndbQuality = 80
        work.contributors = [.googleBooks, .openLibrary]
        return work
    }
}
