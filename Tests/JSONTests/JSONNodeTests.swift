import JSON
import Testing

/// Values read from provider responses, whose members often have types other than the documented ones.
@Suite("Values in a document")
struct JSONNodeTests {
    private static let answer = """
        {"title": "Emma", "authors": ["Jane Austen", 7, null, "Ann Other", ["x"]], "subject": "Fiction", "pages": 474,
         "rating": 4.50, "none": null, "empty": [], "editions": [{"key": "OL1M"}, {"other": 1}, {"key": "OL2M"}]}
        """

    private func root() throws -> JSONNode { try JSONDocument(Self.answer.utf8).root }

    @Test("the strings in a list are returned, and other elements are ignored")
    func strings() throws {
        let root = try root()
        #expect(root.strings("authors") == ["Jane Austen", "Ann Other"])
        #expect(root.strings("empty").isEmpty)
        #expect(root.strings("missing").isEmpty)
        #expect(root.strings("none").isEmpty)
        #expect(root.strings("pages").isEmpty)
    }

    @Test("a limit counts all elements, not only strings")
    func limit() throws {
        let root = try root()
        #expect(root.strings("authors", limit: 3) == ["Jane Austen"])
        #expect(root.strings("authors", limit: 0).isEmpty)
        #expect(root.list("editions", limit: 2) { $0["key"]?.string } == ["OL1M"])
    }

    @Test("at most a hundred elements are read unless the caller sets another limit")
    func usualLimit() throws {
        let list = (1...150).map { "\"s\($0)\"" }.joined(separator: ",")
        let root = try JSONDocument("{\"l\":[\(list)]}".utf8).root
        #expect(root.strings("l").count == 100)
        #expect(root.strings("l").last == "s100")
        #expect(root.strings("l", limit: 150).count == 150)
        #expect(root["l"]?.elements.count == 150)
    }

    @Test("a single string can be read as a list with one element")
    func texts() throws {
        let root = try root()
        #expect(root.texts("subject") == ["Fiction"])
        #expect(root.strings("subject").isEmpty)
        #expect(root.texts("authors") == ["Jane Austen", "Ann Other"])
        #expect(root.texts("pages").isEmpty)
    }

    @Test("elements for which the conversion returns nil are omitted from a list")
    func list() throws {
        let root = try root()
        #expect(root.list("editions") { $0["key"]?.string } == ["OL1M", "OL2M"])
        #expect(root.list("title") { $0.string }.isEmpty)
    }

    @Test("a number can also be read as text")
    func number() throws {
        let root = try root()
        #expect(root["rating"]?.number == "4.50")
        #expect(root["rating"]?.int == nil)
        #expect(root["pages"]?.number == "474")
        #expect(root["pages"]?.int == 474)
        #expect(root["title"]?.number == nil)
    }

    @Test("a null member counts as absent, but a null element of an array is kept")
    func null() throws {
        let root = try root()
        #expect(root["none"] == nil)
        #expect(root["authors"]?.elements.count == 5)
        #expect(root["authors"]?.elements[2].string == nil)
        #expect(root["authors"]?.elements[2].bool == nil)
    }

    @Test("a value has its range in the text, and a string's range excludes the quotes")
    func range() throws {
        let text = Array(#"{"a": "bc", "d": [1, 22]}"#.utf8)
        let root = try JSONDocument(text).root
        func slice(_ node: JSONNode?) -> String { String(decoding: text[node?.range ?? 0..<0], as: UTF8.self) }
        #expect(slice(root["a"]) == "bc")
        #expect(slice(root["d"]?.elements.last) == "22")
    }

    @Test("only objects have members, and only arrays have elements", arguments: ["1", "\"a\"", "true", "null"])
    func scalars(text: String) throws {
        let root = try JSONDocument(text.utf8).root
        #expect(!root.isObject)
        #expect(!root.isArray)
        #expect(root.members.isEmpty)
        #expect(root.elements.isEmpty)
        #expect(root["a"] == nil)
    }

    @Test("a repeated member appears once for each value, in the order of the text")
    func repeated() throws {
        let root = try JSONDocument(#"{"a":1,"b":2,"a":3}"#.utf8).root
        #expect(root.members.map(\.key) == ["a", "b", "a"])
        #expect(root.members.map(\.value.int) == [1, 2, 3])
        #expect(root["a"]?.int == 3)
    }

    @Test("a member matches only by its whole name")
    func names() throws {
        let root = try JSONDocument(#"{"isbn":1,"isbn_13":2,"ISBN":3}"#.utf8).root
        #expect(root["isbn"]?.int == 1)
        #expect(root["isbn_13"]?.int == 2)
        #expect(root["isb"] == nil)
        #expect(root["isbn_1"] == nil)
    }
}
