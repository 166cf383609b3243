/// Folds strings for comparing headers and vocabulary words: lower case, with a single space between the sequences of letters, digits and combining
/// marks.
package enum FoldedText {
    /// `Date d'entrée` becomes `date d entrée`, and `Currently-Reading` becomes `currently reading`.
    package static func fold(_ text: String) -> String {
        CellBytes.of(text) { cell in
            var isASCII = true
            let folded = String(unsafeUninitializedCapacity: cell.count) { bytes in
                guard let count = fold(cell, into: bytes) else {
                    isASCII = false
                    return 0
                }
                return count
            }
            return isASCII ? folded : foldScalars(text)
        }
    }

    /// Adds the folded text to a hash; for ASCII, no string is created. Returns whether the folded text is not empty.
    static func hash(_ text: CellBytes, into hasher: inout Hasher) -> Bool {
        let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { bytes -> Int? in
            guard let count = fold(text, into: bytes) else { return nil }
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count]))
            // Marks the end of the text with a byte that no text contains.
            hasher.combine(0xFF as UInt8)
            return count
        }
        if let count { return count > 0 }
        let folded = foldScalars(text.text)
        if folded.utf8.allSatisfy({ $0 < 0x80 }) { return CellBytes.of(folded) { hash($0, into: &hasher) } }
        hasher.combine(folded)
        return true
    }

    /// Folds an ASCII string and returns the folded length; nil for other strings.
    private static func fold(_ cell: CellBytes, into folded: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        var (count, spaceIsDue) = (0, false)
        for byte in cell.bytes {
            guard byte < 0x80 else { return nil }
            if byte.isASCIILetter || byte.isASCIIDigit {
                if spaceIsDue {
                    folded[count] = UInt8(ascii: " ")
                    count &+= 1
                }
                spaceIsDue = false
                // Digits already have the bit that distinguishes small letters.
                folded[count] = byte | 0x20
                count &+= 1
            } else {
                spaceIsDue = count > 0
            }
        }
        return count
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

    /// Folded text without nonspacing marks, and with plain Latin letters: `nazev knihy` for `název knihy`.
    package static func withoutMarks(_ folded: String) -> String {
        guard folded.utf8.contains(where: { $0 >= 0x80 }) else { return folded }
        var result = ""
        for scalar in folded.unicodeScalars where scalar.properties.generalCategory != .nonspacingMark {
            result += letter(of: scalar) ?? String(scalar)
        }
        return result
    }

    /// The letter in `LATIN SMALL LETTER E WITH ACUTE`; nil for any other kind of character.
    private static func letter(of scalar: Unicode.Scalar) -> String? {
        guard !scalar.isASCII, let words = scalar.properties.name?.split(separator: " "), words.count >= 4,
            words[0] == "LATIN", words[2] == "LETTER", words[3].count <= 2
        else { return nil }
        return words[3].lowercased()
    }
}
