/// Tells the volumes of a series apart, whose titles may differ in one number only.
enum VolumeNumbers {
    private static let volumeWords: Set<String> = [
        "vol", "volume", "book", "tome", "band", "bd", "tomo", "teil", "том", "книга",
    ]

    /// Words before the number of a part, which is never the whole book.
    private static let partWords: Set<String> = ["part", "pt"]

    /// Whether two titles have different numbers, or one is a later volume or a part of what the other names.
    static func conflict(_ one: [String], _ other: [String]) -> Bool {
        let ours = numbers(one)
        let theirs = numbers(other)
        if !ours.isEmpty, !theirs.isEmpty { return Set(ours) != Set(theirs) }
        return ours.isEmpty ? isOneOfSeveral(other) : isOneOfSeveral(one)
    }

    private static func numbers(_ words: [String]) -> [String] {
        words.filter(isNumber).map(withoutLeadingZeros)
    }

    /// "1" for "01"; words that are no numbers stay as they are.
    static func withoutLeadingZeros(_ word: String) -> String {
        guard isNumber(word) else { return word }
        let significant = word.drop { $0 == "0" }
        return significant.isEmpty ? "0" : String(significant)
    }

    private static func isOneOfSeveral(_ words: [String]) -> Bool {
        zip(words, words.dropFirst()).contains { word, number in
            guard isNumber(number) else { return false }
            return partWords.contains(word) || (volumeWords.contains(word) && number != "1" && number != "01")
        }
    }

    private static func isNumber(_ word: String) -> Bool {
        word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
