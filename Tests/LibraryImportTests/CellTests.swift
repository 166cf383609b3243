import BookIdentifiers
import BookstrackContract
import LibraryImport
import Testing

@Suite("Cells of library files")
struct CellTests {
    @Test(
        "a single-line cell loses repeated spaces and a spreadsheet's wrapping, and its character references are decoded",
        arguments: [
            ("=\"0439708184\"", "0439708184"), ("\"=\"\"0439708184\"\"\"", "0439708184"), ("=\"\"", ""),
            ("  Liz    Moore ", "Liz Moore"),
            ("Ty&ouml;p&auml;iv&auml;", "Työpäivä"), ("Rock &#38; Roll", "Rock & Roll"),
            ("AT&T; &unknown;", "AT&T; &unknown;"),
            ("\"Surely You're Joking\"", "\"Surely You're Joking\""), ("'Tis", "'Tis"),
            ("\u{FEFF}Title\u{A0}", "Title"),
        ])
    func line(cell: String, text: String) {
        #expect(CellText.line(cell) == text)
    }

    @Test(
        "a review becomes plain text that keeps its line breaks",
        arguments: [
            ("One.<br/><br/>Two &amp; <b>three</b>", "One.\n\nTwo & three"), ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
            ("<p>A</p><p>B</p>", "A\n\nB"), ("line\r\nline", "line\nline"),
            ("One\rTwo\u{85}Three\u{2028}Four\u{2029}Five\u{B}Six", "One\nTwo\nThree\nFour\nFive\nSix"),
            ("A\u{A0}\u{3000}b\u{2009}\u{200B}é\u{1680}“c”\u{9F}\u{FEFF}€ ", "A b é “c”€"),
            ("می\u{200C}خواهم  ", "می\u{200C}خواهم"),
        ])
    func prose(cell: String, text: String) {
        #expect(CellText.prose(cell) == text)
    }

    @Test(
        "ISBNs are read in the forms that applications and spreadsheets write",
        arguments: [
            ("=\"1250313198\"", "9781250313195", nil), ("[0451524934]", "9780451524935", nil),
            ("978-0-306-40615-7", "9780306406157", nil),
            ("553290959", "9780553290950", "lost_leading_zeros"), ("7423292", "9780007423293", "lost_leading_zeros"),
            ("9780306406157.0", "9780306406157", nil), ("0596101996, 9780596101992", "9780596101992", nil),
            ("'9780306406157", "9780306406157", nil),
            ("006112527X", "9780061125270", nil),
        ] as [(String, String, String?)])
    func isbn(cell: String, number: String, repair: String?) throws {
        guard case .number(let isbn, let found) = CellISBN(cell) else {
            Issue.record("\(cell) was not read as an ISBN")
            return
        }
        #expect(isbn.isbn13 == number)
        #expect(found?.name == repair)
    }

    @Test(
        "the reason is reported if a cell has no valid ISBN",
        arguments: [
            ("9.78006E+12", CellISBN.lost), ("9,78E+12", .lost), ("=\"\"", .none), ("[]", .none), ("N/A", .none),
            ("0", .none),
            ("9780306406158", .invalid(.wrongCheckDigit)), ("b1d8b1a2-uid", .invalid(.wrongCharacters)),
        ])
    func noISBN(cell: String, reading: CellISBN) {
        #expect(CellISBN(cell) == reading)
    }

    @Test(
        "dates are read in the forms that applications and spreadsheets write",
        arguments: [
            ("2020/11/01", "2020-11-01"), ("2021-01-19T22:41:16+01:00", "2021-01-19"), ("[2007-04-16]", "2007-04-16"),
            ("2022-02-05 08:02:29", "2022-02-05"), ("24/12/2020", "2020-12-24"), ("12/24/2020", "2020-12-24"),
            ("3.4.2021", "2021-04-03"),
            ("5 mars 2021", "2021-03-05"), ("March 5, 2021", "2021-03-05"), ("Mar 5th, 2021", "2021-03-05"),
            ("05-Mar-21", "2021-03-05"),
            ("2021年3月5日", "2021-03-05"), ("2021-03", "2021-03"), ("2021", "2021"), ("20210305", "2021-03-05"),
            ("44260", "2021-03-05"),
            ("12 декабря 2019", "2019-12-12"), ("Friday, March 5 2021", "2021-03-05"),
        ])
    func date(cell: String, iso: String) {
        #expect(CellDate(cell, order: nil)?.iso == iso)
    }

    @Test(
        "a cell that is not a date yields no date",
        arguments: ["", "0101-01-01T00:00:00+00:00", "0000-00-00", "N/A", "2021-13-01", "2021-02-30", "Emma", "12.5"])
    func noDate(cell: String) {
        #expect(CellDate(cell, order: .dayFirst) == nil)
    }

