import BookstrackContract
import LibraryImport
import Testing

/// Cells that are too long for a row sent between processes are truncated between characters. A remark reports the
/// truncation of a review, of notes and of a cell without a role.
@Suite("Row size limits")
struct RowLimitTests {
    private func book(_ header: String, _ cells: String) throws -> ImportedBook {
        try #require(
            try ReadText("Title,Author,ISBN,\(header)\nEmma,Jane Austen,9780141439587,\(cells)\nDune,Frank Herbert,,\n")
                .books.first)
    }

    @Test("a review is limited to 24 KiB", arguments: ["x", "é", "👍", "e\u{301}", "👩‍👩‍👧"])
    func review(character: String) throws {
        let count = (24 << 10) / character.utf8.count
        let fits = try book("My Review", String(repeating: character, count: count))
        #expect(fits.review?.count == count)
        #expect(fits.remarks.isEmpty)
        let cut = try book("My Review", String(repeating: character, count: count + 1))
        #expect(cut.review?.count == count)
        #expect(cut.remarks == [ImportRemark(.textCut, column: "My Review")])
    }

    @Test("a character that JSON escapes counts with the length of its escape")
    func escapes() throws {
        let cut = try book("My Review", "\"" + String(repeating: "\"\"\n\\", count: 10_000) + "\"")
        // `\"`, `\u000a` and `\\` take ten bytes.
        #expect(cut.review?.utf8.count == 7_372)
        #expect(cut.remarks == [ImportRemark(.textCut, column: "My Review")])
        #expect(try book("Publisher", String(repeating: "\\", count: 3_000)).publisher?.count == 1_024)
        #expect(try book("Tags", String(repeating: "\\", count: 300)).tags.map(\.count) == [128])
        let raw = try book("Other", String(repeating: "\u{1}", count: 10_000)).raw["Other"]
        #expect(raw?.count == ((24 << 10) - 5) / 6)
    }

    @Test("a publisher is limited to 2 KiB")
    func publisher() throws {
        let book = try book("Publisher", String(repeating: "x", count: 3_000))
        #expect(book.publisher?.count == 2_048)
    }

    @Test("a book keeps at most 100 tags of 256 bytes each")
    func tags() throws {
        let many = try book("Tags", "\"" + (0..<150).map { "tag \($0)" }.joined(separator: ", ") + "\"")
        #expect(many.tags.count == 100)
        #expect(many.tags.last == "tag 99")
        let long = try book("Tags", "\"" + String(repeating: "x", count: 300) + ", short\"")
        #expect(long.tags.map(\.count) == [256, 5])
    }

    @Test("a book keeps the first 200 reading periods of a cell, oldest first")
    func readings() throws {
        let days = (2000..<2025).flatMap { year in (10..<20).map { "\(year)-06-\($0)" } }
        let cell = days.reversed().map { $0.replacing("-", with: "/") }.joined(separator: ", ")
        let read = try ReadText(
            "Title,Author,A\nEmma,Jane Austen,\"\(cell)\"\nDune,Frank Herbert,\n",
            options: ImportOptions(mapping: ["A": .dateRead]))
        #expect(read.books.first?.datesRead.map(\.end) == days.suffix(200))
    }

    @Test("a character of very many code points is cut between them, and the text before it is kept")
    func longCharacter() throws {
        let cut = try book("My Review", "ae" + String(repeating: "\u{301}", count: 100_000))
        #expect(cut.review?.utf8.count == 24_576)
        #expect(cut.review?.unicodeScalars.count == 12_289)
        #expect(cut.remarks == [ImportRemark(.textCut, column: "My Review")])
    }

    @Test("a cell with very many distinct names or tags is read quickly", .timeLimit(.minutes(1)))
    func veryMany() throws {
        let numbers = 0..<50_000
        let authors = try book(
            "Additional Authors", "\"" + numbers.map { "Ann \($0 + 100_000)" }.joined(separator: ";") + "\"")
        #expect(authors.authors.count == 100)
        #expect(authors.authors.prefix(2) == ["Jane Austen", "Ann 100000"])
        let tags = try book("Tags", "\"" + numbers.map { "é\($0 + 100_000)" }.joined(separator: ",") + "\"")
        #expect(tags.tags.count == 100)
        #expect(tags.tags.last == "é100099")
    }

    @Test("repeated names and tags do not count toward the limit, however many there are")
    func repeated() throws {
        let numbers = (0..<50).map { $0 + 100 }
        let names = numbers.map { "Ann B. \($0)" } + numbers.map { "Ann b.\($0)" } + numbers.map { "Bob \($0)" }
        let authors = try book("Additional Authors", "\"" + names.joined(separator: ";") + "\"")
        #expect(
            authors.authors == ["Jane Austen"] + numbers.map { "Ann B. \($0)" } + numbers.prefix(49).map { "Bob \($0)" }
        )
        let words = (numbers + numbers).map { "tag \($0)" } + ["last"]
        let tags = try book("Tags", "\"" + words.joined(separator: ",") + "\"")
        #expect(tags.tags == numbers.map { "tag \($0)" } + ["last"])
    }

    @Test("the tags of several columns together are limited to 100, and their notes to 24 KiB")
    func severalColumns() throws {
        let mapping: [String: ColumnRole] = ["A": .tags, "B": .tags, "C": .notes, "D": .notes]
        let tags = ["a", "b"].map { name in "\"" + (0..<80).map { "\(name)\($0)" }.joined(separator: ",") + "\"" }
        let notes = ["c", "d"].map { String(repeating: $0, count: 15_000) }
        let cells = (tags + notes).joined(separator: ",")
        let read = try ReadText(
            "Title,Author,A,B,C,D\nEmma,Jane Austen,\(cells)\nDune,Frank Herbert,,,,\n",
            options: ImportOptions(mapping: mapping))
        let book = try #require(read.books.first)
        #expect(book.tags.count == 100)
        #expect(book.tags.last == "b19")
        // Each of the two line breaks between the notes takes six bytes in JSON.
        #expect(book.notes?.utf8.count == 24_566)
        #expect(book.notes?.last == "d")
        #expect(book.remarks == [ImportRemark(.textCut, column: "D")])
    }

    @Test("a cell of 1 MiB is accepted, and a longer cell is rejected")
    func cell() throws {
        let limit = 1 << 20
        #expect(try book("My Review", String(repeating: "x", count: limit)).review?.count == 24_576)
        #expect(throws: (any Error).self) { try book("My Review", String(repeating: "x", count: limit + 1)) }
    }
}
