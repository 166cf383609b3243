/// Walks over a JSON text and checks it against RFC 8259 without building anything from it.
///
/// Stricter than the RFC in one point: a `\u` escape of half a surrogate pair is refused (RFC 7493 §2.1), since no
/// decoder behind it could make a string of it. Numbers are checked for their grammar, not for their size.
struct JSONCursor {
    let bytes: UnsafeRawBufferPointer
    var index: Int
    /// Brackets that are open around the text, counted against the depth limit.
    private let outerDepth: Int

    init(_ bytes: UnsafeRawBufferPointer, at index: Int = 0, outerDepth: Int = 0) {
        self.bytes = bytes
        self.index = index
        self.outerDepth = outerDepth
    }

    /// The byte at the cursor; nil at the end.
    @inline(__always)
    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    @inline(__always)
    mutating func skipWhitespace() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): index &+= 1
            default: return
            }
        }
    }

    /// Steps over `expected`.
    @inline(__always)
    mutating func skip(_ expected: UInt8) throws(ScanFault) {
        guard byte == expected else { throw unexpected() }
        index &+= 1
    }

    /// Checks that only white space follows.
    @inline(__always)
    mutating func finish() throws(ScanFault) {
        skipWhitespace()
        guard byte == nil else { throw unexpected() }
    }

    /// Steps over one value of any kind, the cursor being on its first byte.
    mutating func skipValue() throws(ScanFault) -> JSONKind {
        guard let first = byte else { throw unexpected() }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return try skipScalar() }
        try skipContainer()
        return first == UInt8(ascii: "{") ? .object : .array
    }

    /// Steps over an array or object with all that is in it. Each turn of the outer loop begins on a value.
    private mutating func skipContainer() throws(ScanFault) {
        var nesting = NestingStack()
        repeat {
            switch byte {
            case UInt8(ascii: "{"):
                try open(&nesting, isObject: true)
                if byte == UInt8(ascii: "}") { break }
                try skipKey()
                continue
            case UInt8(ascii: "["):
                try open(&nesting, isObject: false)
                if byte == UInt8(ascii: "]") { break }
                continue
            default:
                _ = try skipScalar()
            }
            try skipToNextValue(&nesting)
        } while nesting.depth > 0
    }

    private mutating func open(_ nesting: inout NestingStack, isObject: Bool) throws(ScanFault) {
        guard nesting.depth + outerDepth < NestingStack.limit, nesting.push(isObject: isObject) else {
            throw fault(.nestedTooDeep)
        }
        index &+= 1
        skipWhitespace()
    }

    /// Closes what ends here, up to the comma before the next value or the end of the outermost bracket.
    @inline(__always)
    private mutating func skipToNextValue(_ nesting: inout NestingStack) throws(ScanFault) {
        while nesting.depth > 0 {
            skipWhitespace()
            switch byte {
            case UInt8(ascii: ","):
                index &+= 1
                skipWhitespace()
                if nesting.isInObject { try skipKey() }
                return
            case UInt8(ascii: "}") where nesting.isInObject, UInt8(ascii: "]") where !nesting.isInObject:
                index &+= 1
                nesting.pop()
            default:
                throw unexpected()
            }
        }
    }

    /// Steps over `"key" :` to the first byte of its value.
    @inline(__always)
    private mutating func skipKey() throws(ScanFault) {
        guard byte == UInt8(ascii: "\"") else { throw unexpected() }
        _ = try skipString()
        skipWhitespace()
        try skip(UInt8(ascii: ":"))
        skipWhitespace()
    }

    func fault(_ reason: ScanFault.Reason) -> ScanFault { ScanFault(reason: reason, offset: index) }

    /// The fault of a byte that no rule allows here, or of the end of the text.
    func unexpected() -> ScanFault { fault(index < bytes.count ? .unexpectedByte : .unexpectedEnd) }
}

extension JSONCursor {
    /// Steps over a string, the cursor being on its opening quote, and tells whether it has escapes.
    mutating func skipString() throws(ScanFault) -> Bool {
        index &+= 1
        var hasEscapes = false
        while true {
            skipPlainCharacters()
            switch byte {
            case UInt8(ascii: "\"")?:
                index &+= 1
                return hasEscapes
            case UInt8(ascii: "\\")?:
                hasEscapes = true
                try skipEscape()
            case let byte? where byte >= 0x80:
                try skipMultibyteCharacter(lead: byte)
            case let byte?:
                guard byte >= 0x20 else { throw fault(.controlCharacter) }
                index &+= 1
            case nil:
                throw fault(.unexpectedEnd)
            }
        }
    }

