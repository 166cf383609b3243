/// Why a text is no ISBN.
package enum ISBNError: Error, Hashable, Sendable {
    /// Nothing is left when spaces, dashes and prefixes are taken away.
    case empty
    /// A spreadsheet's rounded number such as `9.78031E+12`: the missing digits cannot be known.
    case scientificNotation
    /// A character that no ISBN has, or an `X` before the end.
    case wrongCharacters
    /// Neither 10 nor 13 characters, and no repair leads to 10.
    case wrongLength(Int)
    /// Thirteen digits that do not begin with 978 or 979, or begin with 979-0, which numbers printed music.
    case wrongPrefix
    /// Right length, wrong sum: at least one digit is mistyped.
    case wrongCheckDigit

    /// A stable name for reports and tables.
    package var name: String {
        switch self {
        case .empty: "empty"
        case .scientificNotation: "scientific_notation"
        case .wrongCharacters: "wrong_characters"
        case .wrongLength: "wrong_length"
        case .wrongPrefix: "wrong_prefix"
        case .wrongCheckDigit: "wrong_check_digit"
        }
    }

    /// What is wrong, in a sentence for the person who gave the text.
    package var sentence: String {
        switch self {
        case .empty: "The ISBN is empty."
        case .scientificNotation:
            "The ISBN was rounded to scientific notation by a spreadsheet; its last digits are lost."
        case .wrongCharacters: "The ISBN contains characters other than digits and a final X."
        case .wrongLength(let count): "An ISBN has 10 or 13 digits, not \(count)."
        case .wrongPrefix: "A 13-digit ISBN begins with 978 or 979 (979-0 is printed music)."
        case .wrongCheckDigit: "The ISBN's check digit does not fit its other digits."
        }
    }
}

extension ISBNError: CustomStringConvertible {
    package var description: String { sentence }
}