    @Test("an ambiguous date is read with the file's date order")
    func ambiguousDate() {
        #expect(CellDate.read("03/04/2021", order: nil) == .ambiguous(year: 2021))
        #expect(CellDate("03/04/2021", order: .dayFirst)?.iso == "2021-04-03")
        #expect(CellDate("03/04/2021", order: .monthFirst)?.iso == "2021-03-04")
        #expect(CellDate.order(provenBy: "13/04/2021") == .dayFirst)
        #expect(CellDate.order(provenBy: "04/13/2021") == .monthFirst)
        #expect(CellDate.order(provenBy: "04/03/2021") == nil)
    }

    @Test(
        "several reading periods in one cell are all kept",
        arguments: [
            ("2023/05/23-2023/06/07", ["2023-05-23/2023-06-07"]),
            ("2021/05/03, 2022/01/01-2022/01/09", ["/2021-05-03", "2022-01-01/2022-01-09"]),
            ("2023-10-27T00:00:00.000|2023-11-28T00:00:00.000|", ["2023-10-27/2023-11-28"]),
            ("|2023-12-10T00:00:00.000|", ["/2023-12-10"]),
            ("2020-01-01/2020-01-05; 2021", ["2020-01-01/2020-01-05", "/2021"]), ("2020-01-01/", ["2020-01-01/"]),
            ("", []),
        ] as [(String, [String])])
    func readings(cell: String, expected: [String]) {
        let list = ReadingList.read(cell, order: nil)
        #expect(list.readings.map { ($0.start ?? "") + "/" + ($0.end ?? "") } == expected)
        #expect(!list.hasUnreadable)
    }

    @Test(
        "ratings on every scale are converted to stars out of five, in steps of a quarter",
        arguments: [
            ("4", 5, 4), ("4.25", 5, 4.25), ("9", 10, 4.5), ("15", 20, 3.75), ("80", 100, 4), ("80 %", 5, 4),
            ("★★★★½", 5, 4.5), ("⭐️⭐️⭐️", 5, 3),
            ("****", 5, 4), ("★★★☆☆", 5, 3), ("4/5", 10, 4), ("4,5", 5, 4.5), ("4 stars", 5, 4), ("8 out of 10", 5, 4),
            ("8 out of 10", 10, 4), ("4 out of 5", 10, 4),
        ] as [(String, Int, Double)])
    func rating(cell: String, scale: Int, stars: Double) {
        #expect(CellRating.read(cell, scale: scale) == .rating(stars))
    }

    @Test("an unrated book has no rating rather than zero stars, and an invalid rating is unreadable")
    func noRating() {
        #expect(CellRating.read("0", scale: 5) == .none)
        #expect(CellRating.read("", scale: 5) == .none)
        #expect(CellRating.read("☆☆☆☆☆", scale: 5) == .none)
        #expect(CellRating.read("great", scale: 5) == .unreadable)
        #expect(CellRating.read("7", scale: 5) == .unreadable)
    }

    @Test(
        "a series in brackets is separated from the title",
        arguments: [
            ("Mort (Discworld, #4; Death, #1)", "Mort", "Discworld", "4"), ("Dune (Dune #1)", "Dune", "Dune", "1"),
            ("Winter's Passage (Iron Fey, #1.5)", "Winter's Passage", "Iron Fey", "1.5"),
            ("Box (Saga, #1-3)", "Box", "Saga", "1-3"), ("Dune (Dune, #1. )", "Dune", "Dune", "1."),
            ("Sunbringer (Fallen Gods, Book 2)", "Sunbringer", "Fallen Gods", "2"),
        ])
    func series(cell: String, title: String, name: String, position: String) {
        let split = SeriesNotation.split(title: cell)
        #expect(split.title == title)
        #expect(split.series == ImportedSeries(name: name, position: position))
    }

    @Test(
        "a title is unchanged unless brackets at its end contain a series and a volume number",
        arguments: [
            "The Gulag Archipelago 1918–1956 (Abridged)", "Peter Pan #1 : Londres", "A Game of Thrones #1", "(#1)",
            "The Worst-Case Scenario Survival Handbook (Worst Case Scenario (WORS))",
        ])
    func noSeries(title: String) {
        #expect(SeriesNotation.split(title: title).title == title)
        #expect(SeriesNotation.split(title: title).series == nil)
    }

