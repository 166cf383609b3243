import Testing

@testable import BookstrackCLI

@Suite("Wrapped texts")
struct TextWrapTests {
    @Test("lines break between words and paragraphs stay apart")
    func words() {
        #expect(TextWrap.lines("one two three\n\nfour", columns: 8) == ["one two", "three", "four"])
        #expect(TextWrap.lines("", columns: 8).isEmpty)
    }

    @Test("a text without spaces breaks at the width, by columns")
    func unbroken() {
        #expect(TextWrap.lines("一位科学家向太空", columns: 7) == ["一位科", "学家向", "太空"])
        #expect(TextWrap.lines("ab abcdefghij", columns: 4) == ["ab", "abcd", "efgh", "ij"])
    }

    @Test("what turns the direction of writing is shown, and a line separator parts paragraphs")
    func direction() {
        #expect(TextWrap.lines("a\u{202E}b\u{2028}c\td", columns: 20) == [#"a\u{202E}b"#, "c d"])
    }

    @Test("no line is wider than asked", arguments: 2...40)
    func bounded(columns: Int) {
        let text = "Der Wüstenplanet 三体 and a-very-long-word-that-does-not-fit, e\u{301} 📚"
        for line in TextWrap.lines(text, columns: columns) { #expect(DisplayWidth.of(line) <= columns) }
    }
}
