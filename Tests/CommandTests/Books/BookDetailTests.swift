import BookstrackContract
import Testing

@testable import BookstrackCLI

@Suite("Book details and tables")
struct BookDetailTests {
    private struct Facts {
        var work = SampleBooks.dune
        var edition = SampleBooks.duneEdition
        var author = SampleBooks.herbert
    }

    /// The value of a label in a book's details; nil if there is no such line.
    private func value(_ label: String, _ change: (inout Facts) -> Void = { _ in }) -> String? {
        var facts = Facts()
        change(&facts)
        let text = SearchHitText.text(
            SearchHit(work: facts.work, edition: facts.edition, authors: [facts.author]), source: "from Open Library",
            width: 200)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(label):") }
        return line.map { String($0.drop { $0 != " " }.drop { $0 == " " }) }
    }

    @Test(
        "an author is shown with the known facts of their life",
        arguments: [
            (1920, 1986, "United States", "Frank Herbert (1920-1986, United States)"),
            (1920, nil, nil, "Frank Herbert (born 1920)"),
            (nil, 1986, nil, "Frank Herbert (died 1986)"), (nil, nil, "Egypt", "Frank Herbert (Egypt)"),
            (nil, nil, nil, "Frank Herbert"),
            (-750, -700, nil, "Frank Herbert (750 BCE-700 BCE)"),
        ] as [(Int?, Int?, String?, String)])
    func authors(born: Int?, died: Int?, nationality: String?, text: String) {
        let shown = value("Author") {
            ($0.author.birthYear, $0.author.deathYear, $0.author.nationality) = (born, died, nationality)
        }
        #expect(shown == text)
    }

    @Test(
        "a language is shown with the original language if the two differ",
        arguments: [
            ("en", nil, "en"), ("en", "en", "en"), ("en", "de", "en, translated from de"), (nil, "de", "de"),
            (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func languages(language: String?, original: String?, text: String?) {
        #expect(value("Language") { ($0.edition.language, $0.work.originalLanguage) = (language, original) } == text)
    }

    @Test("the publisher-and-date line and the format-and-pages line leave out unknown values")
    func joined() {
        #expect(value("Published") { $0.edition.publisher = nil } == "1990-09-01")
        #expect(value("Published") { $0.edition.publicationDate = nil } == "Ace Books")
        #expect(value("Published") { ($0.edition.publisher, $0.edition.publicationDate) = (nil, nil) } == nil)
        #expect(value("Format") { $0.edition.pageCount = nil } == "Mass Market")
    }

    @Test("an uncertain match is marked as needing review beside its quality")
    func quality() {
        #expect(value("Quality") == "80 of 100")
        #expect(
            value("Quality") { $0.work.reviewStatus = .needsReview } == "80 of 100; the match needs review")
    }

    @Test("the edition's own title is shown only if it differs from the work's title")
    func editionTitle() {
        #expect(value("Edition") { $0.edition.title = "Dune" } == nil)
        #expect(value("Edition") { $0.edition.title = "Der Wüstenplanet" } == "Der Wüstenplanet")
    }

    @Test("each provider of the work or its edition is listed once")
    func providers() {
        #expect(
            value("Providers") { $0.edition.contributors = [.isbndb, .openLibrary] }
                == "Open Library, Google Books, ISBNdb")
    }

    @Test("CSV has every column, including those that a table leaves out")
    func csv() {
        let lines = BookTableText.csv(SearchHit.books(of: SampleBooks.two)).split(separator: "\r\n")
        #expect(lines.first == "title,authors,year,publisher,format,pages,isbn,cover")
        #expect(
            lines.dropFirst().first
                == "Dune,,1965,Ace Books,Mass Market,535,9780441172719,https://covers.openlibrary.org/b/id/13473958-L.jpg"
        )
        #expect(lines.last == "Emma,,1815,Penguin Books,Paperback,,9780141439587,")
    }

    @Test("covers are numbered like their rows, and a missing cover is reported")
    func covers() {
        #expect(CoverList.lines(["https://c/1", nil]) == ["", "Covers:", "", "1  https://c/1", "2  none"])
        let many = CoverList.lines(Array(repeating: "https://c/x", count: 10))
        #expect(many[3] == " 1  https://c/x")
        #expect(many.last == "10  https://c/x")
    }
}
