/// How alike two titles are, from 0 to 1.
enum TitleSimilarity {
    /// Counts a title that has a subtitle as the one without it, almost.
    private static let oneSubtitleMissing = 0.95

    /// Volumes of a series differ in one number only, and are different books.
    private static let differentNumbers = 0.7

    static func score(_ one: TitleForms, _ other: TitleForms) -> Double {
        let similarity = similarity(one, other)
        return VolumeNumbers.conflict(one.allWords, other.allWords) ? similarity * differentNumbers : similarity
    }

    private static func similarity(_ one: TitleForms, _ other: TitleForms) -> Double {
        let whole = score(one.allWords, other.allWords)
        let main = score(one.mainWords, other.mainWords)
        switch (one.subtitleWords.isEmpty, other.subtitleWords.isEmpty) {
        case (true, true): return whole
        case (false, false): return max(whole, main * (0.75 + 0.25 * score(one.subtitleWords, other.subtitleWords)))
        default: return max(whole, main * oneSubtitleMissing)
        }
    }

    /// Half the share of common words, half the share of common letter pairs, so that inflected forms and spelling
    /// mistakes still count; texts without spaces are compared by pairs alone.
    static func score(_ one: [String], _ other: [String]) -> Double {
        guard !one.isEmpty, !other.isEmpty else { return 0 }
        if one == other { return 1 }
        let pairs = overlap(letterPairs(one), letterPairs(other))
        let isUnspaced = one.count == 1 && other.count == 1
        return isUnspaced ? pairs : (pairs + overlap(one, other)) / 2
    }

    /// The Dice coefficient of two multisets.
    private static func overlap<Element: Comparable>(_ one: [Element], _ other: [Element]) -> Double {
        let ours = one.sorted()
        let theirs = other.sorted()
        var (i, j, common) = (0, 0, 0)
        while i < ours.count, j < theirs.count {
            if ours[i] == theirs[j] {
                (i, j, common) = (i + 1, j + 1, common + 1)
            } else if ours[i] < theirs[j] {
                i += 1
            } else {
                j += 1
            }
        }
        return 2 * Double(common) / Double(ours.count + theirs.count)
    }

    /// Neighbouring letters of the joined words, two scalars in one number; a single letter is its own pair.
    private static func letterPairs(_ words: [String]) -> [UInt64] {
        let letters = words.joined().unicodeScalars.map { UInt64($0.value) }
        return letters.count > 1 ? zip(letters, letters.dropFirst()).map { $0 << 32 | $1 } : letters
    }
}
