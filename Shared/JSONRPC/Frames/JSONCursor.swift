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
