import BookstrackContract

/// Reads one JSON text (RFC 8259) front to back and builds only what its caller asks for.
///
/// Foundation's decoder keeps the first of duplicate keys, while http-api.md "Validation" lets the last one win, and does not say where a
/// body is broken. This reader never recurses: what is skipped is checked with a stack of one bit per level, so that neither nesting nor
/// size costs more memory than the body itself.
struct JSONReader {
    /// Levels of arrays and objects that are followed.
    static let maximumDepth = 512

    let bytes: [UInt8]
    private(set) var offset = 0

    /// Reads `bytes`. Throws `JSONFault` when they are not UTF-8.
    init(_ bytes: [UInt8]) throws(JSONFault) {
        self.bytes = bytes
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONFault("invalid UTF-8", at: Self.validPrefix(of: bytes), in: bytes)
        }
    }

    /// Reads a body that must be one object, and hands each key to `member`. Throws `JSONFault` or `APIFailure`.
    static func readBody(_ bytes: [UInt8], _ member: (inout JSONReader, String) throws -> Void) throws {
        var reader = try JSONReader(bytes)
        guard try reader.peek() == .object else {
            throw APIFailure(.invalidRequest, "The body must be a JSON object.")
        }
        try reader.readObject(member)
        try reader.readEnd()
    }

    /// Kind of the value that comes next.
    mutating func peek() throws(JSONFault) -> JSONKind {
        skipSpace()
        guard let byte = current else { throw fault("unexpected end of the body, a value is missing") }
        guard let kind = JSONKind(firstByte: byte) else { throw fault("unexpected character, a value is missing") }
        return kind
    }

    /// Reads an object and hands each key to `member`, which must read or skip exactly one value.
    mutating func readObject(_ member: (inout JSONReader, String) throws -> Void) throws {
        try expect("{")
        if nextIs("}") { return }
        repeat {
            let key = try readString()
            try expect(":")
            try member(&self, key)
        } while nextIs(",")
        try expect("}", or: "',' or '}'")
    }

    /// Reads an array and lets `element` read or skip exactly one value per element.
    mutating func readArray(_ element: (inout JSONReader) throws -> Void) throws {
        try expect("[")
        if nextIs("]") { return }
        repeat { try element(&self) } while nextIs(",")
        try expect("]", or: "',' or ']'")
    }

    /// Checks that nothing but white space follows.
    mutating func readEnd() throws(JSONFault) {
        skipSpace()
        guard current == nil else { throw fault("unexpected character after the value") }
    }

    func fault(_ reason: String) -> JSONFault { JSONFault(reason, at: offset, in: bytes) }

    var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func advance(by count: Int = 1) { offset += count }

    mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    /// Moves past `byte` when it comes next.
    mutating func nextIs(_ byte: Unicode.Scalar) -> Bool {
        skipSpace()
        guard current == UInt8(ascii: byte) else { return false }
        offset += 1
        return true
    }

    mutating func expect(_ byte: Unicode.Scalar, or wanted: String? = nil) throws(JSONFault) {
        guard !nextIs(byte) else { return }
        let wanted = wanted ?? "'\(byte)'"
        throw fault(current == nil ? "unexpected end of the body, \(wanted) is missing" : "\(wanted) expected")
    }

    /// Length of the longest prefix that is UTF-8.
    private static func validPrefix(of bytes: [UInt8]) -> Int {
        var iterator = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var length = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) { length += scalar.count }
        return length
    }
}

extension JSONReader {
    /// Checks one value of any kind and moves past it.
    mutating func skipValue() throws(JSONFault) {
        // One entry per open level; true for an object.
        var open: [Bool] = []
        repeat {
            switch try peek() {
            case .object:
                try descend(&open, intoObject: true)
                if nextIs("}") { break }
                try skipKey()
                continue
            case .array:
                try descend(&open, intoObject: false)
                if nextIs("]") { break }
                continue
            case .string:
                try skipString()
                if try moveOn(&open) { continue } else { return }
            case .number:
                try skipNumber()
                if try moveOn(&open) { continue } else { return }
            case .boolean, .null:
                try skipWord()
                if try moveOn(&open) { continue } else { return }
            }
            // An empty array or object ended.
            open.removeLast()
            guard try moveOn(&open) else { return }
        } while true
    }

    private mutating func descend(_ open: inout [Bool], intoObject: Bool) throws(JSONFault) {
        guard open.count < Self.maximumDepth else { throw fault("more than \(Self.maximumDepth) levels of nesting") }
        advance()
        open.append(intoObject)
    }

    private mutating func skipKey() throws(JSONFault) {
        try skipString()
        try expect(":")
    }

