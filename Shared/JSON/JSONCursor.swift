/// Walks over a JSON text and validates it against RFC 8259, without recursion and without building any values.
///
/// It is stricter than the RFC in two respects: nesting is limited, and an escaped lone surrogate is rejected (RFC 7493 §2.1), because no decoder can
/// turn it into a string. With `repairsStrings`, strings may contain lone surrogates and even invalid UTF-8. Numbers are checked for their grammar,
/// not for their size. The caller must keep `bytes` alive.
package struct JSONCursor {
    let bytes: UnsafeRawBufferPointer
    var index: Int
    /// Number of open brackets around the text; they count toward the depth limit.
    private let outerDepth: Int
    /// Whether strings may contain lone surrogates and invalid UTF-8, which are decoded as U+FFFD.
    private let repairsStrings: Bool

    init(
        _ bytes: UnsafeRawBufferPointer, at index: Int = 0, outerDepth: Int = 0, repairsStrings: Bool = false
    ) {
        self.bytes = bytes
        self.index = index
        self.outerDepth = outerDepth
        self.repairsStrings = repairsStrings
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

    /// Steps over a byte order mark at the start of the text, which a reader may ignore (RFC 8259 §8.1).
    mutating func skipByteOrderMark() {
        if index == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// Moves past `expected` if it is next.
    @inline(__always)
    mutating func skip(ifNext expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        index &+= 1
        return true
    }

    /// Checks that only white space follows.
    @inline(__always)
    mutating func finish() throws(JSONFault) {
        skipWhitespace()
        guard byte == nil else { throw fault(.afterValue) }
    }

    /// Checks that the text is exactly one value, and returns its kind.
    package static func validate(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) -> JSONKind {
        var cursor = JSONCursor(bytes)
        cursor.skipWhitespace()
        let kind = try cursor.skipValue()
        try cursor.finish()
        return kind
    }

    /// Steps over one value of any kind. The cursor must be at its first byte.
    mutating func skipValue() throws(JSONFault) -> JSONKind {
        guard let first = byte else { throw missing(.value) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return try skipScalar() }
        try skipContainer()
        return first == UInt8(ascii: "{") ? .object : .array
    }

    /// Steps over an array or object and everything in it. Each iteration of the loop begins at a value.
    private mutating func skipContainer() throws(JSONFault) {
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

    private mutating func open(_ nesting: inout NestingStack, isObject: Bool) throws(JSONFault) {
        guard nesting.depth + outerDepth < NestingStack.limit, nesting.push(isObject: isObject) else {
            throw fault(.nestedTooDeep)
        }
        index &+= 1
        skipWhitespace()
    }

    /// Closes the brackets that end here. If a bracket is still open, moves past the comma, and in an object past the key, to the next value.
    @inline(__always)
    private mutating func skipToNextValue(_ nesting: inout NestingStack) throws(JSONFault) {
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
                throw missing(nesting.isInObject ? .commaOrBrace : .commaOrBracket)
            }
        }
    }

    /// Steps over `"key" :` to the first byte of its value.
    @inline(__always)
    private mutating func skipKey() throws(JSONFault) {
        guard byte == UInt8(ascii: "\"") else { throw missing(.string) }
        _ = try skipString()
        skipWhitespace()
        guard skip(ifNext: UInt8(ascii: ":")) else { throw missing(.colon) }
        skipWhitespace()
    }

    func fault(_ reason: JSONFault.Reason) -> JSONFault { JSONFault(reason, at: index) }

    /// Returns the fault for an unexpected character here, or for the end of the text.
    func missing(_ token: JSONFault.Token) -> JSONFault {
        fault(index < bytes.count ? .expected(token) : .end(missing: token))
    }
}

// MARK: Scalars

extension JSONCursor {
    /// Steps over a string, a number or a literal word.
    @inline(__always)
    mutating func skipScalar() throws(JSONFault) -> JSONKind {
        switch byte {
        case UInt8(ascii: "\"")?:
            _ = try skipString()
            return .string
        case UInt8(ascii: "t")?:
            try skipWord("true")
            return .boolean
        case UInt8(ascii: "f")?:
            try skipWord("false")
            return .boolean
        case UInt8(ascii: "n")?:
            try skipWord("null")
            return .null
        case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?:
            try skipNumber()
            return .number
        default:
            throw missing(.value)
        }
    }

    private mutating func skipWord(_ word: StaticString) throws(JSONFault) {
        let end = index &+ word.utf8CodeUnitCount
        guard end <= bytes.count, bytes.equals(word, in: index..<end) else { throw fault(.unknownWord) }
        index = end
    }

    /// Steps over a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?` (RFC 8259 §6).
    private mutating func skipNumber() throws(JSONFault) {
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

    private mutating func skipDigits() throws(JSONFault) {
        let start = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
        guard index > start else { throw fault(.digitMissing) }
    }
}

// MARK: Strings

extension JSONCursor {
    /// Steps over a string and returns whether it has escapes. The cursor must be at its opening quote.
    mutating func skipString() throws(JSONFault) -> Bool {
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
                if repairsStrings { index &+= 1 } else { try skipMultibyteCharacter(lead: byte) }
            case let byte?:
                guard byte >= 0x20 else { throw fault(.controlCharacter) }
                index &+= 1
            case nil:
                throw fault(.endInString)
            }
        }
    }

    /// Steps over ASCII characters other than quotes, backslashes and control characters, eight bytes at a time. The last seven bytes of the text are
    /// left to the caller.
    ///
    /// Each of the four tests can wrongly flag only bytes above a byte that it flags correctly, so the lowest flag is always correct.
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

    /// Steps over an escape. A fault is reported at the backslash, except for missing hexadecimal digits and the end of the text.
    @inline(never)
    private mutating func skipEscape() throws(JSONFault) {
        let start = index
        index &+= 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index &+= 1
        case UInt8(ascii: "u"):
            let unit = try skipCodeUnit()
            guard 0xD800...0xDFFF ~= unit, !repairsStrings else { return }
            guard unit < 0xDC00, skip(ifNext: UInt8(ascii: "\\")), byte == UInt8(ascii: "u"),
                0xDC00...0xDFFF ~= (try skipCodeUnit())
            else { throw JSONFault(.loneSurrogate, at: start) }
        case nil:
            throw fault(.endInString)
        default:
            throw JSONFault(.unknownEscape, at: start)
        }
    }

    /// Steps over `uXXXX`. The cursor must be at the `u`.
    private mutating func skipCodeUnit() throws(JSONFault) -> UInt16 {
        index &+= 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte else { throw fault(.endInString) }
            guard let digit = JSONString.hexadecimalDigit(byte) else { throw fault(.hexadecimalDigits) }
            unit = unit << 4 | digit
            index &+= 1
        }
        return unit
    }

    /// Steps over one character of two to four bytes, which must not be overlong, a surrogate or above U+10FFFF (Unicode, table 3-7).
    @inline(never)
    private mutating func skipMultibyteCharacter(lead: UInt8) throws(JSONFault) {
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

    /// Checks that the text from the cursor to its end is UTF-8, in strings and elsewhere. Moves the cursor to the end.
    mutating func skipUTF8() throws(JSONFault) {
        while index < bytes.count {
            if index &+ 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index &+= 8
            } else if bytes[index] < 0x80 {
                index &+= 1
            } else {
                try skipMultibyteCharacter(lead: bytes[index])
            }
        }
    }
}

/// The open brackets around a position, one bit each. Deeply nested input therefore needs only 64 bytes and no recursion.
struct NestingStack {
    /// Maximum nesting depth; Foundation's parser has the same limit.
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
