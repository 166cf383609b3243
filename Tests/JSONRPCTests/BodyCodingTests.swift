import Foundation
import JSON
import NIOCore
import Testing
import TestSupport

@testable import JSONRPC

@Suite("Encoding bodies as JSON")
struct BodyCodingTests {
    private func text(_ value: some Encodable) throws -> String { String(buffer: try BodyCoding.encode(value)) }

    private struct Everything: Codable, Equatable {
        enum Kind: String, Codable, CaseIterable { case plain, camelCase, other = "with-dash" }
        struct Part: Codable, Equatable {
            var flag: Bool
            var list: [Int]
            var nothing: String?
        }

        var kind: Kind
        var small: Int8
        var large: UInt64
        var negative: Int
        var ratio: Double
        var single: Float
        var text: String
        var missing: Int?
        var part: Part
        var parts: [Part]
        var table: [String: Double]
        var nested: [[String?]]
    }

    @Test("members keep their order, nil is omitted, and characters are escaped only where necessary")
    func order() throws {
        let part = Everything.Part(flag: true, list: [], nothing: nil)
        let value = Everything(
            kind: .other, small: -128, large: .max, negative: -1, ratio: 0.1, single: 2.5, text: "a/b é 🦊",
            missing: nil,
            part: part, parts: [part, part], table: ["x": 1], nested: [[], ["y", nil]])
        #expect(
            try text(value) == #"""
                {"kind":"with-dash","small":-128,"large":18446744073709551615,"negative":-1,"ratio":0.1,"single":2.5,\#
                "text":"a/b é 🦊","part":{"flag":true,"list":[]},"parts":[{"flag":true,"list":[]},{"flag":true,"list":[]}],\#
                "table":{"x":1},"nested":[[],["y",null]]}
                """#)
    }

    @Test("a decoder reads back every encoded value", arguments: 0..<20)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let value = Self.anything(using: &random)
            let json = try BodyCoding.encode(value)
            #expect(try BodyCoding.decode(Everything.self, from: json) == value)
            #expect(try json.withUnsafeReadableBytes { try JSONCursor.validate($0) } == .object)
        }
    }

    private static func anything(using random: inout SeededGenerator) -> Everything {
        let alphabet: [Character] = ["a", "\"", "\\", "/", "\u{0}", "\n", "\u{1F}", "\u{7F}", "é", "\u{2028}", "🦊"]
        func text() -> String {
            String((0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
        }
        func part() -> Everything.Part {
            Everything.Part(
                flag: .random(using: &random), list: (0..<Int.random(in: 0...3, using: &random)).map { $0 - 1 },
                nothing: Bool.random(using: &random) ? nil : text())
        }
        return Everything(
            kind: .allCases.randomElement(using: &random)!, small: .random(in: .min ... .max, using: &random),
            large: .random(in: .min ... .max, using: &random), negative: .random(in: .min ... .max, using: &random),
            ratio: Double(
                sign: .random(using: &random) ? .plus : .minus, exponent: .random(in: -1_022...1_023, using: &random),
                significand: .random(in: 1..<2, using: &random)),
            single: .random(in: -1...1, using: &random), text: text(),
            missing: Bool.random(using: &random) ? nil : 3, part: part(), parts: [part(), part()],
            table: [text() + "a": 0, text() + "b": -1.5], nested: [[text(), nil], []])
    }

    @Test("a number that JSON cannot represent is rejected", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(number: Double) {
        #expect(throws: EncodingError.self) { try BodyCoding.encode(["ratio": number]) }
    }

    @Test("single values and values without members can be encoded")
    func alone() throws {
        struct Empty: Encodable {}
        #expect(try text("x") == #""x""#)
        #expect(try text(-3) == "-3")
        #expect(try text(1.0) == "1")
        #expect(try text([Bool]()) == "[]")
        #expect(try text(Int?.none) == "null")
        #expect(try text([Empty(), Empty()]) == "[{},{}]")
        #expect(try text(["e": Empty()]) == #"{"e":{}}"#)
        #expect(try text(Nothing()) == "{}")
    }

    @Test("nested containers are closed when encoding continues in the outer container")
    func nestedContainers() throws {
        struct Handmade: Encodable {
            enum Key: String, CodingKey { case list, object, last }

            func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: Key.self)
                var list = members.nestedUnkeyedContainer(forKey: .list)
                var inner = list.nestedContainer(keyedBy: Key.self)
                try inner.encode(1, forKey: .last)
                try list.encode("after")
                try list.encodeNil()
                var object = members.nestedContainer(keyedBy: Key.self, forKey: .object)
                try object.encodeNil(forKey: .list)
                // The same container, requested again.
                var again = encoder.container(keyedBy: Key.self)
                try again.encode(true, forKey: .last)
            }
        }
        #expect(try text(Handmade()) == #"{"list":[{"last":1},"after",null],"object":{"list":null},"last":true}"#)
    }
}

@Suite("Searching bytes")
struct ByteSearchTests {
    @Test("the first complete occurrence at or after the reader index is found")
    func range() {
        var buffer = ByteBuffer(string: "ab,,\"x\",\"x\":[1")
        #expect(buffer.range(of: ",\"x\":[") == 7..<13)
        #expect(buffer.range(of: "a") == 0..<1)
        buffer.moveReaderIndex(forwardBy: 2)
        #expect(buffer.range(of: ",\"x\":[") == 5..<11)
        #expect(buffer.range(of: "[12") == nil)
        #expect(ByteBuffer().range(of: "a") == nil)
    }
}

@Suite("Decoding bodies from JSON")
struct BodyDecodingTests {
    private func decode<Body: Decodable>(_ type: Body.Type, _ json: String) throws -> Body {
        try BodyCoding.decode(type, from: ByteBuffer(string: json))
    }

    private struct Book: Codable, Equatable {
        var title: String
        var pages: Int?
        var rating: Double?
        var owned: Bool?
        var tags: [String: [Int]]?
    }

    @Test("white space, escapes, member order, unknown members and null are handled as JSON requires")
    func text() throws {
        let json =
            " { \"pages\" : null , \"x\" : [ { } , \"]\" ] , \"t\\u0069tle\" : \"a\\n\\u00e9\\ud83e\\udd8a\\/\" ,"
            + " \"tags\" : { \"a\" : [ 1 , -2 ] , \"\" : [ ] } , \"rating\" : -1.5e-1 , \"owned\" : true } "
        #expect(
            try decode(Book.self, json)
                == Book(title: "a\né🦊/", pages: nil, rating: -0.15, owned: true, tags: ["a": [1, -2], "": []]))
    }

    @Test(
        "a whole number may be written with a fraction or an exponent", arguments: ["100", "1e2", "100.0", "1000E-1"])
    func wholeNumbers(text: String) throws {
        #expect(try decode(Int.self, text) == 100)
        #expect(try decode([UInt8].self, "[\(text)]") == [100])
    }

    @Test("a number that the integer type cannot represent is rejected", arguments: ["300", "-1", "1.5", "1e3"])
    func misfits(text: String) {
        #expect(throws: DecodingError.self) { try decode(UInt8.self, text) }
    }

    @Test("numbers beyond the range of Double are rejected")
    func huge() {
        #expect(throws: DecodingError.self) { try decode(Double.self, "1e999") }
    }

    @Test(
        "text that is not exactly one JSON value is rejected",
        arguments: ["", " ", "{", "[1,]", "[1 2]", "{\"a\" 1}", "tru", "1 2", "{}x", "\"\u{1}\"", "\"\\ud800\"", "01"])
    func notJSON(text: String) {
        #expect(throws: DecodingError.self) { try decode([Int].self, text) }
        #expect(throws: DecodingError.self) { try decode(Book.self, text) }
        #expect(throws: DecodingError.self) { try decode(Bool.self, text) }
    }

    @Test(
        "a decoding error states its position",
        arguments: [
            (#"{"title":1}"#, "Invalid params at [0].title: expected String"),
            (#"{}"#, "Invalid params at [0]: title is missing"),
            (#"{"title":null}"#, "Invalid params at [0].title: expected String, found null"),
            (#"{"title":"","tags":{"a":[0,"x"]}}"#, "Invalid params at [0].tags.a[1]: expected Int"),
            (#"{"title":"","pages":1.5}"#, "Invalid params at [0].pages: 1.5 is out of range for Int"),
        ])
    func places(json: String, expected: String) throws {
        let error = try #require(throws: DecodingError.self) { try decode([Book].self, "[\(json)]") }
        #expect(InvalidParameters(error).description == expected)
    }

    @Test("values encoded by JSONEncoder are decoded unchanged", arguments: 0..<20)
    func sameAsFoundation(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let encoder = JSONEncoder()
        for format in [[], .prettyPrinted, [.sortedKeys, .withoutEscapingSlashes]] as [JSONEncoder.OutputFormatting] {
            encoder.outputFormatting = format
            let book = Book(
                title: String((0..<8).map { _ in "a\"\\/\u{8}é🦊\u{7F}".randomElement(using: &random)! }),
                pages: Bool.random(using: &random) ? nil : .random(in: .min ... .max, using: &random),
                rating: .random(in: -1e9...1e9, using: &random), owned: .random(using: &random),
                tags: ["k/\(seed)": [Int.random(in: -9...9, using: &random)]])
            let json = try encoder.encode([book, book])
            #expect(try BodyCoding.decode([Book].self, from: ByteBuffer(bytes: json)) == [book, book])
        }
    }

    @Test("a type with a custom decoding initializer can be decoded")
    func byHand() throws {
        struct Handmade: Decodable {
            enum Key: String, CodingKey { case list, object, last, `super` }
            var found: [String] = []

            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: Key.self)
                found = members.allKeys.map(\.rawValue)
                var list = try members.nestedUnkeyedContainer(forKey: .list)
                found.append("\(list.count ?? -1)")
                found.append("\(try list.nestedContainer(keyedBy: Key.self).decode(Int.self, forKey: .last))")
                var inner = try list.nestedUnkeyedContainer()
                found.append("\(try inner.decodeNil()) \(inner.isAtEnd)")
                found.append(try list.decodeNil() ? "null" : try list.decode(String.self))
                found.append("\(list.isAtEnd) \(list.currentIndex)")
                #expect(throws: DecodingError.self) { try list.decode(Int.self) }
                found.append("\(try members.superDecoder().singleValueContainer().decode(Bool.self))")
                found.append("\(try members.decodeNil(forKey: .object))")
            }
        }
        #expect(
            try decode(Handmade.self, #"{"list":[{"last":1},[null],"after"],"object":null,"super":true}"#).found
                == ["list", "object", "super", "3", "1", "true true", "after", "true 3", "true", "true"])
    }
}
