import Foundation
import Testing

@testable import ProviderEmulator

/// What the emulator's catalogue is made of and masks its answers with.
@Suite("Tables, masks and pages of the emulator")
struct EmulatorTableTests {
    @Test(
        "a table is read by RFC 4180, and its last line needs no end",
        arguments: [
            ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]), ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]), ("", []),
            ("a,,\n", [["a", "", ""]]), ("\"a,b\",c\n", [["a,b", "c"]]), ("\"a\"\"b\"\n", [["a\"b"]]),
            ("\"a\nb\",c\n", [["a\nb", "c"]]), ("\"\",x\n", [["", "x"]]), ("\n", [[""]]), ("é,戦争\n", [["é", "戦争"]]),
            ("\"a\r\nb\"\n", [["a\r\nb"]]),
        ] as [(String, [[String]])])
    func tables(text: String, rows: [[String]]) {
        #expect(CSVTable.rows(text) == rows)
    }

    private func masked(_ json: String, _ mask: String) throws -> String {
        String(decoding: try JSONValue(parsing: Array(json.utf8)).masked(by: FieldMask(mask)).rendered, as: UTF8.self)
    }

    @Test(
        "a mask keeps the members that it names, in the document's order",
        arguments: [
            ("", #"{"a":1,"b":{"c":2,"d":3},"l":[{"x":1,"y":2}]}"#), ("a", #"{"a":1}"#),
            ("b,a", #"{"a":1,"b":{"c":2,"d":3}}"#),
            ("b/c", #"{"b":{"c":2}}"#), ("b(c)", #"{"b":{"c":2}}"#), ("b(c,d),a", #"{"a":1,"b":{"c":2,"d":3}}"#),
            ("l/x", #"{"l":[{"x":1}]}"#), ("l(y)", #"{"l":[{"y":2}]}"#), ("z", "{}"), ("b/z", #"{"b":{}}"#),
            ("*", #"{"a":1,"b":{"c":2,"d":3},"l":[{"x":1,"y":2}]}"#), ("b(c", #"{"b":{"c":2}}"#), ("a/x", #"{"a":1}"#),
            ("b/c,b/d", #"{"b":{"c":2,"d":3}}"#),
        ])
    func masks(mask: String, expected: String) throws {
        #expect(try masked(#"{"a":1,"b":{"c":2,"d":3},"l":[{"x":1,"y":2}]}"#, mask) == expected)
    }

    @Test("a mask that nests deeply ends instead of recursing", arguments: ["(", "/"])
    func deepMask(mark: String) throws {
        let mask = String(repeating: "a\(mark)", count: 10_000)
        #expect(try masked(#"{"a":1}"#, mask) == #"{"a":1}"#)
    }

    @Test(
        "a target is split into decoded components and parameters",
        arguments: [
            ("/a/b", ["a", "b"], []), ("//a//b/", ["a", "b"], []), ("/a%2Fb", ["a/b"], []), ("/a+b", ["a+b"], []),
            ("/a?x=1&y=2", ["a"], ["x=1", "y=2"]), ("/a?x", ["a"], ["x="]), ("/a?x=a+b%20c", ["a"], ["x=a b c"]),
            ("/a?x=1=2", ["a"], ["x=1=2"]), ("/a?x=%zz%4", ["a"], ["x=%zz%4"]), ("/a?%78=%C3%A9", ["a"], ["x=é"]),
            ("?x=1", [], ["x=1"]), ("/a?x=%+1", ["a"], ["x=% 1"]),
        ] as [(String, [String], [String])])
    func targets(uri: String, components: [String], parameters: [String]) {
        let target = RequestTarget(uri)
        #expect(target.components == components)
        #expect(target.query.map { "\($0.name)=\($0.value)" } == parameters)
    }

    @Test(
        "a count outside its range is the nearest bound, and none is the standard",
        arguments: [
            ("/a?n=5", 5), ("/a?n=0", 1), ("/a?n=99", 40), ("/a?n=-3", 1), ("/a?n=x", 10), ("/a", 10), ("/a?n=", 10),
        ])
    func counts(uri: String, count: Int) {
        #expect(RequestTarget(uri).count("n", in: 1...40, standard: 10) == count)
    }

    @Test("a page is a part of the results, and none is left after the last")
    func pages() {
        let results = Array(1...25)
        #expect(Array(ResultPage(offset: 0, limit: 10).part(of: results)) == Array(1...10))
        #expect(Array(ResultPage(offset: 20, limit: 10).part(of: results)) == Array(21...25))
        #expect(ResultPage(offset: 25, limit: 10).part(of: results).isEmpty)
        #expect(ResultPage(offset: 0, limit: 0).part(of: results).isEmpty)
    }

    @Test("random faults are repeatable: the generator's first numbers follow from the seed")
    func random() {
        // The reference values of SplitMix64 for the seed 1234567 (Sebastiano Vigna, splitmix64.c).
        var generator = SplitMix64(state: 1_234_567)
        #expect(
            (0..<3).map { _ in generator.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }
}
