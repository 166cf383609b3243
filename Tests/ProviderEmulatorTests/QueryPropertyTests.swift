import NIOHTTP1
import TestSupport
import Testing

@testable import ProviderEmulator

@Suite("Properties of the emulator's queries")
struct QueryPropertyTests {
    private static let pieces = [
        "/search.json?", "/books/v1/volumes?", "/api/books?bibkeys=", "q=", "title=", "author=", "intitle:",
        "inauthor:", "isbn:",
        "isbn:(", "key:(", "\"/works/OL1W\"", "OR", "AND", "fields=", "items(id,volumeInfo(title", "items/", "*",
        "limit=", "page=",
        "maxResults=", "startIndex=", "-1", "99999999999999999999", "\"", "(", ")", "%", "%2", "%+1", "%ff", "%00", "+",
        "&", "=", "dune",
        "0306406152", "9780306406157",
    ]

    @Test("each catalog provider parses any request target, with the same result every time")
    func targets() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<RandomText.inputs {
            let uri = RandomText.text(of: Self.pieces, using: &random)
            let target = RequestTarget(uri)
            #expect(OpenLibraryRequest(target) == OpenLibraryRequest(RequestTarget(uri)), "\(uri.debugDescription)")
            #expect(GoogleBooksRequest(target) == GoogleBooksRequest(RequestTarget(uri)), "\(uri.debugDescription)")
            #expect(
                ISBNdbRequest(.GET, target).keys == ISBNdbRequest(.GET, RequestTarget(uri)).keys,
                "\(uri.debugDescription)")
        }
    }

    @Test("a percent-encoded parameter is decoded to its original text, and an invalid escape is kept")
    func escapes() {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<RandomText.inputs {
            let text = RandomText.text(of: Self.pieces, using: &random)
            let escaped = text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(RequestTarget("/x?q=\(escaped)")["q"] == text, "\(text.debugDescription)")
        }
        #expect(RequestTarget("/x?q=%+1")["q"] == "% 1")
    }

    @Test("a search field applies to the word or phrase after it, and no word is lost")
    func fields() {
        var random = SeededGenerator(seed: 13)
        for _ in 0..<RandomText.inputs {
            let words = (0..<3).map { _ in RandomText.letters(using: &random) }
            let free = RandomText.letters(using: &random)
            let query = SearchText.query(
                "intitle:\"\(words[0]) \(words[1])\" \(free) inauthor:\(words[2])", titleField: "intitle:",
                authorField: "inauthor:"
            ).trimmed
            #expect(query.title == "\"\(words[0]) \(words[1])\"")
            #expect(query.author == words[2])
            #expect(query.free == free)
        }
    }
}
