/// Plus and number signs that are part of a word of one letter: "C++", "C#", "A+". Others are punctuation: signs after longer words, a single sign
/// before a cased letter or a digit ("A+B", "B#1"), and several signs other than "++".
enum WordSigns {
    static func isSign(_ scalar: Unicode.Scalar) -> Bool { scalar == "+" || scalar == "#" || scalar == sharp }

    /// Library catalogs write "C♯" for "C#".
    private static let sharp: Unicode.Scalar = "♯"

    /// Whether a byte is a sign or, like the first byte of "♯" in UTF-8, may begin one.
    private static func mayBeginSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "#") || byte == 0xE2
    }

    /// The text with a space in place of signs that are punctuation, and after signs that are part of words.
    static func separated(_ text: String) -> String {
        // Most texts have no sign, and bytes are read faster than scalars.
        guard text.utf8.contains(where: mayBeginSign), text.unicodeScalars.contains(where: isSign) else { return text }
        var separated = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard isSign(scalar) else {
                separated.append(scalar)
                continue
            }
            let signs = [scalar] + rest.prefix(while: isSign)
            rest = rest.dropFirst(signs.count - 1)
            // A script without letter case, as in "C#入門", has no spaces that would show where a word ends.
            let isBeforeWord = rest.first.map { $0.properties.isCased || $0.properties.numericType != nil } == true
            let arePart = (signs.count == 1 && !isBeforeWord) || signs == ["+", "+"]
            if arePart, endsInSingleLetter(separated) {
                separated.append(contentsOf: signs.map { $0 == sharp ? "#" : $0 })
            }
            separated.append(" ")
        }
        return String(separated)
    }

    /// Whether text ends with a word of one letter.
    static func endsInSingleLetter(_ text: String.UnicodeScalarView) -> Bool {
        guard text.last?.properties.isAlphabetic == true else { return false }
        return text.dropLast().last?.isWordLetter != true
    }

    /// The words with spelled-out signs replaced by signs: "c plus plus" becomes "c++", "c sharp" becomes "c#". "A sharp" stays, because it may be an
    /// article and an adjective.
    static func joined(_ words: [String]) -> [String] {
        guard words.contains(where: { $0 == "plus" || $0 == "sharp" }) else { return words }
        var joined: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            let isLetter = word.unicodeScalars.count == 1 && endsInSingleLetter(word.unicodeScalars)
            if isLetter, rest.starts(with: ["plus", "plus"]) {
                joined.append(word + "++")
                rest = rest.dropFirst(2)
            } else if isLetter, word != "a", rest.first == "sharp" {
                joined.append(word + "#")
                rest = rest.dropFirst()
            } else {
                joined.append(word)
            }
        }
        return joined
    }
}

extension Unicode.Scalar {
    /// Whether this character is a letter or part of a number.
    var isWordLetter: Bool { properties.isAlphabetic || properties.numericType != nil }
}
