/// Reads the years of birth and death that catalogues print.
enum LifeYear {
    private static let beforeChrist: Set<String> = ["bc", "bce"]
    private static let ourEra: Set<String> = ["ad", "ce"]

    /// The year of "31 July 1965", "ca. 1850", "384 BC" or "480 AD"; negative for BCE. `nil` for a century, a decade ("195-")
    /// and whatever names no year.
    static func from(_ text: String) -> Int? {
        if let year = PublicationDate.year(text) { return year }
        // "B.C." is two words of one letter.
        let words = MatchKey.words(text.filter { $0 != "." })
        guard let index = words.firstIndex(where: isEarlyYear), let year = Int(words[index]) else { return nil }
        let era = words.dropFirst(index + 1).first
        if let era, beforeChrist.contains(era) { return -year }
        if let era, ourEra.contains(era) { return year }
        let isAlone = era == nil || era == "ca"
        return isAlone && words[index].utf8.count == 3 && !text.contains("-") ? year : nil
    }

    /// Up to three digits; more are found as ordinary years, fewer than three need an era beside them.
    private static func isEarlyYear(_ word: String) -> Bool {
        word.utf8.count <= 3 && word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
