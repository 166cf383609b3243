extension ISBN {
    /// Minimum length of an ISBN-10 that lost its leading zeros. A shorter number is usually something else, and its check digit is correct by chance
    /// in one of eleven cases.
    private static let minDigitsToRepair = 7

    /// Maximum length of a string that is parsed, in bytes; a longer one is not a single number.
    private static let maxTextLength = 256

    /// Parses a number as people, spreadsheets and providers write it (metadata.md "ISBN").
    ///
    /// Accepted without repair: hyphens, dashes, spaces and invisible marks, prefixes such as `ISBN-13:` and `urn:isbn:`, full-width digits, a
    /// lower-case `x`, and Excel's `="…"`. Repaired: leading zeros dropped by a spreadsheet, and nine-character SBNs, both only if the check digit
    /// is then correct.
    ///
    /// - Throws: `ISBNError`, the reason why the text is not an ISBN.
    public static func parse(_ text: String) throws(ISBNError) -> ParsedISBN {
        guard text.utf8.count <= maxTextLength else { throw .wrongLength(text.utf8.count) }
        let reading = ISBNText(text)
        guard !reading.isScientificNotation else { throw .scientificNotation }
        let characters = reading.characters
        guard !characters.isEmpty else { throw .empty }
        guard characters.dropLast().allSatisfy(\.isDigit), let last = characters.last else { throw .wrongCharacters }
        guard last.isDigit || (last == UInt8(ascii: "X") && characters.count <= 10) else { throw .wrongCharacters }
        switch characters.count {
        case 13:
            return ParsedISBN(isbn: try fromISBN13(characters), form: .isbn13, repair: nil)
        case 10:
            guard let isbn = fromISBN10(characters) else { throw .wrongCheckDigit }
            return ParsedISBN(isbn: isbn, form: .isbn10, repair: nil)
        default:
            return try repair(characters, hadSeparators: reading.hadSeparators)
        }
    }

    /// Parses a cell of a book list: a single number, or the first valid number among words ("0306406152 (pbk.)") or other numbers ("0306406152;
    /// 9780306406157"). Lists usually state the intended printing first; the other numbers are ignored.
    ///
    /// - Throws: `ISBNError` for the whole text if no ISBN is found.
    public static func parse(cell text: String) throws(ISBNError) -> ParsedISBN {
        do throws(ISBNError) {
            return try parse(text)
        } catch {
            guard text.utf8.count <= maxTextLength, let first = ISBNText.numbers(in: text).first else { throw error }
            return ParsedISBN(isbn: first.isbn, form: first.form, repair: .partOfCell)
        }
    }

    private static func fromISBN13(_ digits: [UInt8]) throws(ISBNError) -> ISBN {
        let value = number(digits)
        guard value / 10_000_000_000 == 978 || value / 10_000_000_000 == 979, value / 1_000_000_000 != 9790 else {
            throw .wrongPrefix
        }
        guard ISBNCheckDigit.forISBN13(stem: digits.dropLast()).value == UInt32(digits[12]) else {
            throw .wrongCheckDigit
        }
        return ISBN(verified: value)
    }

    private static func fromISBN10(_ characters: [UInt8]) -> ISBN? {
        let stem = characters.dropLast()
        guard ISBNCheckDigit.forISBN10(stem: stem).value == UInt32(characters[9]) else { return nil }
        let stem13 = Array("978".utf8) + stem
        let check = ISBNCheckDigit.forISBN13(stem: stem13).value - 48
        return ISBN(verified: number(stem13) * 10 + UInt64(check))
    }

    /// Restores the leading zeros of a short number. A spreadsheet drops all leading zeros of a bare number, so the remaining number starts with a
    /// digit other than zero. A short number with separators or a leading zero was typed by a person, so it is repaired only if it is a
    /// nine-character SBN.
    private static func repair(_ characters: [UInt8], hadSeparators: Bool) throws(ISBNError) -> ParsedISBN {
        let missing = 10 - characters.count
        guard missing > 0, characters.count >= minDigitsToRepair else { throw .wrongLength(characters.count) }
        let isBareNumber = !hadSeparators && characters[0] != UInt8(ascii: "0")
        guard isBareNumber || missing == 1,
            let isbn = fromISBN10([UInt8](repeating: UInt8(ascii: "0"), count: missing) + characters)
        else { throw .wrongLength(characters.count) }
        return ParsedISBN(isbn: isbn, form: .isbn10, repair: isBareNumber ? .lostLeadingZeros(count: missing) : .sbn)
    }

    private static func number(_ digits: some Sequence<UInt8>) -> UInt64 {
        digits.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
    }
}

