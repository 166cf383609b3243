/// A value of a `JSONDocument`. Reading it as a type that it does not have gives nothing.
struct JSONNode {
    private let document: JSONDocument
    private let index: Int

    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    private var entry: JSONDocument.Entry { document.entries[index] }

    /// Whether the value is an object.
    var isObject: Bool { entry.kind == .object }

    /// The text of a string.
    var string: String? {
        let content = document.bytes[Int(entry.start)..<Int(entry.end)]
        switch entry.kind {
        case .string: return String(decoding: content, as: UTF8.self)
        case .escapedString: return JSONEscapes.decode(content)
        default: return nil
        }
    }

    /// The value of a number without fraction and exponent that fits.
    var int: Int? {
        guard entry.kind == .number else { return nil }
        return Int(String(decoding: document.bytes[Int(entry.start)..<Int(entry.end)], as: UTF8.self))
    }

    /// The value of `true` and `false`.
    var bool: Bool? {
        guard entry.kind == .literal else { return nil }
        switch document.bytes[Int(entry.start)] {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: return nil
        }
    }

    /// The elements of an array; none for other values.
    var elements: [JSONNode] {
        guard entry.kind == .array else { return [] }
        var elements: [JSONNode] = []
        forEachChild { elements.append($0) }
        return elements
    }

    /// The members of an object in order; none for other values. Of a repeated key every value is given.
    var members: [(key: String, value: JSONNode)] {
        guard entry.kind == .object else { return [] }
        var members: [(key: String, value: JSONNode)] = []
        var key: String?
        forEachChild { child in
            if let name = key {
                members.append((name, child))
                key = nil
            } else {
                key = child.string
            }
        }
        return members
    }

    /// The member of an object, `nil` when it is absent or `null`. Of a repeated key the last one counts (http-api.md "Validation").
    subscript(_ name: StaticString) -> JSONNode? {
        guard entry.kind == .object else { return nil }
        var found: Int?
        var position = index + 1
        while position < entry.next {
            if isKey(position, name) { found = position + 1 }
            position = Int(document.entries[position + 1].next)
        }
        return found.map { JSONNode(document: document, index: $0) }.flatMap { $0.isNull ? nil : $0 }
    }

    /// The strings of a list member; its other elements are left out.
    func strings(_ name: StaticString, limit: Int = 100) -> [String] {
        self[name]?.elements.prefix(limit).compactMap(\.string) ?? []
    }

    /// The strings of a member that is either one string or a list of them.
    func texts(_ name: StaticString, limit: Int = 100) -> [String] {
        self[name]?.string.map { [$0] } ?? strings(name, limit: limit)
    }

    /// The elements of a list member that can be made into something.
    func list<Element>(_ name: StaticString, limit: Int = 100, _ make: (JSONNode) -> Element?) -> [Element] {
        self[name]?.elements.prefix(limit).compactMap(make) ?? []
    }

    private var isNull: Bool { entry.kind == .literal && document.bytes[Int(entry.start)] == UInt8(ascii: "n") }

    /// Providers write keys without escapes; an escaped key is never one that is asked for.
    private func isKey(_ position: Int, _ name: StaticString) -> Bool {
        let key = document.entries[position]
        let length = name.utf8CodeUnitCount
        guard key.kind == .string, Int(key.end - key.start) == length else { return false }
        return document.bytes.withUnsafeBufferPointer { bytes in
            UnsafeBufferPointer(rebasing: bytes[Int(key.start)..<Int(key.end)])
                .elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: length))
        }
    }

    private func forEachChild(_ body: (JSONNode) -> Void) {
        var position = index + 1
        while position < entry.next {
            body(JSONNode(document: document, index: position))
            position = Int(document.entries[position].next)
        }
    }
}
