import BookIdentifiers
import TestSupport
import Testing

@Suite("ISBN parsing")
struct ISBNParsingTests {
    @Test(
        "every notation that needs no repair is parsed without one",
        arguments: [
            "0439708184", "0-439-70818-4", "0 439 70818 4", " 0439708184\n", "ISBN 0439708184", "isbn0439708184",
            "ISBN: 0-439-70818-4", "ISBN-10: 0439708184", "ISBN-10 0439708184", "ISBN 10: 0439708184",
            "0–439–70818–4", "0\u{2011}439\u{2011}70818\u{2011}4", "0\u{2212}439\u{2212}70818\u{2212}4",
            "0\u{A0}439\u{202F}70818\u{3000}4", "\u{200E}0439708184\u{FEFF}", "０４３９７０８１８４", "ＩＳＢＮ　０４３９７０８１８４",
            "=\"0439708184\"", "9780439708180", "978-0-439-70818-0", "ISBN-13: 978-0-439-70818-0",
            "ISBN13 9780439708180", "ISBN 13 978 0 439 70818 0", "urn:isbn:9780439708180", "=\"9780439708180\"",
        ])
    func acceptedAsItStands(text: String) throws {
        let parsed = try ISBN.parse(text)
        #expect(parsed.isbn.isbn13 == "9780439708180")
        #expect(parsed.isbn.isbn10 == "0439708184")
        #expect(parsed.repair == nil)
        #expect(ISBN(text) == parsed.isbn)
    }

    @Test(
        "the check character X is accepted in uppercase, lowercase and full width",
        arguments: ["080442957X", "0-8044-2957-x", "０８０４４２９５７Ｘ"])
    func checkCharacterX(text: String) throws {
        let parsed = try ISBN.parse(text)
        #expect(parsed.isbn.isbn13 == "9780804429573")
        #expect(parsed.isbn.isbn10 == "080442957X")
        #expect(parsed.form == .isbn10)
    }

    @Test("an ISBN that starts with 979 has no ISBN-10 form")
    func noISBN10For979() throws {
        let isbn = try ISBN.parse("979-10-90636-07-1").isbn
        #expect(isbn.isbn10 == nil)
        #expect(isbn.forms == ["9791090636071"])
    }

    @Test(
        "leading zeros that a spreadsheet dropped are restored and reported",
        arguments: [
            ("439023483", 1, "9780439023481"), ("61120081", 2, "9780061120084"), ("7103093", 3, "9780007103096"),
        ])
    func lostLeadingZeros(text: String, count: Int, isbn13: String) throws {
        let parsed = try ISBN.parse(text)
        #expect(parsed.repair == .lostLeadingZeros(count: count))
        #expect(parsed.isbn.isbn13 == isbn13)
        #expect(ISBN(text) == nil)
    }

    @Test("nine digits with separators are parsed as an SBN", arguments: ["340-01381-8", "340 01381 8"])
    func standardBookNumber(text: String) throws {
        let parsed = try ISBN.parse(text)
        #expect(parsed.repair == .sbn)
        #expect(parsed.isbn.isbn10 == "0340013818")
    }

    @Test(
        "leading zeros are restored only if the check digit matches afterward",
        arguments: ["439023484", "61120082", "340-01381-9"])
    func unprovenZerosAreNotAdded(text: String) {
        #expect(throws: ISBNError.self) { try ISBN.parse(text) }
    }

    @Test(
        "the first valid ISBN in a cell with words and other numbers is used",
        arguments: [
            "0306406152 (pbk.)", "0306406152 9780306406157", "9780306406157, 0306406152", "0-306-40615-2 ; 080442957X",
            "ISBN 0306406152 (hardback)", "0306406152 : $12.95", "[9780306406157]", "978 0 306 40615 7 (v. 1)",
            "9780306406158 / 0306406152", "pbk. 0306406152 | 080442957X", "0306406152\n9780804429573",
        ])
    func cell(text: String) throws {
        let parsed = try ISBN.parse(cell: text)
        #expect(parsed.isbn.isbn13 == "9780306406157")
        #expect(parsed.repair == .partOfCell)
        #expect(throws: ISBNError.self) { try ISBN.parse(text) }
    }

