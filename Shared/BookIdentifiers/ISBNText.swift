/// The characters of a string that may be an ISBN, without separators, prefixes and spreadsheet quoting.
struct ISBNText {
    /// The characters in ASCII and upper case, in order; any without an ASCII form become `foreign`, so the text is rejected.
    private(set) var characters: [UInt8] = []
    /// Whether spaces or dashes follow a digit and precede another character.
    private(set) var hadSeparators = false

    /// Stands for a character without an ASCII form, which no ISBN contains.
    private static let foreign = UInt8(ascii: "?")

    init(_ text: String) {
        characters.reserveCapacity(20)
        var separatorPending = false
        for scalar in text.unicodeScalars {
            if scalar.isISBNSeparator {
                separatorPending = true
            } else {
                hadSeparators = hadSeparators || (separatorPending && characters.last?.isDigit == true)
                separatorPending = false
                characters.append(scalar.foldedForISBN ?? Self.foreign)
            }
        }
        stripSpreadsheetQuoting()
        stripPrefix()
    }

    /// Whether the text is a mantissa, an `E` and an exponent.
    var isScientificNotation: Bool {
        guard let exponent = characters.lastIndex(of: UInt8(ascii: "E")), exponent > 0 else { return false }
        let power = characters[characters.index(after: exponent)...].drop { $0 == UInt8(ascii: "+") }
        let mantissa = characters[..<exponent]
        let isPoint: (UInt8) -> Bool = { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        return !power.isEmpty && power.allSatisfy(\.isDigit) && mantissa[0].isDigit
            && mantissa.allSatisfy { $0.isDigit || isPoint($0) }
    }

    /// The ISBNs in a string that need no repair, in order. An ISBN may contain spaces; the longest one that starts at a group of digits is used.
    static func numbers(in text: String) -> [ParsedISBN] {
        let runs = text.unicodeScalars.split { scalar in
            guard !scalar.isISBNSeparator else { return false }
            return scalar.foldedForISBN.map { !$0.isDigit && $0 != UInt8(ascii: "X") } ?? true
        }
        return runs.flatMap { run in
            numbers(
                of: run.split(whereSeparator: \.properties.isWhitespace).map { String(String.UnicodeScalarView($0)) })
        }
    }

    private static func numbers(of groups: [String]) -> [ParsedISBN] {
        /// Maximum number of groups in an ISBN written with spaces.
        let maxGroups = 5
        var numbers: [ParsedISBN] = []
        var start = 0
        while start < groups.count {
            let ends = (start + 1...min(start + maxGroups, groups.count)).reversed()
            let found = ends.lazy.compactMap { end -> (end: Int, number: ParsedISBN)? in
                let text = groups[start..<end].joined()
                guard let number = try? ISBN.parse(text), number.repair == nil else { return nil }
                return (end, number)
            }.first
            if let found { numbers.append(found.number) }
            start = found?.end ?? start + 1
        }
        return numbers
    }

    /// Removes Excel's `="…"`, which preserves leading zeros.
    private mutating func stripSpreadsheetQuoting() {
        guard characters.count >= 3, characters.starts(with: "=\"".utf8), characters.last == UInt8(ascii: "\"") else {
            return
        }
        characters = Array(characters[2..<(characters.count - 1)])
    }

    private mutating func stripPrefix() {
        drop("URN:")
        guard drop("ISBN") else { return }
        dropPunctuation()
        stripFormLabel()
        dropPunctuation()
    }

    /// Removes the 10 or 13 in `ISBN-13: …`, which is part of a label only if punctuation or a complete number follows.
    private mutating func stripFormLabel() {
        guard characters.starts(with: "10".utf8) || characters.starts(with: "13".utf8) else { return }
        let hasColon = characters.count > 2 && !characters[2].isDigit
        if hasColon || [11, 12, 15].contains(characters.count) { characters.removeFirst(2) }
    }

    @discardableResult
    private mutating func drop(_ prefix: String) -> Bool {
        guard characters.starts(with: prefix.utf8) else { return false }
        characters.removeFirst(prefix.utf8.count)
        return true
    }

    private mutating func dropPunctuation() {
        characters = Array(characters.drop { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII digit.
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

extension Unicode.Scalar {
    /// Whether this is a space, a dash of any script, or an invisible mark that web pages and spreadsheets leave in copied text.
    fileprivate var isISBNSeparator: Bool {
        if isASCII { return self == "-" || self == " " || (9...13).contains(value) }
        return properties.isWhitespace || properties.generalCategory == .dashPunctuation || self == "\u{2212}"
            || properties.generalCategory == .format
    }

    /// The upper-case ASCII counterpart; nil if there is none. Full-width forms (U+FF01…U+FF5E) have a fixed offset from ASCII.
    fileprivate var foldedForISBN: UInt8? {
        let folded = (0xFF01...0xFF5E).contains(value) ? value - 0xFEE0 : value
        guard let ascii = UInt8(exactly: folded), ascii < 0x80 else { return nil }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(ascii) ? ascii - 32 : ascii
    }
}
