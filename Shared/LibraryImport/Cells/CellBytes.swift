import BookIdentifiers
import Glibc

/// The UTF-8 bytes of a cell, accessed in place in its row.
///
/// Most cells can be read from their bytes: a number, a date, an ISBN, or text that needs no tidying. A value from ``number``, ``digit``, ``isbn`` or
/// ``day`` is exact; nil means that the cell's text must be created and read in full.
struct CellBytes {
    let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// An empty cell.
    init() { bytes = UnsafeBufferPointer(start: nil, count: 0) }

    /// Treats a string as a cell.
    @inline(__always)
    static func of<Result>(_ text: String, _ body: (CellBytes) -> Result) -> Result {
        var text = text
        return text.withUTF8 { body(CellBytes($0)) }
    }

    var isEmpty: Bool { bytes.isEmpty }
    var count: Int { bytes.count }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// A part of the cell.
    subscript(_ range: Range<Int>) -> CellBytes { CellBytes(UnsafeBufferPointer(rebasing: bytes[range])) }

    func contains(_ byte: UInt8) -> Bool { bytes.firstIndex(of: byte, from: 0) != nil }

    func contains(_ part: String) -> Bool {
        CellBytes.of(part) { part in
            guard let first = part.bytes.first else { return true }
            var start = 0
            while let place = bytes.firstIndex(of: first, from: start), place + part.count <= count {
                if part.equals(UnsafeBufferPointer(rebasing: bytes[place..<(place + part.count)])) { return true }
                start = place + 1
            }
            return false
        }
    }

    /// Whether the cell has exactly these bytes.
    func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let one = bytes.baseAddress, let two = other.baseAddress else { return true }
        return memcmp(one, two, count) == 0
    }

    // MARK: Text

    /// Whether the cell is certainly a tidy line of text, so ``CellText/line(_:)`` leaves it unchanged; it may be false for a tidy cell.
    var isTidy: Bool {
        var (index, previousIsSpace) = (0, true)
        let raw = UnsafeRawBufferPointer(bytes)
        while index &+ 8 <= count {
            let word = ByteWord(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            guard word.isTidyASCII else { break }
            let spaces = word.flags(of: UInt8(ascii: " "))
            if spaces & (spaces << 8 | (previousIsSpace ? 0x80 : 0)) != 0 { return false }
            previousIsSpace = spaces >> 63 == 1
            index &+= 8
        }
        while index < count {
            switch bytes[index] {
            case UInt8(ascii: " "):
                if previousIsSpace { return false }
                previousIsSpace = true
            // Control characters, `"`, `&`, `<`, `=`, and the first bytes of spaces outside ASCII (U+00A0, U+1680,
            // U+2000…, U+3000, U+FEFF).
            case 0..<0x20, 0x22, 0x26, 0x3C, 0x3D, 0x7F, 0xC2, 0xE1, 0xE2, 0xE3, 0xEF: return false
            default: previousIsSpace = false
            }
            index &+= 1
        }
        return bytes.isEmpty || !previousIsSpace
    }

    /// The parts between line breaks: Unicode newlines, with a carriage return and its line feed counting as one.
    var lines: [CellBytes] {
        var (lines, start, index) = ([CellBytes](), 0, 0)
        while index < count {
            let length = lengthOfLineEnd(at: index)
            if length > 0 {
                lines.append(self[start..<index])
                start = index + length
            }
            index += max(length, 1)
        }
        return lines + [self[start..<count]]
    }

    @inline(__always)
    private func lengthOfLineEnd(at index: Int) -> Int {
        switch bytes[index] {
        case 0x0A...0x0C: 1
        case 0x0D: index + 1 < count && bytes[index + 1] == 0x0A ? 2 : 1
        // U+0085, U+2028 and U+2029.
        case 0xC2: index + 1 < count && bytes[index + 1] == 0x85 ? 2 : 0
        case 0xE2: index + 2 < count && bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8 ? 3 : 0
        default: 0
        }
    }

    /// Whether the cell is `=""`, Goodreads' notation for a missing ISBN.
    var isEmptyFormula: Bool {
        count == 3 && bytes[0] == UInt8(ascii: "=") && bytes[1] == UInt8(ascii: "\"") && bytes[2] == UInt8(ascii: "\"")
    }

    var isASCII: Bool { UTF8Sequence.endOfASCII(bytes, from: 0) == count }

    /// A cell of the suite's own CSV without the apostrophe that prevents spreadsheets from evaluating it as a formula.
    var unguarded: CellBytes {
        let apostrophe = UInt8(ascii: "'")
        guard bytes.first == apostrophe else { return self }
        switch bytes.first(where: { $0 != apostrophe }) {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
            UInt8(ascii: "\r"):
            return CellBytes(UnsafeBufferPointer(rebasing: bytes[1...]))
        default: return self
        }
    }

    // MARK: Numbers

    /// The number in a cell of one to four digits.
    var number: Int? {
        guard (1...4).contains(count) else { return nil }
        return digits(0..<count)
    }

    /// The number in a cell that is a single digit.
    var digit: Int? { count == 1 ? CellNumber.digit(bytes[0]) : nil }

    /// Whether all bytes are digits; true for an empty cell.
    var isDigits: Bool { bytes.allSatisfy { $0.isASCIIDigit } }

    @inline(__always)
    private func digits(_ range: Range<Int>) -> Int? {
        var value = 0
        for index in range {
            guard let digit = CellNumber.digit(bytes[index]) else { return nil }
            value = value &* 10 &+ digit
        }
        return value
    }

    /// The ISBN in `9780439708180`, in `="9780439708180"`, or in the same forms with ten characters; nil for anything else, including the empty
    /// `=""`.
    var isbn: ISBN? {
        var inner = bytes
        if bytes.first == UInt8(ascii: "="), count > 3 { inner = UnsafeBufferPointer(rebasing: bytes[2..<(count - 1)]) }
        return inner.count == 13 || inner.count == 10 ? ISBN(written: inner) : nil
    }

    // MARK: Days

    /// The date in `2021/04/03` or `2021-04-03`, alone or before a time. Most dates in most files have one of these forms.
    var day: CellDate? {
        guard count >= 10, let year = digits(0..<4), let month = digits(5..<7), let day = digits(8..<10),
            bytes[4] == UInt8(ascii: "/") || bytes[4] == UInt8(ascii: "-"), bytes[7] == bytes[4]
        else { return nil }
        if count > 10 {
            // The rest must be a time and not another date.
            guard count >= 14, count <= 32, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
                digits(11..<13) != nil, bytes[13] == UInt8(ascii: ":"), !contains(UInt8(ascii: "|"))
            else { return nil }
        }
        return CellDate(year: year, month: month, day: day)
    }
}
