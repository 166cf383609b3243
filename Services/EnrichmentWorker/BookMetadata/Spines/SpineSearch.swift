/// The searches for a spine: at most two, each with few words. Providers require every word, so a single misread word ruins a search, while a few
/// correct words find the work.
package enum SpineSearch {
    /// Maximum number of words in one search.
    private static let maxWords = 3
    /// Minimum number of letters in the chosen words; if they have fewer, or there is only one word, words from further lines are added.
    private static let minLetters = 8
    private static let maxResults = 40
    /// Maximum number of digits in a number that may be a title; longer ones are parts of barcodes.
    private static let maxDigits = 4

    /// The first search and, if there is one, the second; none if the spine has no words to search for.
    package static func terms(_ spine: SpineText) -> [SearchTerms] {
        guard let first = first(spine) else { return [] }
        return [first] + [second(spine)].compactMap(\.self)
    }

    /// The longest words of the longest line, and of further lines if that line's words are few or short.
    ///
    /// - Returns: nil if the spine has only single characters, words that do not help to identify a work (``SpineNoise``), and numbers that cannot be
    ///   its title.
    package static func first(_ spine: SpineText) -> SearchTerms? { terms(firstWords(spine)) }

    /// Up to two words other than those of the first search, because its words may be misread or belong to a subtitle that catalogs omit. If there are
    /// no others, the words of the first search without the longest one.
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

    /// The distinctive words of each line; if no line has any, all words of two or more characters except those in ``SpineNoise``; if there are none of
    /// these either, the number that may be the title.
    private static func telling(_ spine: SpineText) -> [[String]] {
        let lines = withoutCounts(spine.lines)
        let distinctive = lines.map { $0.filter(isDistinctive) }.filter { !$0.isEmpty }
        guard distinctive.isEmpty else { return distinctive }
        let others = lines.map { line in
            line.filter { word in word.count > 1 && !MatchKey.words(word).contains(where: SpineNoise.contains) }
        }.filter { !$0.isEmpty }
        guard others.isEmpty else { return others }
        return titleNumber(spine).map { [[$0]] } ?? []
    }

    /// Whether a word distinguishes books. A number in it, as in "Catch-22", makes no difference.
    private static func isDistinctive(_ word: String) -> Bool {
        let folded = MatchKey.words(word).filter { !Numeral.isNumber($0) }
        return word.count > 2 && !folded.isEmpty
            && folded.allSatisfy { TitleWords.tells($0) && !SpineNoise.contains($0) }
    }

    /// The lines without the numbers of volumes and editions, which may be broken over two lines. Catalogs write them differently, so a search must
    /// not require them.
    private static func withoutCounts(_ lines: [[String]]) -> [[String]] {
        let words = lines.flatMap(\.self)
        let counts = words.indices.dropLast().filter { SpineNoise.areCount(words[$0], words[$0 + 1]) }
        let omitted = Set(counts + counts.map { $0 + 1 })
        var start = 0
        return lines.map { line in
            defer { start += line.count }
            return line.indices.filter { !omitted.contains(start + $0) }.map { line[$0] }
        }
    }

    /// The only number on the spine, if it is too large to count volumes: "1984". Several numbers belong to a call number: "813.54".
    private static func titleNumber(_ spine: SpineText) -> String? {
        let numbers = spine.lines.flatMap(\.self).filter(Numeral.isNumber)
        guard numbers.count == 1, let number = numbers.first else { return nil }
        return number.count <= maxDigits && !Numeral.mayCountVolumes(number) ? number : nil
    }

    private static func letters(_ words: [String]) -> Int { words.reduce(0) { $0 + $1.count } }

    private static func longest(_ words: [String]) -> [String] { words.sorted { $0.count > $1.count } }

    private static func terms(_ words: [String]) -> SearchTerms? {
        words.isEmpty ? nil : SearchTerms(.words(words.joined(separator: " ")), limit: maxResults)
    }
}
