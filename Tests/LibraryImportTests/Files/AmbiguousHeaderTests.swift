import BookstrackContract
import LibraryImport
import Testing

@Suite("Headers with several meanings")
struct AmbiguousHeaderTests {
    @Test("a number sign in a header stands for the number in the series", arguments: ["Series #", "Book #"])
    func numberSign(header: String) throws {
        let read = try ReadText(
            "Title,Author,Series,\(header)\nMort,Terry Pratchett,Discworld,4\nEmma,Jane Austen,,\n")
        #expect(read.books.map(\.series) == [ImportedSeries(name: "Discworld", position: "4"), nil])
        #expect(read.books.allSatisfy { $0.raw.cells.isEmpty })
    }

    @Test("a number sign in a header may also stand for the number after the series' name")
    func seriesAndNumber() throws {
        let read = try SmallList.read("Series & #", ["Dune #1", "", "", "", ""])
        #expect(read.books.first?.series == ImportedSeries(name: "Dune", position: "1"))
    }

    @Test("a note in the header of a yes/no column does not change the header's meaning")
    func notedFlags() throws {
        let read = try SmallList.read("Read (Y/N)", ["Y", "N", "Y"])
        #expect(read.books.map(\.status) == [.read, nil, .read])
        #expect(read.books.allSatisfy { $0.statusRaw == nil })
    }

    @Test("a type column may contain bindings or media types")
    func types() throws {
        let bindings = try SmallList.read("Type", ["Paperback", "Hardcover", "Ebook"])
        #expect(bindings.books.map(\.format) == [.paperback, .hardcover, .ebook])
        let media = try SmallList.read("Type", ["Book", "DVD", "Book"])
        #expect(media.books.map(\.title) == ["Dune", "Ulysses"])
    }

    @Test("a cover column may contain bindings or the addresses of images")
    func covers() throws {
        let bindings = try SmallList.read("Cover", ["Paperback", "Hardcover", "Folio Society"])
        #expect(bindings.books.map(\.format) == [.paperback, .hardcover, nil])
        let addresses = (1...3).map { "https://covers.example/\($0).jpg" }
        let images = try SmallList.read("cover", addresses)
        #expect(images.roles == [.title, .author, .ignore])
        #expect(images.books.allSatisfy { $0.raw.cells.isEmpty })
    }

    @Test(
        "titles may be numbers or dates if the header identifies them",
        arguments: [["1984"], ["2666"], ["11/22/63"], ["1984", "2666", "11/22/63"], ["300", "Emma"]])
    func numbersAsTitles(titles: [String]) throws {
        let read = try ReadText("Title,Author\n" + titles.map { "\($0),Ann Other\n" }.joined())
        #expect(read.books.map(\.title) == titles)
        #expect(read.books.allSatisfy { $0.author == "Ann Other" })
    }

    @Test("a list with few titles is read, and rows without a title are errors")
    func fewTitles() throws {
        let read = try ReadText("Title,Author\n,Ann Other\n,Jane Doe\nEmma,Jane Austen\n,John Doe\n")
        #expect(read.books.map(\.title) == ["Emma"])
        #expect(read.errors.map(\.row) == [1, 2, 4])
    }

    @Test("a column of ISBNs is not a title, even if its header says so")
    func numbersAboveISBNs() throws {
        #expect(throws: ImportFailure.self) {
            try ReadText("Title,Author\n9780141439587,Jane Austen\n9780441172719,Frank Herbert\n")
        }
    }
}