    @Test("a cell that contains one number is parsed like that number, and a cell with no valid number is rejected")
    func plainCell() throws {
        #expect(try ISBN.parse(cell: "0-306-40615-2").repair == nil)
        #expect(try ISBN.parse(cell: "439023483").repair == .lostLeadingZeros(count: 1))
        #expect(throws: ISBNError.wrongCheckDigit) { try ISBN.parse(cell: "0306406153") }
        #expect(throws: ISBNError.scientificNotation) { try ISBN.parse(cell: "9.78031E+12") }
        #expect(throws: ISBNError.wrongCharacters) { try ISBN.parse(cell: "see 12345 and 2004 (pbk.)") }
    }

    @Test("zeros alone are not repaired into an ISBN", arguments: ["0", "0000000", "00000000"])
    func zerosAreNoBook(text: String) {
        #expect(throws: ISBNError.wrongLength(text.count)) { try ISBN.parse(text) }
    }

    @Test(
        "invalid strings are rejected with the correct error",
        arguments: [
            ("", ISBNError.empty), (" -- ", .empty), ("ISBN", .empty), ("9.78031E+12", .scientificNotation),
            ("9,78043902348e+12", .scientificNotation), ("9.78E12", .scientificNotation),
            ("=\"9.78031E+12\"", .scientificNotation), ("0439708185", .wrongCheckDigit),
            ("9780439708181", .wrongCheckDigit), ("9770439708187", .wrongPrefix), ("9790060115615", .wrongPrefix),
            ("97804397081", .wrongLength(11)), ("978043970818", .wrongLength(12)), ("12", .wrongLength(2)),
            ("04397O8184", .wrongCharacters), ("080X429573", .wrongCharacters), ("978080442957X", .wrongCharacters),
            ("Harry Potter", .wrongCharacters), ("0439708184 / 0439708192", .wrongCharacters),
            ("٠٤٣٩٧٠٨١٨٤", .wrongCharacters), (String(repeating: "9", count: 300), .wrongLength(300)),
        ])
    func refusals(text: String, reason: ISBNError) {
        #expect(throws: reason) { try ISBN.parse(text) }
        #expect(!reason.name.isEmpty)
        #expect(reason.sentence.hasSuffix("."))
    }

    @Test("any ISBN found in a cell is valid, and parsing its text returns the same ISBN")
    func anyCell() throws {
        let pieces = [
            "0306406152", "9780306406157", "978-0-306-40615-7", "9791034716555", "ISBN", "ISBN-13:", "(pbk.)", "=\"",
            "\"", "E+12", "x",
            "X", "080442957X", "０３０６", "9", "0", "-", ";", "urn:isbn:",
        ]
        var random = SeededGenerator(seed: 9)
        var found = 0
        for _ in 0..<RandomText.inputs {
            let cell = RandomText.text(of: pieces, using: &random)
            guard let parsed = try? ISBN.parse(cell: cell) else { continue }
            found += 1
            #expect(try ISBN.parse(parsed.isbn.isbn13).isbn == parsed.isbn, "\(cell.debugDescription)")
            if let isbn10 = parsed.isbn.isbn10 {
                #expect(try ISBN.parse(cell: isbn10).isbn == parsed.isbn, "\(cell.debugDescription)")
            }
        }
        #expect(found > RandomText.inputs / 100)
    }

    @Test("an ISBN between words is found")
    func wordsAround() throws {
        var random = SeededGenerator(seed: 10)
        for _ in 0..<RandomText.inputs {
            let (before, after) = (RandomText.letters(using: &random), RandomText.letters(using: &random))
            for number in ["9780306406157", "0-306-40615-2"] {
                let cell = "\(before) \(number) (\(after))"
                #expect(try ISBN.parse(cell: cell).isbn.isbn13 == "9780306406157", "\(cell)")
            }
        }
    }
}