    /// Steps over ASCII without quote, backslash or control character, eight bytes at a time.
    ///
    /// Each of the four tests may flag a byte wrongly only above one that it flags rightly, so the lowest flag of all is right.
    @inline(__always)
    private mutating func skipPlainCharacters() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
            let control = (word &- ones &* 0x20) & ~word
            let special =
                (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | control | word) & highs
            guard special == 0 else {
                index &+= special.trailingZeroBitCount >> 3
                return
            }
            index &+= 8
        }
    }

    private mutating func skipEscape() throws(ScanFault) {
        index &+= 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index &+= 1
        case UInt8(ascii: "u"):
            let unit = try skipCodeUnit()
            if 0xDC00...0xDFFF ~= unit { throw fault(.loneSurrogate) }
            guard 0xD800...0xDBFF ~= unit else { return }
            guard byte == UInt8(ascii: "\\") else { throw fault(.loneSurrogate) }
            index &+= 1
            guard byte == UInt8(ascii: "u") else { throw fault(.loneSurrogate) }
            guard 0xDC00...0xDFFF ~= (try skipCodeUnit()) else { throw fault(.loneSurrogate) }
        default:
            throw fault(index < bytes.count ? .invalidEscape : .unexpectedEnd)
        }
    }

    /// Steps over `uXXXX`, the cursor being on the `u`.
    private mutating func skipCodeUnit() throws(ScanFault) -> UInt16 {
        index &+= 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte, let digit = Self.hexadecimalDigit(byte) else {
                throw fault(index < bytes.count ? .invalidEscape : .unexpectedEnd)
            }
            unit = unit << 4 | digit
            index &+= 1
        }
        return unit
    }

    static func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Steps over one character of two to four bytes: no overlong form, no surrogate, nothing above U+10FFFF
    /// (Unicode, table 3-7).
    private mutating func skipMultibyteCharacter(lead: UInt8) throws(ScanFault) {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch lead {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: throw fault(.invalidUTF8)
            }
        guard index &+ length <= bytes.count, second.contains(bytes[index &+ 1]) else { throw fault(.invalidUTF8) }
        for offset in 2..<max(length, 2) {
            guard bytes[index &+ offset] & 0xC0 == 0x80 else { throw fault(.invalidUTF8) }
        }
        index &+= length
    }
}

extension JSONCursor {
    /// Steps over a string, number or literal.
    @inline(__always)
    mutating func skipScalar() throws(ScanFault) -> JSONKind {
        switch byte {
        case UInt8(ascii: "\""):
            _ = try skipString()
            return .string
        case UInt8(ascii: "t"):
            try skipLiteral("true")
            return .boolean
        case UInt8(ascii: "f"):
            try skipLiteral("false")
            return .boolean
        case UInt8(ascii: "n"):
            try skipLiteral("null")
            return .null
        default:
            try skipNumber()
            return .number
        }
    }

    private mutating func skipLiteral(_ literal: StaticString) throws(ScanFault) {
        for offset in 0..<literal.utf8CodeUnitCount {
            try skip(literal.utf8Start[offset])
        }
    }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?` (RFC 8259 §6).
    private mutating func skipNumber() throws(ScanFault) {
        if byte == UInt8(ascii: "-") { index &+= 1 }
        if byte == UInt8(ascii: "0") { index &+= 1 } else { try skipDigits() }
        if byte == UInt8(ascii: ".") {
            index &+= 1
            try skipDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            index &+= 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index &+= 1 }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(ScanFault) {
        let begin = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        guard index > begin else { throw unexpected() }
    }
}

/// The open brackets around a position, one bit each: deep input costs 64 bytes and no recursion.
struct NestingStack {
    /// How many brackets may be open at once; Foundation's parser draws the line at the same depth.
    static let limit = 512

    private var objects = InlineArray<8, UInt64>(repeating: 0)
    private(set) var depth = 0

    /// Opens a bracket; false at the limit.
    @inline(__always)
    mutating func push(isObject: Bool) -> Bool {
        guard depth < Self.limit else { return false }
        let bit: UInt64 = 1 << UInt64(depth & 63)
        if isObject { objects[depth >> 6] |= bit } else { objects[depth >> 6] &= ~bit }
        depth += 1
        return true
    }

    /// Closes the innermost bracket.
    @inline(__always)
    mutating func pop() { depth -= 1 }

    /// Whether the innermost open bracket is an object's; false when none is open.
    @inline(__always)
    var isInObject: Bool {
        guard depth > 0 else { return false }
        return objects[(depth - 1) >> 6] & (1 << UInt64((depth - 1) & 63)) != 0
    }
}

/// What a JSON value is, told by its first byte (RFC 8259 §3).
package enum JSONKind: Sendable, Equatable {
    case object, array, string, number, boolean, null
}

/// Why a text is not the JSON that a frame may hold, and where.
package struct ScanFault: Error, Equatable, Sendable {
    /// The rule that was broken.
    package enum Reason: String, Sendable {
        case unexpectedEnd = "unexpected end"
        case unexpectedByte = "unexpected byte"
        case controlCharacter = "control character in a string"
        case invalidEscape = "invalid escape"
        case loneSurrogate = "surrogate without its pair"
        case invalidUTF8 = "invalid UTF-8"
        case nestedTooDeep = "nested too deep"
        case notAnObject = "not an object"
    }

    package let reason: Reason
    /// Bytes from the start of the text.
    package let offset: Int
}

extension ScanFault: CustomStringConvertible {
    package var description: String { "\(reason.rawValue) at byte \(offset)" }
}
