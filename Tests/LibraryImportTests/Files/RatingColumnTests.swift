import BookstrackContract
import LibraryImport
import Testing

@Suite("Columns of ratings and of other small numbers")
struct RatingColumnTests {
    @Test(
        "numbers under a rating header are ratings, whatever they look like",
        arguments: [
            ("Rating", ["1", "2", "3"], [1, 2, 3]), ("Rating", ["80 %", "100 %", "45 %"], [4, 5, 2.25]),
            ("Wertung", ["5", "4", "3"], [5, 4, 3]), ("My Stars", ["4", "4", "4"], [4, 4, 4]),
            ("Bewertung", ["3", "4", "5"], [3, 4, 5]),
        ] as [(String, [String], [Double])])
    func ratings(header: String, cells: [String], ratings: [Double]) throws {
        #expect(try SmallList.read(header, cells).books.compactMap(\.rating) == ratings)
    }

    @Test(
        "stars and quarter steps are ratings under any header",
        arguments: [["★★★", "★★★★★", "★"], ["4.5", "3.75", "5", "2.25"]])
    func unknownRatings(cells: [String]) throws {
        #expect(try SmallList.read("Verdict", cells).books.compactMap(\.rating).count == cells.count)
    }

    @Test(
        "ratings have the scale of ten that a note in their header states",
        arguments: [
            "Rating (1-10)", "Rating 1-10", "Rating [1-10]", "Rating (0-10)", "Rating (of 10)", "Score (1-10)",
            "My rating (1-10)", "Rating 1–10", "Rating (out of 10 stars)",
        ])
    func ratingsOfTen(header: String) throws {
        #expect(try SmallList.read(header, ["5", "4", "3"]).books.map(\.rating) == [2.5, 2, 1.5])
        #expect(try SmallList.read(header, ["10", "7", "1"]).books.map(\.rating) == [5, 3.5, 0.5])
    }

    @Test(
        "ratings have the scale of five that a note in their header states",
        arguments: ["Rating (1-5)", "Stars (1-5)", "Your Rating (out of 5 stars)"])
    func ratingsOfFive(header: String) throws {
        #expect(try SmallList.read(header, ["5", "4", "3"]).books.map(\.rating) == [5, 4, 3])
    }

    /// Two different numbers do not look like ratings, and `Note` alone may also be the header of notes.
    @Test("numbers under `Note /20` are French ratings, even if most are the same")
    func ratingsOutOfTwenty() throws {
        #expect(try SmallList.read("Note /20", ["18", "10", "10"]).books.map(\.rating) == [4.5, 2.5, 2.5])
    }

    @Test(
        "average ratings are not the reader's", arguments: ["Rating (community)", "Rating (average)", "Average rating"])
    func averageRatings(header: String) throws {
        #expect(try SmallList.read(header, ["4.5", "3.75", "4.25"]).books.map(\.rating) == [nil, nil, nil])
    }

    @Test("book prices are not ratings")
    func costs() throws {
        #expect(
            try SmallList.read("Cost", ["3.50", "4.25", "5.00", "2.75"]).books.map(\.rating) == [nil, nil, nil, nil])
    }

    @Test(
        "row numbers are not ratings",
        arguments: ["#", "No.", "Nr.", "", "Unnamed: 0", "Lfd. Nr."], [3, 4, 5, 8, 10])
    func rowNumbers(header: String, count: Int) throws {
        let read = try SmallList.read(header, (1...count).map(String.init), first: true)
        #expect(read.books.map(\.title) == SmallList.books.prefix(count).map(\.title))
        #expect(read.books.allSatisfy { $0.rating == nil })
    }

    @Test("row numbers without a header are not ratings", arguments: [3, 5, 10])
    func rowNumbersWithoutHeader(count: Int) throws {
        let lines = SmallList.books.prefix(count).enumerated().map {
            "\($0 + 1),The World of \($1.title),\($1.author)\n"
        }
        let read = try ReadText(lines.joined())
        #expect(read.books.map(\.title) == SmallList.books.prefix(count).map { "The World of \($0.title)" })
        #expect(read.books.allSatisfy { $0.rating == nil })
    }

    @Test(
        "numbers under an unknown header are kept unchanged",
        arguments: [
            ("Box", ["1", "1", "2", "3", "5"]), ("Week", ["1", "3", "4", "6", "10"]),
            ("Floor", ["1", "2", "2", "3", "4"]),
            ("Kids age", ["8", "6", "4", "8", "5"]), ("Progress", ["45 %", "80 %", "100 %", "10 %", "45 %"]),
            ("Chapters", ["1", "5", "3", "4", "5"]),
        ])
    func unknownNumbers(header: String, cells: [String]) throws {
        let read = try SmallList.read(header, cells)
        #expect(read.books.allSatisfy { $0.rating == nil })
        #expect(read.books.compactMap { $0.raw[header] } == cells)
    }

    @Test("a column with the number of copies shows ownership and is not a rating")
    func copies() throws {
        let read = try SmallList.read("Qty", ["1", "1", "2", "3", "1"])
        #expect(read.roles[2] == .owned)
    }
}
