import BookstrackContract
import LibraryImport
import Testing

/// Cells that are too long for a row sent between processes are truncated between characters, and a remark reports the
/// truncation.
@Suite("Row size limits")
struct RowLimitTests {
    private func book(_ header: String, _ cells: String) throws -> ImportedBook {
        try #require(
            try ReadText("Title,Author,ISBN,\(header)\nEmma,Jane Austen,9780141439587,\(cells)\nDune,Frank Herbert,,\n")
                .books.first)
    }

    @Test("a review is limited to 20 KiB", arguments: ["x", "é", "👍", "e\u{301}", "👩‍👩‍👧"])
    func review(character: String) throws {
        let count = (20 << 10) / character.utf8.count
        let fits = try book("My Review", String(repeating: character, count: count))
        #expect(fits.review?.count == count)
        #expect(fits.remarks.isEmpty)
        let cut = try book("My Review", String(repeating: character, count: count + 1))
        #expect(cut.review?.count == count)
        #expect(cut.remarks == [ImportRemark(.textCut, column: "My Review")])
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

    @Test("a book keeps at most 200 reading periods, oldest first")
    func readings() throws {
        let days = (0..<250).map { "20\($0 < 100 ? "0" : "1")\($0 % 10)/0\(1 + $0 / 10 % 9)/1\($0 % 10)" }
        let book = try book("Dates Read", "\"" + days.joined(separator: ", ") + "\"")
        #expect(book.datesRead.count <= 200)
        #expect(book.datesRead.compactMap(\.end) == book.datesRead.compactMap(\.end).sorted())
    }

    @Test("a character of very many code points is cut between them, and the text before it is kept")
    func longCharacter() throws {
        let cut = try book("My Review", "ae" + String(repeating: "\u{301}", count: 100_000))
        #expect(cut.review?.utf8.count == 20_480)
        #expect(cut.review?.unicodeScalars.count == 10_241)
        #expect(cut.remarks == [ImportRemark(.textCut, column: "My Review")])
    }

    @Test("a cell of 1 MiB is accepted, and a longer cell is rejected")
    func cell() throws {
        let limit = 1 << 20
        #expect(try book("My Review", String(repeating: "x", count: limit)).review?.count == 20_480)
        #expect(throws: (any Error).self) { try book("My Review", String(repeating: "x", count: limit + 1)) }
    }
}
