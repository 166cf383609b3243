/// A JSON text whose values are read on demand. This is the interface for responses from providers and engines, and for library files in JSON.
///
/// Such documents are large and mostly irrelevant, and a field of the wrong type must not affect the others. The text is indexed once, in one array,
/// and only the fields that are read become strings and numbers. Invalid UTF-8 and lone surrogates are read as U+FFFD.
package final class JSONDocument: Sendable {
    /// What an entry of the index describes.
    enum Kind: UInt8 {
        case object, array, string, escapedString, number, literal
    }

    /// A value, or a member's key; the key's entry precedes the entry of the member's value.
    struct Entry {
        let kind: Kind
        /// Offset of the value's first byte; for strings, of the content's first byte.
        let start: Int32
        /// Offset of the first byte after the value; for strings, after the content.
        var end: Int32
        /// Index of the entry after this value and everything inside it.
        var next: Int32
    }

    let bytes: [UInt8]
    let entries: [Entry]

    /// Indexes a text; a leading byte order mark is allowed.
    package init(_ text: some Sequence<UInt8>) throws(JSONFault) {
        // Copying byte by byte through the sequence's protocol witness would take longer than parsing.
        let bytes = text.withContiguousStorageIfAvailable { Array($0) } ?? Array(text)
        guard bytes.count < Int(Int32.max) else { throw JSONFault(.tooLong, at: 0) }
        self.bytes = bytes
        entries = try bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONFault) in try JSONIndexer.index(bytes) }
        }.get()
    }

    /// The outermost value.
    package var root: JSONNode { JSONNode(document: self, index: 0) }
}

