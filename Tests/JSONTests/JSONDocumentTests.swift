import Foundation
import JSON
import TestSupport
import Testing

@Suite("Indexed JSON documents")
struct JSONDocumentTests {
    private func root(_ text: some Sequence<UInt8>) -> JSONNode? { (try? JSONDocument(text))?.root }

    @Test("a value can be read only as its own type")
    func values() throws {
        let root = try #require(
            self.root(
                #" {"s": "a", "n": -12, "f": 1.5e3, "t": true, "z": null, "l": ["x", 1, ["y"]], "o": {"k": "v"}, "big": 9223372036854775808} "#
                    .utf8))
        #expect(root["s"]?.string == "a")
        #expect(root["s"]?.int == nil)
        #expect(root["s"]?.elements.isEmpty == true)
        #expect(root["n"]?.int == -12)
        #expect(root["n"]?.string == nil)
        #expect(root["f"]?.int == nil)
        #expect(root["big"]?.int == nil)
        #expect(root["t"]?.bool == true)
        #expect(root["z"] == nil)
        #expect(root["missing"] == nil)
        #expect(root["s"]?["k"] == nil)
        #expect(root.strings("l") == ["x"])
        #expect(root["l"]?.elements.count == 3)
        #expect(root["o"]?["k"]?.string == "v")
        #expect(root.members.map(\.key) == ["s", "n", "f", "t", "z", "l", "o", "big"])
    }

    @Test("the last value of a repeated key is used")
    func repeatedKeys() {
        #expect(root(#"{"a": {"b": 1}, "a": 2}"#.utf8)?["a"]?.int == 2)
    }

    @Test(
        "escapes are decoded, and lone surrogates are replaced",
        arguments: [
            (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u4E2d""#, "é中"),
            (#""\ud83d\ude00!""#, "😀!"),
            (#""\ud83d!""#, "\u{FFFD}!"), (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ude00""#, "\u{FFFD}"),
            (#""\ud83d""#, "\u{FFFD}"),
        ])
    func escapes(text: String, expected: String) {
        #expect(root(text.utf8)?.string == expected)
    }

    @Test(
        "invalid JSON is rejected",
        arguments: [
            "", " ", "{", "}", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a: 1}", "{\"a\": 1,}", "01", "1.", ".5", "-",
            "1e", "+1",
            "tru", "nulll", "\"a", "\"\u{1}\"", #""\x""#, #""\u12g4""#, #""\u12"#, "\"\\", "1 1", "[] []", "NaN", "'a'",
        ])
    func refused(text: String) {
        #expect(throws: JSONFault.self) { try JSONDocument(text.utf8) }
    }

    @Test("nesting is limited, a byte order mark is skipped, and invalid UTF-8 is replaced")
    func bounds() {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(root(deep.utf8) != nil)
        #expect(throws: JSONFault(.nestedTooDeep, at: 512)) {
            try JSONDocument(String(repeating: "[", count: 100_000).utf8)
        }
        #expect(root([0xEF, 0xBB, 0xBF] + Array("{}".utf8))?.isObject == true)
        #expect(root([0x22, 0xFF, 0x22])?.string == "\u{FFFD}")
    }

    @Test("a truncated document is rejected, and a document with a changed byte is rejected or read without a crash")
    func damage() throws {
        let whole = Array(
            #"{"ISBN:9780441172719": {"details": {"title": "D\u00fcne \ud83d\ude00", "covers": [-1, 2.5e1], "x": [true, null, {}]}}}"#
                .utf8)
        func text(of node: JSONNode) -> String {
            (node.string ?? "") + node.elements.map(text).joined()
                + node.members.map { $0.key + text(of: $0.value) }.joined()
        }
        #expect(text(of: try JSONDocument(whole).root) == "ISBN:9780441172719detailstitleDüne 😀coversx")
        for length in whole.indices {
            #expect(throws: JSONFault.self) { try JSONDocument(whole[..<length]) }
            for byte: UInt8 in [0, 0x22, 0x2C, 0x30, 0x5B, 0x5C, 0x7B, 0x7D, 0xC3, 0xFF] {
                var damaged = whole
                damaged[length] = byte
                _ = root(damaged).map(text)
            }
        }
    }

    @Test(
        "recorded responses are read as Foundation's JSONSerialization reads them",
        .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)),
        arguments: [
            "openlibrary/jayfajardo_search.json", "google_books/gb_lokotkov_page1.json",
            "google_books/gb_russian_presaved.json",
        ])
    func sameAsSystemDecoder(file: String) throws {
        let bytes = try TestData.bytes("api_responses/\(file)")
        let ours = try JSONDocument(bytes).root
        #expect(isSame(ours, try JSONSerialization.jsonObject(with: bytes)))
    }

    private func isSame(_ node: JSONNode, _ value: Any) -> Bool {
        switch value {
        case let object as [String: Any]:
            node.members.count == object.count
                && node.members.allSatisfy { key, child in
                    object[key].map { isSame(child, $0) } ?? false
                }
        case let list as [Any]:
            node.elements.count == list.count && zip(node.elements, list).allSatisfy { isSame($0, $1) }
        case let text as String: node.string == text
        case let number as NSNumber:
            node.int.map { $0 == number.intValue } ?? node.bool.map { $0 == number.boolValue } ?? true
        default: node.string == nil && node.int == nil
        }
    }
}
