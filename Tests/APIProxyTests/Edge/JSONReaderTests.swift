import Testing

@testable import APIProxy

@Suite("Reading JSON") struct JSONReaderTests {
    private func skip(_ text: String) throws {
        var reader = try JSONReader(Array(text.utf8))
        try reader.skipValue()
        try reader.readEnd()
    }

    @Test(
        "JSON texts are accepted",
        arguments: [
            "null", "true", "false", "0", "-0", "1.5e+10", "-12.0E-3", "\"\"", "[]", "{}", " [ 1 , [ ] , { } ] ",
            "{\"a\":{\"b\":[null,\"\\u00e9\\ud83d\\ude00\"]},\"a\":1}", "\"\u{10FFFF}\"", "[[],[[]],{\"x\":[]}]",
        ])
    func accepts(_ text: String) throws { try skip(text) }

    @Test(
        "what is no JSON is refused with the place",
        arguments: [
            ("", 0), ("[1,]", 3), ("[1 2]", 3), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{a:1}", 1), ("{\"a\":1,}", 7),
            ("01", 1), ("1.", 2), ("-", 1), ("1e", 2), ("+1", 0), ("tru", 0), ("nul", 0), ("\"a", 2), ("\"\n\"", 1),
            ("\"\\x\"", 1), ("\"\\u12\"", 5), ("\"\\ud800\"", 1), ("\"\\udc00\"", 1), ("\"\\ud800\\u0041\"", 1),
            ("[]]", 2), ("[", 1), ("{", 1), ("[}", 1), ("'a'", 0), ("\u{FEFF}1", 0), ("1\u{0}", 1),
        ])
    func refuses(_ text: String, _ offset: Int) {
        do {
            try skip(text)
            Issue.record("\(text) was accepted")
        } catch let fault as JSONFault {
            #expect(fault.offset == offset, "\(text): \(fault.reason)")
        } catch { Issue.record("\(error)") }
    }

    @Test("a place has its line and column")
    func place() {
        let fault = JSONFault("", at: 7, in: Array("{\n \"a\"x".utf8))
        #expect(fault.line == 2 && fault.column == 6)
        #expect(JSONFault("", at: 2, in: Array("{\n".utf8)).column == 1)
    }

    @Test(
        "bytes that are no UTF-8 are refused at the first of them",
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80]])
    func utf8(_ bytes: [UInt8]) {
        #expect(throws: JSONFault("invalid UTF-8", at: 2, in: [0x5B, 0x22])) { try JSONReader([0x5B, 0x22] + bytes) }
    }

    @Test("escapes become what they stand for")
    func escapes() throws {
        var reader = try JSONReader(Array(#""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00é""#.utf8))
        #expect(try reader.readString() == "\"\\/\u{8}\u{C}\n\r\tA😀é")
    }

    @Test("10^5 nested arrays are refused where they become too deep", arguments: ["[", "{\"a\":"])
    func nesting(_ opening: String) {
        let text = String(repeating: opening, count: 100_000)
        #expect(throws: JSONFault.self) { try skip(text) }
        #expect(throws: Never.self) {
            try skip(String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
        }
    }
}
