import JSON
import NIOCore
import TestSupport
import Testing

/// Encoding and decoding typed bodies as JSON, in the forms that the services and their providers write.
@Suite("Typed bodies")
struct JSONCodingTests {
    private struct Numbers: Codable, Equatable {
        var int: Int?
        var byte: UInt8?
        var large: UInt64?
        var double: Double?
        var float: Float?
        var flag: Bool?
    }

    @Test(
        "a number is written with only the digits it needs and is read back unchanged",
        arguments: [
            (Numbers(int: 0), #"{"int":0}"#), (Numbers(int: .min), #"{"int":-9223372036854775808}"#),
            (Numbers(int: .max), #"{"int":9223372036854775807}"#), (Numbers(byte: 255), #"{"byte":255}"#),
            (Numbers(large: .max), #"{"large":18446744073709551615}"#), (Numbers(double: 1), #"{"double":1}"#),
            (Numbers(double: 0.1), #"{"double":0.1}"#), (Numbers(double: -2.5), #"{"double":-2.5}"#),
            (Numbers(double: 1e21), #"{"double":1e+21}"#), (Numbers(double: 1e-7), #"{"double":1e-07}"#),
            (Numbers(float: 0.25), #"{"float":0.25}"#), (Numbers(flag: true), #"{"flag":true}"#), (Numbers(), "{}"),
        ])
    private func numbers(value: Numbers, json: String) throws {
        #expect(try WireForm.of(value) == json)
        #expect(try WireForm.read(Numbers.self, json) == value)
    }

    @Test(
        "a number is read in any JSON form if its type can represent it, and no other value is read as a number",
        arguments: [
            (#"{"int":-0}"#, Numbers(int: 0)), (#"{"int":1E2}"#, Numbers(int: 100)),
            (#"{"int":100.0}"#, Numbers(int: 100)),
            (#"{"int":12e-1,"double":1}"#, nil), (#"{"byte":256}"#, nil), (#"{"byte":-1}"#, nil),
            (#"{"int":9223372036854775808}"#, nil), (#"{"large":-1}"#, nil), (#"{"double":1e400}"#, nil),
            (#"{"double":12}"#, Numbers(double: 12)), (#"{"double":1.5E+1}"#, Numbers(double: 15)),
            (#"{"int":"5"}"#, nil), (#"{"int":true}"#, nil), (#"{"flag":1}"#, nil), (#"{"flag":"true"}"#, nil),
            (#"{"int":null}"#, Numbers()), (#"{"int":05}"#, nil), (#"{"int":+5}"#, nil), (#"{"int":.5}"#, nil),
        ] as [(String, Numbers?)])
    private func forms(json: String, value: Numbers?) {
        #expect((try? WireForm.read(Numbers.self, json)) == value)
    }

    @Test(
        "a string is escaped only where JSON requires it",
        arguments: [
            ("", #""""#), ("Emma", #""Emma""#), ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#), ("a/b", #""a/b""#),
            ("\u{0}", #""\u0000""#), ("\u{1F}", #""\u001f""#), ("\u{7F}", "\"\u{7F}\""), ("é", #""é""#),
            ("戦争と平和", #""戦争と平和""#), ("🦊", #""🦊""#), ("\u{2028}", "\"\u{2028}\""),
        ])
    func strings(text: String, json: String) throws {
        #expect(try WireForm.of(text) == json)
        #expect(try WireForm.read(String.self, json) == text)
    }

    @Test(
        "control characters that have a short escape are unchanged by encoding and decoding",
        arguments: ["\n", "\t", "\r", "\u{8}", "\u{C}"])
    func controls(text: String) throws {
        #expect(try WireForm.read(String.self, WireForm.of(text)) == text)
    }

    private enum Shape: Codable, Equatable {
        case circle(radius: Int)
        case line(Int, Int)
        case point
    }

    @Test("enum cases with values are encoded as objects with one member")
    func cases() throws {
        for (shape, json) in [
            (Shape.circle(radius: 2), #"{"circle":{"radius":2}}"#), (.line(1, 2), #"{"line":{"_0":1,"_1":2}}"#),
            (.point, #"{"point":{}}"#),
        ] {
            #expect(try WireForm.of(shape) == json)
            #expect(try WireForm.read(Shape.self, json) == shape)
        }
        #expect(throws: DecodingError.self) { try WireForm.read(Shape.self, #"{"circle":{"radius":2},"point":{}}"#) }
        #expect(throws: DecodingError.self) { try WireForm.read(Shape.self, "{}") }
    }

    @Test("lists, dictionaries and optionals can be nested")
    func nesting() throws {
        let value: [String: [[Int?]]] = ["a": [[1, nil], []]]
        #expect(try WireForm.of(value) == #"{"a":[[1,null],[]]}"#)
        #expect(try WireForm.read([String: [[Int?]]].self, #"{"a":[[1,null],[]]}"#) == value)
        #expect(try WireForm.of([Int]()) == "[]")
        #expect(try WireForm.of([String: Int]()) == "{}")
    }

    private struct Row: Decodable {
        var title: String
        var pages: Int
    }

    @Test(
        "a decoding error states the position of the fault in the body",
        arguments: [
            (#"{"rows":[{"title":"a","pages":1},{"title":"b","pages":"x"}]}"#, "rows.1.pages"),
            (#"{"rows":[{"title":null,"pages":1}]}"#, "rows.0.title"), (#"{"rows":[5]}"#, "rows.0"),
            (#"{"rows":{}}"#, "rows"), (#"{"rows":[{"title":"a","pages":1e99}]}"#, "rows.0.pages"),
        ])
    func places(json: String, path: String) throws {
        do {
            _ = try WireForm.read([String: [Row]].self, json)
            Issue.record("the invalid body was accepted")
        } catch let error as DecodingError {
            #expect(Self.path(of: error) == path)
        }
    }

    private static func path(of error: DecodingError) -> String {
        let context =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: DecodingError.Context(codingPath: [], debugDescription: "")
            }
        return context.codingPath.map(\.stringValue).joined(separator: ".")
    }

    @Test(
        "a body that is not exactly one JSON text is rejected",
        arguments: [
            "", " ", "{", "[1,2", "{} {}", "nul", "\"a", "{'a':1}", "\u{FEFF}{}x", "NaN", "[1,,2]", "{\"a\":1,}",
        ])
    func noJSON(text: String) {
        #expect(throws: DecodingError.self) { try WireForm.read([String: Int].self, text) }
    }

    /// Members placed before those under test: none, or so many that the decoder builds an index of names.
    private static let fillings = ["", (0..<100).map { "\"m\($0)\":\($0)," }.joined()]

    @Test("the last of several members with the same name is used, however the name is escaped", arguments: fillings)
    func repeated(filling: String) throws {
        #expect(try WireForm.read([String: Int].self, "{\(filling)\"a\":1,\"a\":2}")["a"] == 2)
        #expect(try WireForm.read(Numbers.self, "{\(filling)\"int\":1,\"\\u0069nt\":2}") == Numbers(int: 2))
        #expect(try WireForm.read(Numbers.self, "{\(filling)\"\\u0069nt\":1,\"int\":2}") == Numbers(int: 2))
        #expect(try WireForm.read(Numbers.self, "{\(filling)\"int\":1,\"int\":null}") == Numbers())
    }

    private struct Composed: Decodable {
        enum CodingKeys: String, CodingKey { case number = "\u{E9}" }
        var number: Int
    }

    private struct Decomposed: Decodable {
        enum CodingKeys: String, CodingKey { case number = "e\u{301}" }
        var number: Int
    }

    @Test("names that differ only in their Unicode normalization are different", arguments: fillings)
    func normalization(filling: String) throws {
        let json = "{\(filling)\"\u{E9}\":1,\"e\u{301}\":2}"
        #expect(try WireForm.read(Composed.self, json).number == 1)
        #expect(try WireForm.read(Decomposed.self, json).number == 2)
    }

    /// A decoder that searched all members for each name would need minutes.
    @Test("an object with very many members is decoded quickly", .timeLimit(.minutes(1)))
    func manyMembers() throws {
        let members = (0..<60_000).map { "\"m\($0)\":\($0)" }
        let numbers = try WireForm.read([String: Int].self, "{" + members.joined(separator: ",") + "}")
        #expect(numbers.count == 60_000)
        #expect(numbers["m59999"] == 59_999)
    }

    @Test(
        "a number that JSON cannot represent is rejected when it is written",
        arguments: [Double.nan, .infinity, -.infinity])
    func noNumber(value: Double) {
        #expect(throws: EncodingError.self) { try WireForm.of(["a": value]) }
        #expect(throws: EncodingError.self) { try WireForm.of([value]) }
    }
}