    @Test(
        "a series column yields the series' name and number",
        arguments: [
            ("America in the King Years (#3.0)", "America in the King Years", "3"), ("X (#1), Y (#2)", "X", "1"),
            ("InCryptid", "InCryptid", nil),
            ("Discworld, #4", "Discworld", "4"),
        ] as [(String, String, String?)])
    func seriesColumn(cell: String, name: String, position: String?) {
        #expect(SeriesNotation.column(cell) == ImportedSeries(name: name, position: position))
    }

    @Test(
        "authors are split and put in reading order according to the cell's form",
        arguments: [
            ("J.K. Rowling", ["J.K. Rowling"]), ("Smith, Mark", ["Mark Smith"]),
            ("Le Guin, Ursula K.", ["Ursula K. Le Guin"]),
            ("Vargas Llosa, Mario", ["Mario Vargas Llosa"]),
            ("Neil Gaiman, Terry Pratchett", ["Neil Gaiman", "Terry Pratchett"]),
            ("Gaiman, Neil; Pratchett, Terry", ["Neil Gaiman", "Terry Pratchett"]),
            ("Elnathan John & Àlàbá Ònájìn", ["Elnathan John", "Àlàbá Ònájìn"]),
            ("Rod Dreher (Foreword), Carl R. Trueman", ["Carl R. Trueman"]), ("Zalman (of Lyady)", ["Zalman"]),
            ("Michael Kramer (Narrator)", ["Michael Kramer"]),
            ("Last, First|Other, Name", ["First Last", "Name Other"]),
            ("José Ortega y Gasset", ["José Ortega y Gasset"]), ("N/A", []),
        ])
    func authors(cell: String, names: [String]) {
        #expect(AuthorNames(separator: .any, order: .any).names(cell) == names)
    }

    @Test("an application's own rule for authors takes precedence")
    func authorRules() {
        #expect(AuthorNames(separator: .none, order: .reading).names("Life, The School of") == ["Life, The School of"])
        #expect(
            AuthorNames(separator: .comma, order: .reading).names("A B, C D Jr., E F, Jr.") == [
                "A B", "C D Jr.", "E F, Jr.",
            ])
        #expect(
            AuthorNames(separator: .any, order: .lastFirst).names("Ince Jr., Irwyn L.") == ["Irwyn L. Ince Jr."])
        #expect(AuthorNames(separator: .comma, order: .lastFirstWords).names("Camus Albert") == ["Albert Camus"])
        #expect(AuthorNames(separator: .ampersand, order: .reading).names("A B & C, D") == ["A B", "C, D"])
    }

    @Test(
        "statuses are recognized in many languages, and other words are not statuses",
        arguments: [
            ("currently-reading", .reading), ("Currently Reading", .reading), ("in_progress", .reading),
            ("Want to Read", .toRead), ("Unread", .toRead),
            ("Not begun", .toRead), ("Gelesen", .read), ("Lu", .read), ("À lire", .toRead),
            ("Leyendo actualmente", .reading), ("Przeczytane", .read),
            ("已停止阅读", .didNotFinish), ("Dropped", .didNotFinish), ("did-not-finish", .didNotFinish),
            ("paused", .paused), ("Wunschliste", .wishlist),
            ("Прочитано", .read), ("Jäi kesken", .didNotFinish), ("Lässta", nil), ("leseliste-2020", nil),
            ("ai-books", nil), ("waiting", nil), ("", nil),
        ] as [(String, ReadingStatus?)])
    func status(cell: String, status: ReadingStatus?) {
        #expect(StatusWords.status(cell) == status)
    }

    @Test(
        "shelves and tags are split at their separators",
        arguments: [
            ("audio, fiction", ["audio", "fiction"]), ("audio (#220), fiction (#348)", ["audio", "fiction"]),
            ("1|||||Solarpunk", ["1", "Solarpunk"]),
            ("Religion", ["Religion"]),
            ("Technology & Engineering; History, modern", ["Technology & Engineering", "History, modern"]), ("", []),
        ])
    func words(cell: String, words: [String]) {
        #expect(WordList.words(cell) == words)
    }

    @Test("numbers and years are read from their cells")
    func numbers() {
        #expect(CellNumber.count("1032 ") == 1_032)
        #expect(CellNumber.count("1,032") == 1_032)
        #expect(CellNumber.count("590 p.") == 590)
        #expect(CellNumber.count("") == nil)
        #expect(CellNumber.year("-50") == -50)
        #expect(CellNumber.year("c1999") == 1_999)
        #expect(CellNumber.year("2019-03-05T01:00:00+01:00") == 2_019)
        #expect(CellNumber.year("?") == nil)
        #expect(CellNumber.year("0101-01-01") == nil)
        #expect(CellNumber.year("2100-11-30") == 2_100)
        #expect(CellNumber.year("2121-11-30") == nil)
    }
}
