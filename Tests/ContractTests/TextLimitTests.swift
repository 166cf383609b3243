import BookstrackContract
import Testing

@Suite("Text limits")
struct TextLimitTests {
    private let limit = TextLimit(characters: 3)

    @Test(
        "a combined character counts as one character",
        arguments: ["", "abc", "äöü", "e\u{301}e\u{301}e\u{301}", "📚📚📚"])
    func admits(text: String) {
        #expect(limit.admits(text))
        #expect(limit.fit(text) == text)
    }

    @Test("too many characters and too many bytes are distinguished")
    func excess() {
        #expect(limit.excess(of: "abcd") == "is longer than 3 characters")
        #expect(limit.excess(of: "👨‍👩‍👧‍👦") == "is longer than 12 bytes")
    }

    @Test("text that is too long is cut between characters at the first limit that it exceeds")
    func fit() {
        #expect(limit.fit("abcd") == "abc")
        #expect(limit.fit("ab👨‍👩‍👧‍👦") == "ab")
        #expect(limit.fit("a" + String(repeating: "\u{301}", count: 600_000)).isEmpty)
    }
}
