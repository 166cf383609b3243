import JSON
import NIOCore
import Testing

/// Members and elements of bodies that are passed on without being decoded (Services/README.md "JSON-RPC", hot
/// messages).
@Suite("Members and elements as raw JSON")
struct JSONMembersTests {
    private func object(_ text: String) -> ObjectReader? { ObjectReader(ByteBuffer(string: text)) }

    private func elements(_ text: String) -> [String]? {
        ArrayReader(ByteBuffer(string: text))?.elements.map { String(buffer: $0) }
    }

    private static let text =
        #" { "s" : "a\"b" , "n" : -12, "f": 1.5, "big": 9223372036854775808, "t": true, "u": false, "z": null, "#
        + #""o": { "k" : [1, 2] }, "l" : [ {}, "]" ] } "#

    @Test("a member can be read only as its own type")
    func kinds() throws {
        let members = try #require(object(Self.text))
        #expect(members.string("s") == "a\"b")
        #expect(members.integer("n") == -12)
        #expect(members.boolean("t") == true)
        #expect(members.boolean("u") == false)
        #expect(members.object("o").map { String(buffer: $0) } == #"{ "k" : [1, 2] }"#)
        for name: StaticString in ["n", "f", "t", "z", "o", "l", "missing"] {
            #expect(members.string(name) == nil, "\(name)")
        }
        for name: StaticString in ["s", "f", "big", "t", "z", "o", "missing"] {
            #expect(members.integer(name) == nil, "\(name)")
        }
        for name: StaticString in ["s", "n", "z", "o", "missing"] {
            #expect(members.boolean(name) == nil, "\(name)")
        }
        for name: StaticString in ["s", "n", "z", "l", "missing"] {
            #expect(members.object(name) == nil, "\(name)")
        }
    }

    @Test(
        "a member's bytes are passed on unchanged",
        arguments: [
            ("s" as StaticString, #""a\"b""#), ("n", "-12"), ("f", "1.5"), ("z", "null"), ("o", #"{ "k" : [1, 2] }"#),
            ("l", #"[ {}, "]" ]"#),
        ])
    func raw(name: StaticString, json: String) throws {
        #expect(try #require(object(Self.text)).json(name).map { String(buffer: $0) } == json)
    }

    @Test("the last of several members with the same name is used, however the name is escaped")
    func repeated() throws {
        let members = try #require(object(#"{"a":1,"b":2,"\u0061":3}"#))
        #expect(members.integer("a") == 3)
        #expect(members.integer("b") == 2)
    }

    @Test("escapes in a name or a string are decoded")
    func escapes() throws {
        let members = try #require(object(#"{"na\u006de":"\ud83d\udcda \t\u00e9"}"#))
        #expect(members.string("name") == "📚 \té")
    }

    @Test("members are read starting at the buffer's current reader index")
    func readerIndex() throws {
        var buffer = ByteBuffer(string: #"xyz{"a":"b","n":5,"t":true}"#)
        buffer.moveReaderIndex(forwardBy: 3)
        let members = try #require(ObjectReader(buffer))
        #expect(members.string("a") == "b")
        #expect(members.integer("n") == 5)
        #expect(members.boolean("t") == true)
    }

    @Test(
        "text that is not exactly one object has no members",
        arguments: [
            "", " ", "{", "}", "[]", "null", "5", #""a""#, "{} {}", "{}x", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}",
            #"{"a":1 "b":2}"#, #"{"a":[1,2}"#, #"{"a":"\x"}"#, #"{"a":01}"#, "{\"a\":\"\u{1}\"}",
        ])
    func noObject(text: String) {
        #expect(object(text) == nil)
    }

    @Test("an empty object has no members")
    func empty() throws {
        #expect(try #require(object(" { } ")).json("a") == nil)
    }

    @Test(
        "the elements of an array are passed on unchanged",
        arguments: [
            ("[]", []), (" [ ] ", []), ("[1]", ["1"]), ("[ 1 , -2.5e3 ]", ["1", "-2.5e3"]),
            (#"[{"a":"],["},"]",[[],[1]]]"#, [#"{"a":"],["}"#, #""]""#, "[[],[1]]"]),
            ("[null,true]", ["null", "true"]),
        ])
    func arrays(text: String, expected: [String]) {
        #expect(elements(text) == expected)
    }

    @Test(
        "text that is not exactly one array has no elements",
        arguments: ["", "[", "]", "{}", "null", "[1,]", "[,1]", "[1 2]", "[1]]", "[] []", "[tru]", #"["a]"#, "[1}"])
    func noArray(text: String) {
        #expect(elements(text) == nil)
    }
}