/// The result of parsing: the number, its written form, and its repair (metadata.md "ISBN").
public struct ParsedISBN: Hashable, Sendable {
    /// The number.
    public let isbn: ISBN
    /// The written form of the text, after any repair.
    public let form: ISBNForm
    /// The repair; `nil` if none was needed.
    public let repair: ISBNRepair?
}

/// The two written forms of an ISBN.
public enum ISBNForm: String, Hashable, Sendable {
    /// Nine digits and a check character that may be `X`; in use until 2007.
    case isbn10
    /// Thirteen digits beginning with 978 or 979.
    case isbn13
}

/// A repair that turns a string into a valid number; the check digit confirms the result (metadata.md "ISBN").
public enum ISBNRepair: Hashable, Sendable {
    /// A spreadsheet treated an ISBN-10 as a number and dropped this many leading zeros.
    case lostLeadingZeros(count: Int)
    /// A nine-character Standard Book Number, the British form before ISO 2108; a leading zero makes it an ISBN-10.
    case sbn
    /// The cell also contained words or other numbers; this is its first valid number.
    case partOfCell

    /// A stable name, for example `lost_leading_zeros`.
    public var name: String {
        switch self {
        case .lostLeadingZeros: "lost_leading_zeros"
        case .sbn: "sbn"
        case .partOfCell: "part_of_cell"
        }
    }

    /// The repair in a sentence, for users.
    public var sentence: String {
        switch self {
        case .lostLeadingZeros(count: 1): "One lost leading zero was restored."
        case .lostLeadingZeros(let count): "\(count) lost leading zeros were restored."
        case .sbn: "The nine-digit SBN was completed to an ISBN-10 with a leading zero."
        case .partOfCell: "The first valid number was used; the rest of the text was ignored."
        }
    }
}

/// Why a string is not an ISBN.
public enum ISBNError: Error, Hashable, Sendable {
    /// The text is empty, apart from spaces, dashes and prefixes.
    case empty
    /// A spreadsheet rounded the number, for example to `9.78031E+12`; the missing digits are unknown.
    case scientificNotation
    /// A character is neither a digit nor the final `X` of an ISBN-10.
    case wrongCharacters
    /// The text has neither 10 nor 13 characters and cannot be repaired. The value is the number of characters; for a text that is too long to be a
    /// number, the number of bytes.
    case wrongLength(Int)
    /// The thirteen digits do not begin with 978 or 979, or they begin with 979-0, which denotes printed music.
    case wrongPrefix
    /// The length is right, but the check digit does not match: at least one character is wrong.
    case wrongCheckDigit

    /// A stable name, for example `wrong_length`.
    public var name: String {
        switch self {
        case .empty: "empty"
        case .scientificNotation: "scientific_notation"
        case .wrongCharacters: "wrong_characters"
        case .wrongLength: "wrong_length"
        case .wrongPrefix: "wrong_prefix"
        case .wrongCheckDigit: "wrong_check_digit"
        }
    }

    /// The reason in a sentence, for users.
    public var sentence: String {
        switch self {
        case .empty: "The ISBN is empty."
        case .scientificNotation:
            "The ISBN was rounded to scientific notation by a spreadsheet; its last digits are lost."
        case .wrongCharacters: "The ISBN contains characters other than digits and a final X."
        case .wrongLength(let count): "An ISBN has 10 or 13 digits, not \(count)."
        case .wrongPrefix: "A 13-digit ISBN begins with 978 or 979 (979-0 is for printed music)."
        case .wrongCheckDigit: "The ISBN's check digit does not match its other digits."
        }
    }
}

extension ISBNError: CustomStringConvertible {
    /// The same as `sentence`.
    public var description: String { sentence }
}