    /// After a value: closes what ends here and moves to the next value; false when the outermost value is over.
    private mutating func moveOn(_ open: inout [Bool]) throws(JSONFault) -> Bool {
        while let isObject = open.last {
            if nextIs(",") {
                if isObject { try skipKey() }
                return true
            }
            try expect(isObject ? "}" : "]", or: isObject ? "',' or '}'" : "',' or ']'")
            open.removeLast()
        }
        return false
    }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?` (RFC 8259 §6).
    private mutating func skipNumber() throws(JSONFault) {
        if current == UInt8(ascii: "-") { advance() }
        if current == UInt8(ascii: "0") { advance() } else { try skipDigits() }
        if current == UInt8(ascii: ".") {
            advance()
            try skipDigits()
        }
        guard current == UInt8(ascii: "e") || current == UInt8(ascii: "E") else { return }
        advance()
        if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { advance() }
        try skipDigits()
    }

    private mutating func skipDigits() throws(JSONFault) {
        let begin = offset
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { advance() }
        guard offset > begin else { throw fault("a digit is missing") }
    }

    private mutating func skipWord() throws(JSONFault) {
        for word in ["true", "false", "null"] where bytes[offset...].starts(with: word.utf8) {
            advance(by: word.utf8.count)
            return
        }
        throw fault("unknown word")
    }
}

extension JSONReader {
    /// Reads a string (RFC 8259 §7). A surrogate that stands alone is a fault, since no UTF-8 text can carry it.
    mutating func readString() throws(JSONFault) -> String {
        String(decoding: try scanString(keepsText: true), as: UTF8.self)
    }

    /// Checks a string without building it.
    mutating func skipString() throws(JSONFault) {
        _ = try scanString(keepsText: false)
    }

    /// Walks over a string; its UTF-8 is empty unless the text is wanted.
    private mutating func scanString(keepsText: Bool) throws(JSONFault) -> [UInt8] {
        skipSpace()
        guard current == UInt8(ascii: "\"") else {
            throw fault(current == nil ? "unexpected end of the body, a string is missing" : "'\"' expected")
        }
        advance()
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                advance()
                return text
            case UInt8(ascii: "\\"):
                let scalar = try readEscape()
                if keepsText { text.append(contentsOf: String(scalar).utf8) }
            case 0..<0x20:
                throw fault("unescaped control character in a string")
            default:
                if keepsText { text.append(byte) }
                advance()
            }
        }
        throw fault("unexpected end of the body in a string")
    }

    private mutating func readEscape() throws(JSONFault) -> Unicode.Scalar {
        let escape = self
        advance()
        guard let byte = current else { throw fault("unexpected end of the body in a string") }
        advance()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw escape.fault("unknown escape in a string")
        }
        let unit = try readHex()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, current == UInt8(ascii: "\\") else { throw escape.fault("lone surrogate in a string") }
        advance()
        guard current == UInt8(ascii: "u") else { throw escape.fault("lone surrogate in a string") }
        advance()
        let low = try readHex()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF)))
        else { throw escape.fault("lone surrogate in a string") }
        return scalar
    }

    private mutating func readHex() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw fault("unexpected end of the body in a string") }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw fault("four hexadecimal digits expected")
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }
}

extension JSONReader {
    /// Reads a string of at most `limit` characters (`TextLimit`); null counts as absent.
    mutating func readText(at place: String, limit: Int) throws -> String? {
        let text = try readText(at: place)
        if let text, let excess = TextLimit(characters: limit).excess(of: text) {
            throw APIFailure.invalid(place, excess)
        }
        return text
    }

    /// Reads a string of any length; null counts as absent.
    private mutating func readText(at place: String) throws -> String? {
        switch try peek() {
        case .null:
            try skipValue()
            return nil
        case .string: break
        default: throw APIFailure.invalid(place, "must be a string")
        }
        return try readString()
    }

    /// Reads a string that must be there.
    mutating func readRequiredText(at place: String, limit: Int) throws -> String {
        guard let text = try readText(at: place, limit: limit) else {
            throw APIFailure.invalid(place, "must be a string")
        }
        return text
    }

    /// Reads a job's identifier of at least `shortest` characters; null counts as absent.
    mutating func readJobID(at place: String, shortest: Int = JobID.shortest) throws -> JobID? {
        guard let text = try readText(at: place) else { return nil }
        guard let id = JobID(text), text.utf8.count >= shortest else {
            throw APIFailure.invalid(place, JobID.rule(shortest: shortest))
        }
        return id
    }
}

/// Kind of a JSON value, told by its first byte.
enum JSONKind: Equatable {
    case object, array, string, number, boolean, null

    init?(firstByte: UInt8) {
        switch firstByte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case UInt8(ascii: "n"): self = .null
        default: return nil
        }
    }
}

/// Why a body is not JSON, and where (http-api.md "Validation").
struct JSONFault: Error, Equatable {
    /// What is wrong, as a noun phrase or short clause.
    var reason: String
    /// Bytes before the fault.
    var offset: Int
    /// Line, from 1.
    var line: Int
    /// Character column in the line, counted in bytes from 1.
    var column: Int

    /// Locates `offset` in `bytes`.
    init(_ reason: String, at offset: Int, in bytes: some Collection<UInt8>) {
        self.reason = reason
        self.offset = offset
        line = 1
        column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
    }
}
