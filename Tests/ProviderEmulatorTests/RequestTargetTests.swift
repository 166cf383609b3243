import NIOCore
import Testing

@testable import ProviderEmulator

@Suite("Request targets and pages")
struct RequestTargetTests {
    @Test(
        "a path is split into decoded components, leaving out empty ones",
        arguments: [
            ("/a/b", ["a", "b"]), ("//a///b/", ["a", "b"]), ("/", []), ("", []), ("/a%2Fb/c", ["a/b", "c"]),
            ("/caf%C3%A9", ["café"]), ("/a+b", ["a+b"]), ("/a?b/c", ["a"]), ("/100%", ["100%"]), ("/%zz", ["%zz"]),
            ("/%+1", ["%+1"]), ("/%-0", ["%-0"]), ("/a%2", ["a%2"]),
        ])
    func components(uri: String, components: [String]) {
        #expect(RequestTarget(uri).components == components)
    }

    @Test(
        "a parameter is decoded, with plus as a space, and the first of several parameters with one name is used",
        arguments: [
            ("/?q=a+b", "a b"), ("/?q=a%2Bb", "a+b"), ("/?q=%22x%22", "\"x\""), ("/?q", ""), ("/?q=", ""),
            ("/?q=1&q=2", "1"),
            ("/?q=a=b", "a=b"), ("/?x=1&q=y", "y"), ("/?q=a?b", "a?b"), ("/?%71=z", "z"),
        ])
    func parameters(uri: String, value: String) {
        #expect(RequestTarget(uri)["q"] == value)
    }

    @Test("a missing parameter is nil", arguments: ["/", "/?", "/?Q=1", "/?p=q", "/q=1"])
    func absent(uri: String) {
        #expect(RequestTarget(uri)["q"] == nil)
    }

    @Test(
        "a count is clamped to its bounds, and text that is not a number gives the default",
        arguments: [
            ("n=5", 5), ("n=0", 1), ("n=-9", 1), ("n=11", 10), ("n=x", 3), ("n=", 3), ("n=5.5", 3), ("m=5", 3),
            ("n=99999999999999999999", 3),
        ])
    func counts(query: String, count: Int) {
        #expect(RequestTarget("/?\(query)").count("n", in: 1...10, standard: 3) == count)
    }

    @Test(
        "a page is the part of the results that its offset and limit select",
        arguments: [
            (0, 2, [1, 2]), (2, 2, [3, 4]), (4, 2, [5]), (5, 2, []), (99, 2, []), (0, 0, []), (0, 9, [1, 2, 3, 4, 5]),
        ])
    func pages(offset: Int, limit: Int, part: [Int]) {
        #expect(Array(ResultPage(offset: offset, limit: limit).part(of: [1, 2, 3, 4, 5])) == part)
    }
}

@Suite("Field masks and rendered objects")
struct FieldMaskTests {
    private static let document: JSONValue = [
        "a": 1, "b": ["c": 2, "d": ["e": 3, "f": 4]], "list": [["x": 1, "y": 2], ["x": 3, "y": 4]], "s": "text",
    ]

    @Test(
        "a mask keeps the members that it names, in the document's order",
        arguments: [
            ("a", #"{"a":1}"#), ("s,a", #"{"a":1,"s":"text"}"#), ("b", #"{"b":{"c":2,"d":{"e":3,"f":4}}}"#),
            ("b/c", #"{"b":{"c":2}}"#), ("b(c,d/e)", #"{"b":{"c":2,"d":{"e":3}}}"#), ("b/d/f", #"{"b":{"d":{"f":4}}}"#),
            ("list/x", #"{"list":[{"x":1},{"x":3}]}"#), ("list(y)", #"{"list":[{"y":2},{"y":4}]}"#),
            ("b/c,b/d/e", #"{"b":{"c":2,"d":{"e":3}}}"#), ("nothing", "{}"), ("b(c", #"{"b":{"c":2}}"#),
            ("a/deeper", #"{"a":1}"#),
            ("*,b/c", #"{"a":1,"b":{"c":2},"list":[{"x":1,"y":2},{"x":3,"y":4}],"s":"text"}"#),
        ])
    func masks(text: String, expected: String) {
        #expect(Self.document.masked(by: FieldMask(text)).json == expected)
    }

    @Test("an empty mask keeps all members")
    func everything() {
        #expect(FieldMask("") == .everything)
        #expect(Self.document.masked(by: .everything) == Self.document)
    }

    @Test(
        "a mask applies to a rendered object down to the given depth, below which members are kept whole",
        arguments: [
            (1, "b/c", #"{"b":{"c":2,"d":{"e":3,"f":4}}}"#), (2, "b/c", #"{"b":{"c":2}}"#),
            (2, "b/d/e", #"{"b":{"d":{"e":3,"f":4}}}"#), (2, "nothing", "{}"), (1, "a,s", #"{"a":1,"s":"text"}"#),
            (1, "", #"{"a":1,"b":{"c":2,"d":{"e":3,"f":4}},"list":[{"x":1,"y":2},{"x":3,"y":4}],"s":"text"}"#),
        ])
    func rendered(depth: Int, mask: String, expected: String) {
        var buffer = ByteBuffer()
        RenderedObject(fieldDepth: depth) { Self.document }.write(FieldMask(mask), into: &buffer)
        #expect(String(buffer: buffer) == expected)
    }

    @Test("a deeply nested mask does not overflow the stack")
    func deep() {
        #expect(FieldMask(String(repeating: "a(", count: 100_000)).selecting("a") != nil)
    }
}