/// A value of a `JSONDocument`. Reading it as the wrong type returns nil or an empty list.
package struct JSONNode {
    private let document: JSONDocument
    private let index: Int

    fileprivate init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    private var entry: JSONDocument.Entry { document.entries[index] }

    /// Whether the value is an object.
    package var isObject: Bool { entry.kind == .object }

    /// Whether the value is an array.
    package var isArray: Bool { entry.kind == .array }

    /// The content of a string; nil for other values.
    package var string: String? {
        guard entry.kind == .string || entry.kind == .escapedString else { return nil }
        return document.bytes.withUnsafeBytes { bytes in
            JSONString.decode(
                bytes, content: Int(entry.start)..<Int(entry.end), hasEscapes: entry.kind == .escapedString)
        }
    }

    /// The value of a number without fraction or exponent that fits into `Int`; nil for other values.
    package var int: Int? {
        guard entry.kind == .number else { return nil }
        return Int(String(decoding: document.bytes[Int(entry.start)..<Int(entry.end)], as: UTF8.self))
    }

    /// A number as written; nil for other values.
    package var number: String? {
        guard entry.kind == .number else { return nil }
        return String(decoding: document.bytes[range], as: UTF8.self)
    }

    /// Position of the value in the text; for a string, of its content.
    package var range: Range<Int> { Int(entry.start)..<Int(entry.end) }

    /// The value of `true` or `false`; nil for other values.
    package var bool: Bool? {
        guard entry.kind == .literal else { return nil }
        switch document.bytes[Int(entry.start)] {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: return nil
        }
    }

    /// The elements of an array; none for other values.
    package var elements: [JSONNode] {
        guard entry.kind == .array else { return [] }
        var elements: [JSONNode] = []
        forEachChild { elements.append($0) }
        return elements
    }

    /// The members of an object in order; none for other values. A repeated key appears once per value.
    package var members: [(key: String, value: JSONNode)] {
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

    /// The member of an object; nil if it is absent or `null`. If a key is repeated, the last value is used (http-api.md "Validation").
    package subscript(_ name: StaticString) -> JSONNode? {
        guard entry.kind == .object else { return nil }
        var found: Int?
        var position = index + 1
        while position < entry.next {
            if isKey(position, name) { found = position + 1 }
            position = Int(document.entries[position + 1].next)
        }
        return found.map { JSONNode(document: document, index: $0) }.flatMap { $0.isNull ? nil : $0 }
    }

    /// The strings among the first `limit` elements of a list member; other elements are skipped.
    package func strings(_ name: StaticString, limit: Int = 100) -> [String] {
        self[name]?.elements.prefix(limit).compactMap(\.string) ?? []
    }

    /// The strings of a member that is either one string or a list, of which the first `limit` elements are read.
    package func texts(_ name: StaticString, limit: Int = 100) -> [String] {
        self[name]?.string.map { [$0] } ?? strings(name, limit: limit)
    }

    /// The non-nil results of `make` for the first `limit` elements of a list member.
    @inlinable
    package func list<Element>(_ name: StaticString, limit: Int = 100, _ make: (JSONNode) -> Element?) -> [Element] {
        self[name]?.elements.prefix(limit).compactMap(make) ?? []
    }

    private var isNull: Bool { entry.kind == .literal && document.bytes[Int(entry.start)] == UInt8(ascii: "n") }

    /// Whether a member has the requested key. Providers write keys without escapes; an escaped key never matches.
    private func isKey(_ position: Int, _ name: StaticString) -> Bool {
        let key = document.entries[position]
        guard key.kind == .string, Int(key.end - key.start) == name.utf8CodeUnitCount else { return false }
        return document.bytes.withUnsafeBytes { $0.equals(name, in: Int(key.start)..<Int(key.end)) }
    }

    private func forEachChild(_ body: (JSONNode) -> Void) {
        var position = index + 1
        while position < entry.next {
            body(JSONNode(document: document, index: position))
            position = Int(document.entries[position].next)
        }
    }
}

/// Builds the index of a document in one pass over its bytes, without recursion.
private struct JSONIndexer {
    private var cursor: JSONCursor
    private var entries: [JSONDocument.Entry] = []
    /// Index of the entry of the innermost open object or array; -1 if none is open. Until the entry is closed, its `next` is the index of the
    /// enclosing entry.
    private var open: Int32 = -1
    private var depth = 0

    static func index(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) -> [JSONDocument.Entry] {
        var indexer = JSONIndexer(cursor: JSONCursor(bytes, repairsStrings: true))
        indexer.entries.reserveCapacity(bytes.count / 12 + 1)
        indexer.cursor.skipByteOrderMark()
        indexer.cursor.skipWhitespace()
        try indexer.indexValue()
        try indexer.cursor.finish()
        return indexer.entries
    }

    private init(cursor: JSONCursor) { self.cursor = cursor }

    /// Indexes the outermost value and everything inside it. Each iteration of the loop begins at a value.
    private mutating func indexValue() throws(JSONFault) {
        repeat {
            let start = cursor.index
            switch cursor.byte {
            case UInt8(ascii: "{"):
                try openContainer(.object)
                if cursor.byte == UInt8(ascii: "}") { break }
                try addKey()
                continue
            case UInt8(ascii: "["):
                try openContainer(.array)
                if cursor.byte == UInt8(ascii: "]") { break }
                continue
            case UInt8(ascii: "\""):
                try addString()
            default:
                let kind = try cursor.skipScalar()
                add(kind == .number ? .number : .literal, start..<cursor.index)
            }
            try moveToNextValue()
        } while open >= 0
    }

    /// Closes the brackets that end here. If a bracket is still open, moves past the comma, and in an object past the key, to the next value.
    private mutating func moveToNextValue() throws(JSONFault) {
        while open >= 0 {
            let isInObject = entries[Int(open)].kind == .object
            cursor.skipWhitespace()
            switch cursor.byte {
            case UInt8(ascii: ","):
                cursor.index &+= 1
                cursor.skipWhitespace()
                if isInObject { try addKey() }
                return
            case UInt8(ascii: "}") where isInObject, UInt8(ascii: "]") where !isInObject:
                cursor.index &+= 1
                closeContainer()
            default:
                throw cursor.missing(isInObject ? .commaOrBrace : .commaOrBracket)
            }
        }
    }

    private mutating func openContainer(_ kind: JSONDocument.Kind) throws(JSONFault) {
        guard depth < NestingStack.limit else { throw cursor.fault(.nestedTooDeep) }
        depth += 1
        add(kind, cursor.index..<cursor.index)
        let index = entries.count - 1
        entries[index].next = open
        open = Int32(index)
        cursor.index &+= 1
        cursor.skipWhitespace()
    }

    private mutating func closeContainer() {
        let index = Int(open)
        depth -= 1
        open = entries[index].next
        entries[index].end = Int32(cursor.index)
        entries[index].next = Int32(entries.count)
    }

    /// Adds `"key" :` and moves to the first byte of its value.
    private mutating func addKey() throws(JSONFault) {
        guard cursor.byte == UInt8(ascii: "\"") else { throw cursor.missing(.string) }
        try addString()
        cursor.skipWhitespace()
        guard cursor.skip(ifNext: UInt8(ascii: ":")) else { throw cursor.missing(.colon) }
        cursor.skipWhitespace()
    }

    private mutating func addString() throws(JSONFault) {
        let start = cursor.index + 1
        let hasEscapes = try cursor.skipString()
        add(hasEscapes ? .escapedString : .string, start..<(cursor.index - 1))
    }

    private mutating func add(_ kind: JSONDocument.Kind, _ range: Range<Int>) {
        entries.append(
            JSONDocument.Entry(
                kind: kind, start: Int32(range.lowerBound), end: Int32(range.upperBound),
                next: Int32(entries.count + 1)))
    }
}
