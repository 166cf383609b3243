/// The searches for a spine: at most two, each with few words. Providers require every word, so a single misread word ruins a search, while a few
/// correct words find the work.
package enum SpineSearch {
    /// Maximum number of words in one search.
    private static let maxWords = 3
    /// Minimum number of letters in the chosen words; if they have fewer, or there is only one word, words from further lines are added.
    private static let minLetters = 8
    private static let maxResults = 40

    /// The first search and, if there is one, the second.
    package static func terms(_ spine: SpineText) -> [SearchTerms] {
        guard let first = first(spine) else { return [] }
        return [first] + [second(spine)].compactMap(\.self)
    }

    /// The longest words of the longest line, and of further lines if that line's words are few or short.
    ///
    /// - Returns: nil if the spine has only publishers, printings, praise, numbers and single characters.
    package static func first(_ spine: SpineText) -> SearchTerms? { terms(firstWords(spine)) }

    /// Words other than those of the first search, because its words may be misread or belong to a subtitle that catalogs omit. If there are no
    /// others, the words of the first search without the longest one.
    ///
    /// - Returns: nil if no words are left.
    package static func second(_ spine: SpineText) -> SearchTerms? {
        let asked = firstWords(spine)
        let others = telling(spine).flatMap(\.self).filter { !asked.contains($0) }
        if !others.isEmpty { return terms(Array(longest(others).prefix(2))) }
        // The longest word is the most likely to be misread.
        return asked.count > 1 ? terms(Array(longest(asked).dropFirst())) : nil
    }

    private static func firstWords(_ spine: SpineText) -> [String] {
        var chosen: [String] = []
        let lines = telling(spine).sorted { letters($0) > letters($1) }
        for line in lines where chosen.count < maxWords {
            if chosen.count > 1, letters(chosen) >= minLetters { break }
            chosen += longest(line).filter { !chosen.contains($0) }.prefix(maxWords - chosen.count)
        }
        return chosen
    }

    /// The distinctive words of each line; if there are none, all words of two or more characters except publishers, printings, praise and numbers.
    private static func telling(_ spine: SpineText) -> [[String]] {
        let lines = spine.lines.map { line in
            line.filter { word in
                let folded = MatchKey.words(word)
                return word.count > 2 && folded.allSatisfy { TitleWords.tells($0) && !SpineNoise.contains($0) }
            }
        }.filter { !$0.isEmpty }
        guard lines.isEmpty else { return lines }
        return spine.lines.map { line in
            line.filter { word in word.count > 1 && !MatchKey.words(word).contains(where: SpineNoise.contains) }
        }.filter { !$0.isEmpty }
    }

    private static func letters(_ words: [String]) -> Int { words.reduce(0) { $0 + $1.count } }

    private static func longest(_ words: [String]) -> [String] { words.sorted { $0.count > $1.count } }

    private static func terms(_ words: [String]) -> SearchTerms? {
        words.isEmpty ? nil : SearchTerms(.words(words.joined(separator: " ")), limit: maxResults)
    }
}
