import JSON
import Testing

@testable import ProviderEmulator

@Suite("The emulator's JSON and field masks")
struct JSONTests {
    @Test("member order, numbers and characters survive parsing and writing")
    func roundTrip() throws {
        let text = #"{"b":[1,2.50,-3e7,true,null],"a":"\"\\\n銀河 \u0007","c":{}}"#
        let value = try JSONValue(parsing: Array(text.utf8))
        #expect(String(decoding: value.rendered, as: UTF8.self) == text)
    }

    @Test("escapes are parsed as the characters they represent")
    func escapes() throws {
        let value = try JSONValue(parsing: Array(#""\u00e9\ud83d\ude00\/\t""#.utf8))
        #expect(value == "é😀/\t")
    }

    @Test(
        "anything but exactly one JSON value is rejected",
        arguments: ["", "{", "[1,]", #"{"a"}"#, #""open"#, "tru", "1 2", "-", #"{"a":1,}"#])
    func refused(_ text: String) {
        #expect(throws: JSONFault.self) { try JSONValue(parsing: Array(text.utf8)) }
    }

    @Test("nesting beyond the limit is rejected and does not crash the process")
    func nesting() {
        #expect(throws: JSONFault.self) {
            try JSONValue(parsing: Array(repeating: UInt8(ascii: "["), count: 100_000))
        }
    }

    @Test(
        "a mask selects the members that it names",
        arguments: [
            ("title", true, false), ("volumeInfo(title)", false, true), ("volumeInfo/title", false, true),
            ("*", true, true),
            ("title,volumeInfo", true, true), ("", true, true),
        ])
    func masks(text: String, title: Bool, volume: Bool) {
        let mask = FieldMask(text)
        #expect((mask.selecting("title") != nil) == title)
        #expect((mask.selecting("volumeInfo") != nil) == volume)
    }

    @Test("a nested mask leaves out the member's other fields")
    func nestedMask() {
        let below = FieldMask("items(id,volumeInfo(title))").selecting("items")?.selecting("volumeInfo")
        #expect(below?.selecting("title") == .everything)
        #expect(below?.selecting("authors") == nil)
    }
}
