/// An International Standard Book Number with a valid check digit.
///
/// The 10- and 13-digit forms of a number are the same value: `ISBN.parse("0306406152").isbn` equals `ISBN.parse("978-0-306-40615-7").isbn`. An ISBN
/// is encoded as its 13 digits. The rules are those of ISO 2108 and metadata.md "ISBN".
public struct ISBN: Hashable, Sendable {
    /// The thirteen digits as a number, always 978… or 979….
    public let value: UInt64

    /// Creates an ISBN from thirteen digits. The caller has verified the prefix and the check digit.
    init(verified value: UInt64) {
        self.value = value
    }

    /// Parses a number that needs no repair; `nil` for anything else.
    ///
    /// This is intended for identifiers from providers, where a repair would be a guess. Unlike this initializer, `parse(_:)` throws the reason for a
    /// failure.
    public init?(_ text: String) {
        guard let parsed = try? ISBN.parse(text), parsed.repair == nil else { return nil }
        self = parsed.isbn
    }

    /// Parses ten or thirteen ASCII characters without separators, the most common form; `nil` for anything else.
    ///
    /// Faster than `init(_:)`; the prefix and the check digit are verified in the same way.
    public init?(written characters: UnsafeBufferPointer<UInt8>) {
        guard let last = characters.last, characters.count == 10 || characters.count == 13 else { return nil }
        // Computes the ISBN-13 checksum both of these digits and of 978 followed by these digits; the weighted sum of 978 is 38.
        var (value, sum, sumBehindPrefix, sum10): (UInt64, Int, Int, Int) = (0, 0, 38, 0)
        let count = characters.count - 1
        for index in 0..<count {
            guard characters[index].isDigit else { return nil }
            let digit = Int(characters[index] - UInt8(ascii: "0"))
            let isEven = index & 1 == 0
            value = value &* 10 &+ UInt64(digit)
            sum &+= isEven ? digit : 3 &* digit
            sumBehindPrefix &+= isEven ? 3 &* digit : digit
            sum10 &+= digit &* (10 &- index)
        }
        switch count {
        case 12:
            let isBook = value / 1_000_000_000 == 978 || (value / 1_000_000_000 == 979 && value / 100_000_000 != 9_790)
            guard isBook, last.isDigit, (sum + Int(last - UInt8(ascii: "0"))).isMultiple(of: 10) else { return nil }
            self.value = value * 10 + UInt64(last - UInt8(ascii: "0"))
        case 9:
            let isTen = last == UInt8(ascii: "X") || last == UInt8(ascii: "x")
            guard isTen || last.isDigit, (sum10 + (isTen ? 10 : Int(last - UInt8(ascii: "0")))).isMultiple(of: 11)
            else {
                return nil
            }
            self.value = (978_000_000_000 + value) * 10 + UInt64((10 - sumBehindPrefix % 10) % 10)
        default: return nil
        }
    }

    /// The thirteen digits without hyphens.
    public var isbn13: String {
        String(unsafeUninitializedCapacity: 13) { digits in
            var rest = value
            for place in stride(from: 12, through: 0, by: -1) {
                digits[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            return 13
        }
    }

    /// The ten characters without hyphens; `nil` for numbers that begin with 979, which have no ISBN-10.
    public var isbn10: String? {
        guard value < 979_000_000_000_0 else { return nil }
        return String(unsafeUninitializedCapacity: 10) { characters in
            var (rest, sum) = ((value / 10) % 1_000_000_000, 0)
            for place in stride(from: 8, through: 0, by: -1) {
                characters[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                sum += (10 - place) * Int(rest % 10)
                rest /= 10
            }
            let check = UInt8((11 - sum % 11) % 11)
            characters[9] = check == 10 ? UInt8(ascii: "X") : UInt8(ascii: "0") + check
            return 10
        }
    }

    /// The ISBN-13 and, if there is one, the ISBN-10.
    public var forms: [String] { [isbn13] + (isbn10.map { [$0] } ?? []) }
}

extension ISBN: Comparable {
    /// Compares the thirteen digits.
    public static func < (lhs: ISBN, rhs: ISBN) -> Bool { lhs.value < rhs.value }
}

extension ISBN: CustomStringConvertible {
    /// The thirteen digits.
    public var description: String { isbn13 }
}

extension ISBN: Codable {
    /// Decodes any form that needs no repair.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the text is not an ISBN, or is one only after a repair.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let isbn = ISBN(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISBN")
        }
        self = isbn
    }

    /// Encodes the thirteen digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(isbn13)
    }
}

/// The check digits of ISO 2108: modulo 11 for ten characters, modulo 10 with weights 1 and 3 for thirteen.
enum ISBNCheckDigit {
    /// The check digit that follows nine ASCII digits: `0`…`9` or `X`.
    static func forISBN10(stem: some Sequence<UInt8>) -> Unicode.Scalar {
        var sum = 0
        for (index, digit) in stem.enumerated() {
            sum += (10 - index) * Int(digit - UInt8(ascii: "0"))
        }
        let check = (11 - sum % 11) % 11
        return check == 10 ? "X" : Unicode.Scalar(UInt8(ascii: "0") + UInt8(check))
    }

    /// The check digit that follows twelve ASCII digits.
    static func forISBN13(stem: some Sequence<UInt8>) -> Unicode.Scalar {
        var sum = 0
        for (index, digit) in stem.enumerated() {
            sum += (index.isMultiple(of: 2) ? 1 : 3) * Int(digit - UInt8(ascii: "0"))
        }
        return Unicode.Scalar(UInt8(ascii: "0") + UInt8((10 - sum % 10) % 10))
    }
}
