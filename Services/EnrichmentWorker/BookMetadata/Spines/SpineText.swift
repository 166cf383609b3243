/// The words on a book's spine as read by an engine: title, author and publisher in any order, some misread, some without spaces between them. Which
/// words are the title is decided by the providers' answers (``SpineMatch``), never by a guess.
package struct SpineText: Sendable {
    /// Maximum number of characters from a spine.
    private static let longest = 500

    /// The words of each line in their original spelling, without surrounding punctuation; long joined words are split.
    let lines: [[String]]
    /// The folded words of all lines, with numbers in digits.
    let words: [String]
    /// The folded words without spaces, because engines drop and add spaces.
    let letters: [Unicode.Scalar]
    /// The positions in ``letters`` at which words begin and end.
    let boundaries: Set<Int>

    /// - Parameter text: The lines of text on a spine, separated by line feeds.
    package init(_ text: String) {
        let texts = text.prefix(Self.longest).split(whereSeparator: \.isNewline).map { line in
            Self.splitAtCaseChanges(String(line))
        }
        lines = texts.map(QueryWords.words).filter { !$0.isEmpty }
        // Number signs on spines do not count issues: "#1 Bestseller".
        words = TitleWords.folded(WordSigns.separated(texts.joined(separator: " ")))
        var letters: [Unicode.Scalar] = []
        var boundaries: Set<Int> = [0]
        for word in words {
            letters += word.unicodeScalars
            boundaries.insert(letters.count)
        }
        (self.letters, self.boundaries) = (letters, boundaries)
    }

    /// Splits words that were joined: "ExtremeValueTheory" is three words, and "TerryPratchett" is two. Shorter words, such as "JavaScript", are just
    /// as often names, so they are not split.
    private static func splitAtCaseChanges(_ line: String) -> String {
        line.split(separator: " ").map { word in
            var parts: [String] = []
            for letter in word {
                if letter.isUppercase, parts.last?.last?.isLowercase == true || parts.isEmpty {
                    parts.append(String(letter))
                } else if parts.isEmpty {
                    parts = [String(letter)]
                } else {
                    parts[parts.count - 1].append(letter)
                }
            }
            let (shortest, fewest) = parts.count > 2 ? (2, 9) : (3, 13)
            let areWords = parts.count > 1 && word.count >= fewest && parts.allSatisfy { $0.count >= shortest }
            return areWords ? parts.joined(separator: " ") : String(word)
        }.joined(separator: " ")
    }
}
