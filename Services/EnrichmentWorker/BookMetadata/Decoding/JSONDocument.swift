/// A parsed JSON text (RFC 8259) whose values are read on demand.
///
/// Provider documents are large and mostly uninteresting, and a field of the wrong type must not spoil the others. So
/// the text is indexed once, in one array, and only the fields that are read become strings and numbers.
final class JSONDocument: Sendable {
    /// What one entry of the index describes.
    enum Kind: UInt8 {
        case object, array, string, escapedString, number, literal
    }

    /// A value, or the key of a member, which precedes its value.
    struct Entry {
        let kind: Kind
        /// First byte of the value; of the content for strings.
        let start: Int32
        /// Byte after the value; after the content for strings.
        var end: Int32
        /// The entry after this value and everything inside it.
        var next: Int32
    }

    /// Values nested deeper are refused; no provider goes beyond ten.
    static let deepestNesting = 64

    let bytes: [UInt8]
    let entries: [Entry]

    /// Indexes a text; `nil` when it is not JSON, too deep or longer than 2 GiB.
    init?(_ body: some Sequence<UInt8>) {
        // A copy byte by byte through the sequence's witness would take longer than the parsing.
        let bytes = body.withContiguousStorageIfAvailable { Array($0) } ?? Array(body)
        guard bytes.count < Int(Int32.max) else { return nil }
        var parser = JSONIndexer(bytes: bytes)
        guard parser.parseDocument() else { return nil }
        self.bytes = bytes
        entries = parser.entries
    }

    /// The outermost value.
    var root: JSONNode { JSONNode(document: self, index: 0) }
}

/// Builds the index of a `JSONDocument` in one pass over its bytes.
struct JSONIndexer {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var entries: [JSONDocument.Entry] = []

    init(bytes: [UInt8]) {
        self.bytes = bytes
        entries.reserveCapacity(bytes.count / 12 + 1)
    }

    /// Whether the bytes are one JSON text; a byte order mark before it is allowed, as two providers send one.
    mutating func parseDocument() -> Bool {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        guard parseValue(depth: 0) else { return false }
        skipWhitespace()
        return position == bytes.count
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func parseValue(depth: Int) -> Bool {
        skipWhitespace()
        guard let first = current, depth <= JSONDocument.deepestNesting else { return false }
        switch first {
        case UInt8(ascii: "{"): return parseObject(depth: depth)
        case UInt8(ascii: "["): return parseArray(depth: depth)
        case UInt8(ascii: "\""): return parseString()
        case UInt8(ascii: "t"): return parseLiteral("true")
        case UInt8(ascii: "f"): return parseLiteral("false")
        case UInt8(ascii: "n"): return parseLiteral("null")
        default: return parseNumber()
        }
    }

    private mutating func parseObject(depth: Int) -> Bool {
        let index = open(.object)
        skipWhitespace()
        if consume(UInt8(ascii: "}")) { return close(index) }
        while true {
            skipWhitespace()
            guard current == UInt8(ascii: "\""), parseString() else { return false }
            skipWhitespace()
            guard consume(UInt8(ascii: ":")), parseValue(depth: depth + 1) else { return false }
            skipWhitespace()
            if consume(UInt8(ascii: "}")) { return close(index) }
            guard consume(UInt8(ascii: ",")) else { return false }
        }
    }

    private mutating func parseArray(depth: Int) -> Bool {
        let index = open(.array)
        skipWhitespace()
        if consume(UInt8(ascii: "]")) { return close(index) }
        while true {
            guard parseValue(depth: depth + 1) else { return false }
            skipWhitespace()
            if consume(UInt8(ascii: "]")) { return close(index) }
            guard consume(UInt8(ascii: ",")) else { return false }
        }
    }

    private mutating func parseString() -> Bool {
        position += 1
        let start = position
        var kind = JSONDocument.Kind.string
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                add(kind, from: start)
                position += 1
                return true
            case UInt8(ascii: "\\"):
                kind = .escapedString
                guard skipEscape() else { return false }
            case 0..<0x20: return false
            default: position += 1
            }
        }
        return false
    }

    private mutating func skipEscape() -> Bool {
        guard position + 1 < bytes.count else { return false }
        switch bytes[position + 1] {
        case UInt8(ascii: "u"):
            guard position + 6 <= bytes.count, bytes[(position + 2)..<(position + 6)].allSatisfy(\.isHexadecimal) else {
                return false
            }
            position += 6
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
        default: return false
        }
        return true
    }

    private mutating func parseNumber() -> Bool {
        let start = position
        _ = consume(UInt8(ascii: "-"))
        let integer = skipDigits()
        guard integer == 1 || (integer > 1 && bytes[position - integer] != UInt8(ascii: "0")) else { return false }
        if consume(UInt8(ascii: ".")), skipDigits() == 0 { return false }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            guard skipDigits() > 0 else { return false }
        }
        add(.number, from: start)
        return true
    }

    private mutating func parseLiteral(_ literal: StaticString) -> Bool {
        let start = position
        let length = literal.utf8CodeUnitCount
        guard position + length <= bytes.count,
            bytes[start..<(start + length)].elementsEqual(UnsafeBufferPointer(start: literal.utf8Start, count: length))
        else { return false }
        position += length
        add(.literal, from: start)
        return true
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            position += 1
        }
        return position - start
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func add(_ kind: JSONDocument.Kind, from start: Int) {
        entries.append(
            JSONDocument.Entry(
                kind: kind, start: Int32(start), end: Int32(position), next: Int32(entries.count + 1)))
    }

    private mutating func open(_ kind: JSONDocument.Kind) -> Int {
        position += 1
        add(kind, from: position - 1)
        return entries.count - 1
    }

    private mutating func close(_ index: Int) -> Bool {
        entries[index].end = Int32(position)
        entries[index].next = Int32(entries.count)
        return true
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
