import JSON
import Testing

@Suite("The JSON grammar")
struct JSONGrammarTests {
    private func fault(_ bytes: [UInt8]) -> JSONFault? {
        bytes.withUnsafeBytes { bytes in
            do throws(JSONFault) {
                _ = try JSONCursor.validate(bytes)
                return nil
            } catch {
                return error
            }
        }
    }

    private func fault(_ text: String) -> JSONFault? { fault(Array(text.utf8)) }

    @Test(
        "valid JSON is accepted",
        arguments: [
            "{}", "[]", "[[],{}]", " { \"a\" : [ 1 , 2 ] }\t\r\n", "\"\"", "0", "-0", "-0.5e+10", "1E5", "true",
            "false", "null",
            "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "\"\\ud83e\\udd8a\"", "\"Žluťoučký 漢字 🦊 \u{7F}\u{10FFFF}\"",
            "{\"a\":1,\"a\":2}", "1e400", "[\"0123456789abcdef0123456789\"]",
        ])
    func accepts(text: String) {
        #expect(fault(text) == nil)
    }

    @Test(
        "text that violates the grammar is rejected",
        arguments: [
            "", " ", "{", "}", "[", "]", "[1,]", "{\"a\":1,}", "{,}", "[,1]", "{\"a\"}", "{\"a\":}", "{a:1}", "{1:2}",
            "[1 2]",
            "{\"a\":1 \"b\":2}", "01", "+1", ".5", "1.", "1e", "1e+", "-", "--1", "0x10", "NaN", "Infinity", "tru",
            "nulll", "True",
            "'a'", "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "[1]]", "{}{}", "[}", "{]", "// a\n1",
            "\u{FEFF}{}",
            "\"a\u{09}b\"", "\"01234567\u{0A}\"",
        ])
    func refuses(text: String) {
        #expect(fault(text) != nil)
    }

    @Test(
        "an escaped lone surrogate is rejected",
        arguments: [
            "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800x\"", "\"\\ud800\\n\"", "\"\\ud800\\ud800\"", "\"\\ud800\\u0041\"",
        ])
    func loneSurrogate(text: String) {
        #expect(fault(text)?.reason == .loneSurrogate)
    }

    @Test(
        "invalid UTF-8 in a string is rejected at any position",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
            [0xED, 0xA0, 0x80],
            [0xEF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0xA6], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        for padding in 0..<10 {
            let text = [UInt8(ascii: "\"")] + Array(repeating: UInt8(ascii: "x"), count: padding) + bytes
            #expect(fault(text + [UInt8(ascii: "\"")])?.reason == .invalidUTF8)
            #expect(fault(text)?.reason == .invalidUTF8)
        }
    }

    @Test("each ASCII byte of a string is accepted or rejected regardless of its offset within a machine word")
    func everyByteAtEveryPlace() {
        for byte in UInt8(0)..<0x80 {
            for padding in 0..<17 {
                let text = "\"" + String(repeating: "x", count: padding) + String(UnicodeScalar(byte)) + "yyyyyyyy\""
                let isRefused = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                #expect((fault(text) != nil) == isRefused, "byte \(byte) after \(padding) characters")
            }
        }
    }

    @Test("brackets may be nested at most 512 levels deep")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(fault(nested(512)) == nil)
        #expect(fault(nested(513))?.reason == .nestedTooDeep)
        #expect(fault(String(repeating: "{\"a\":[", count: 256) + "1" + String(repeating: "]}", count: 256)) == nil)
    }

    @Test("a hundred thousand open brackets are rejected without deep recursion")
    func hostileDepth() {
        #expect(fault(String(repeating: "[", count: 100_000))?.reason == .nestedTooDeep)
        #expect(fault(String(repeating: "{\"a\":", count: 100_000))?.reason == .nestedTooDeep)
    }

    @Test("every proper prefix of a JSON object is rejected, at its end or earlier")
    func everyPrefix() throws {
        let frame = Array("{\"jsonrpc\":\"2.0\",\"id\":\"ž\\u00e9\",\"params\":[1.5e3,{\"a\":true}]}".utf8)
        for length in 0..<frame.count {
            let found = try #require(fault(Array(frame[..<length])), "\(length) bytes")
            #expect(found.offset <= length)
        }
    }

    @Test("a fault's description states the reason and the position")
    func place() {
        #expect(fault("{\"a\":nul}")?.description == "unknown word at byte 5")
        #expect(fault("{\"a\":1")?.description == "unexpected end of the text, expected ',' or '}' at byte 6")
    }
}
