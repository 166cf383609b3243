import JSON
import Testing

@Suite("Reading JSON sequentially") struct JSONReaderTests {
    private func skip(_ text: String) throws {
        try JSONReader.read(Array(text.utf8)) { try $0.skipValue() }
    }

    @Test(
        "valid JSON is accepted",
        arguments: [
            "null", "true", "false", "0", "-0", "1.5e+10", "-12.0E-3", "\"\"", "[]", "{}", " [ 1 , [ ] , { } ] ",
            "{\"a\":{\"b\":[null,\"\\u00e9\\ud83d\\ude00\"]},\"a\":1}", "\"\u{10FFFF}\"", "[[],[[]],{\"x\":[]}]",
        ])
    func accepts(_ text: String) throws { try skip(text) }

    @Test(
        "invalid JSON is rejected with the position of the fault",
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

    @Test("a position is reported as line and column")
    func place() {
        let place = JSONFault(.unknownWord, at: 7).place(in: Array("{\n \"a\"x".utf8))
        #expect(place.line == 2)
        #expect(place.column == 6)
        #expect(JSONFault(.unknownWord, at: 2).place(in: Array("{\n".utf8)).column == 1)
    }

    @Test(
        "text that is not UTF-8 is rejected at its first invalid byte",
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80]])
    func utf8(_ bytes: [UInt8]) {
        #expect(throws: JSONFault(.invalidUTF8, at: 2)) {
            try JSONReader.read([0x5B, 0x22] + bytes) { try $0.skipValue() }
        }
    }

    @Test("escapes become the characters that they represent")
    func escapes() throws {
        let text = try JSONReader.read(Array(#""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00é""#.utf8)) { try $0.readString() }
        #expect(text == "\"\\/\u{8}\u{C}\n\r\tA😀é")
    }

    @Test(
        "100 000 nested arrays or objects are rejected, and 512 nested arrays are accepted",
        arguments: ["[", "{\"a\":"])
    func nesting(_ opening: String) {
        let text = String(repeating: opening, count: 100_000)
        #expect(throws: JSONFault.self) { try skip(text) }
        #expect(throws: Never.self) {
            try skip(String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
        }
    }

    @Test(
        "a fault describes the problem and uses the caller's name for the text",
        arguments: [
            ("", "unexpected end of the body, expected a value"), ("?", "unexpected character, expected a value"),
            ("{", "unexpected end of the body, expected a string"), ("{a", "expected '\"'"),
            ("{\"a\"", "unexpected end of the body, expected ':'"), ("{\"a\"1", "expected ':'"),
            ("{\"a\":1", "unexpected end of the body, expected ',' or '}'"), ("{\"a\":1]", "expected ',' or '}'"),
            ("[1", "unexpected end of the body, expected ',' or ']'"), ("[1}", "expected ',' or ']'"),
            ("1 2", "unexpected character after the value"), ("-", "expected a digit"), ("nil", "unknown word"),
            ("\"a", "unexpected end of the body in a string"), ("\"\u{1}\"", "unescaped control character in a string"),
            ("\"\\x\"", "unknown escape in a string"), ("\"\\uD800\"", "lone surrogate in a string"),
            ("\"\\u00g0\"", "expected four hexadecimal digits"),
        ])
    func reasons(_ text: String, _ reason: String) {
        do {
            try skip(text)
            Issue.record("\(text) was accepted")
        } catch let fault as JSONFault {
            #expect(fault.reason(in: "body") == reason)
        } catch { Issue.record("\(error)") }
    }

    @Test("members are read in order, unneeded members can be skipped, and all duplicates are returned")
    func members() throws {
        var seen: [String] = []
        try JSONReader.read(Array(#" {"a": "1", "b": [{}, "x"], "a": "2", "c": ["3", "4"]} "#.utf8)) { reader in
            try reader.readObject { reader, key in
                switch key {
                case "a": seen.append(try reader.readString())
                case "c": try reader.readArray { seen.append(try $0.readString()) }
                default: try reader.skipValue()
                }
            }
        }
        #expect(seen == ["1", "2", "3", "4"])
    }

    /// The key whose value is refused.
    private struct Refusal: Error, Equatable {
        var key: String
    }

    /// Reads an object whose values must be arrays of strings, and returns the last value of each key.
    private func lists(_ text: String) throws -> [String: [String]] {
        var lists: [String: [String]] = [:]
        try JSONReader.read(Array(text.utf8)) { reader in
            try reader.readObject { reader, key in
                guard try reader.peek() == .array else { throw Refusal(key: key) }
                var list: [String] = []
                try reader.readArray { reader in
                    guard try reader.peek() == .string else { throw Refusal(key: key) }
                    list.append(try reader.readString())
                }
                lists[key] = list
            }
        }
        return lists
    }

    @Test(
        "a refused value does not matter if its key is repeated with a value that is read",
        arguments: [
            (#"{"a":{"a":1},"a":["x"]}"#, ["a": ["x"]]), (#"{"a":["x",[1]],"a":["y"]}"#, ["a": ["y"]]),
            (#"{"a":1,"b":2,"b":["y"],"a":3,"a":["x"]}"#, ["a": ["x"], "b": ["y"]]),
        ])
    func repeated(text: String, expected: [String: [String]]) throws {
        #expect(try lists(text) == expected)
    }

    @Test(
        "the first key whose last value is refused is reported, but malformed JSON takes precedence",
        arguments: [
            (#"{"a":1,"b":2}"#, "a"), (#"{"a":1,"b":2,"a":["x"]}"#, "b"), (#"{"a":["x"],"a":[1]}"#, "a"),
            (#"{"a":1,"b":2,"a":3}"#, "b"), (#"{"a":1,"b":}"#, nil), (#"{"a":["x",1,"b":2}"#, nil),
        ] as [(String, String?)])
    func refused(text: String, key: String?) {
        do {
            _ = try lists(text)
            Issue.record("\(text) was accepted")
        } catch let refusal as Refusal {
            #expect(refusal.key == key)
        } catch {
            #expect(error is JSONFault)
            #expect(key == nil)
        }
    }

    @Test("an object with very many refused members is not read to its end")
    func manyRefused() {
        let members = (0..<100).map { "\"\($0)\":1" }.joined(separator: ",")
        #expect(throws: Refusal.self) { try lists("{\(members),") }
    }
}
