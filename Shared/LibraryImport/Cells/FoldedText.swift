/// Texts in the form in which headers and words of a vocabulary are compared: lower case, with one space for anything that is neither
/// a letter nor a digit.
package enum FoldedText {
    /// `Date d`entrée` is `date d entrée`, `Currently-Reading` is `currently reading`.
    package static func fold(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var spaceIsDue = false
        for byte in text.utf8 {
            guard byte < 0x80 else { return foldScalars(text) }
            let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) || CellNumber.digit(lower) != nil {
                if spaceIsDue { bytes.append(UInt8(ascii: " ")) }
                spaceIsDue = false
                bytes.append(lower)
            } else {
                spaceIsDue = !bytes.isEmpty
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func foldScalars(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var spaceIsDue = false
        for scalar in text.lowercased().unicodeScalars {
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || scalar.properties.generalCategory == .nonspacingMark
            {
                if spaceIsDue { result.append(" ") }
                spaceIsDue = false
                result.append(scalar)
            } else if scalar.properties.generalCategory != .format {
                spaceIsDue = !result.isEmpty
            }
        }
        return String(result)
    }
}
