import Testing
@testable import BookstrackCLI

@Suite("Wrapped text")
struct TextWrapTests {
    @Test("lines break between words, and paragraphs stay separate")
    func words() {
        #expect(TextWrap.lines("one two three\n\nfour", columns: 8) == ["one two", "three", "four"])
        #expect(TextWrap.lines("", columns: 8).isEmpty)
    }

    @Test("a string with no spaces breaks at the width, measured in columns")
    func unbroken() {
        #expect(TextWrap.lines("一位科学家向太空", columns: 7) == ["一位科", "学家向", "太空"])
        #expect(TextWrap.lines("ab abcdefghij", columns: 4) == ["ab", "abcd", "efgh", "ij"])
    }

    @Test("a list too long for one line is broken after commas")
    func lists() {
        #expect(
            TextWrap.lines("https://a.example,https://b.example,c", columns: 20)
                == ["https://a.example,", "https://b.example,c"])
    }

    @Test("a message keeps its indentation, and a command that fits on one line is not broken")
    func messages() {
        let text = "3 books were not submitted. To continue: bookstrack enrich --resume 0123456789ab\n  and a line"
        #expect(
            TextWrap.message(text, columns: 46) == [
                "3 books were not submitted. To continue:", "bookstrack enrich --resume 0123456789ab", "  and a line",
            ])
        #expect(TextWrap.message("a\n\nb", columns: 40) == ["a", "", "b"])
    }

    @Test("no line of a message is wider than the terminal", arguments: 22...90)
    func messageWidth(columns: Int) {
        let text = "the job is cancelled; bookstrack results f2fe9772 --json; then: bookstrack retry f2fe9772\n  - list"
        for line in TextWrap.message(text, columns: columns) { #expect(DisplayWidth.of(line) <= columns) }
    }

    @Test("characters that reverse the text direction are shown as escapes, and a line separator separates paragraphs")
    func direction() {
        #expect(TextWrap.lines("a\u{202E}b\u{2028}c\td", columns: 20) == [#"a\u{202E}b"#, "c d"])
    }

    @Test("no line is wider than requested", arguments: 2...40)
    func bounded(columns: Int) {
        let text = "Der Wüstenplanet 三体 and a-very-long-word-that-does-not-fit, e\u{301} 📚"
        for line in TextWrap.lines(text, columns: columns) { #expect(DisplayWidth.of(line) <= columns) }
    }
}

@Suite("Display widths")
struct DisplayWidthTests {
    @Test(
        "a character's width is the number of columns that it takes in a terminal",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("я", 1), ("א", 1), ("三", 2), ("あ", 2), ("한", 2), ("Ａ", 2),
            ("ﾊ", 1),
            ("🦊", 2), ("👨‍👩‍👧‍👦", 2), ("❤️", 2), ("—", 1), ("…", 1), ("\u{200B}", 0), ("\t", 0), ("\u{7}", 0), ("", 0),
        ])
    func widths(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test(
        "a string that is too wide ends with an ellipsis within the given columns",
        arguments: [
            ("Dune", 4, "Dune"), ("Dune", 3, "Du…"), ("Dune", 1, "…"), ("Dune", 0, ""), ("三体問題", 8, "三体問題"),
            ("三体問題", 7, "三体問…"), ("三体問題", 6, "三体…"), ("三体", 2, "…"), ("", 5, ""),
        ])
    func fits(text: String, columns: Int, fitted: String) {
        #expect(DisplayWidth.fit(text, columns) == fitted)
    }

    @Test(
        "a padded text is exactly as wide as requested", arguments: ["", "Dune", "三体", "a very long title", "e\u{301}"])
    func padded(text: String) {
        for columns in 0...12 { #expect(DisplayWidth.of(DisplayWidth.pad(text, columns)) == columns) }
    }
}
