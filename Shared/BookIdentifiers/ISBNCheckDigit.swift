/// The check digits of ISO 2108: modulo 11 over ten characters, modulo 10 with weights 1 and 3 over thirteen.
enum ISBNCheckDigit {
    /// The tenth character for nine ASCII digits: `0`…`9` or `X`.
    static func forISBN10(stem: some Sequence<UInt8>) -> Unicode.Scalar {
        var sum = 0
        for (index, digit) in stem.enumerated() {
            sum += (10 - index) * Int(digit - UInt8(ascii: "0"))
        }
        let check = (11 - sum % 11) % 11
        return check == 10 ? "X" : Unicode.Scalar(UInt8(ascii: "0") + UInt8(check))
    }

    /// The thirteenth digit for twelve ASCII digits.
    static func forISBN13(stem: some Sequence<UInt8>) -> Unicode.Scalar {
        var sum = 0
        for (index, digit) in stem.enumerated() {
            sum += (index.isMultiple(of: 2) ? 1 : 3) * Int(digit - UInt8(ascii: "0"))
        }
        return Unicode.Scalar(UInt8(ascii: "0") + UInt8((10 - sum % 10) % 10))
    }
}
