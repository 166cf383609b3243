/// How certainly a catalog word is on a spine.
struct SpineWord {
    /// The certainty, from 0 (absent) to 1.
    let sureness: Double
    /// The position of the matching letters in ``SpineText/letters``; nil if the word is absent.
    let place: Range<Int>?

    private static let none = SpineWord(sureness: 0, place: nil)
    /// The certainty of a word with a wrong letter.
    private static let misread = 0.85
    /// The certainty of a word that is joined to another one, as "game" in "GAMEOF".
    private static let glued = 0.95
    /// Minimum length of a word that is found joined to another one; shorter words are too often part of other words.
    private static let shortestGlued = 4

    private init(sureness: Double, place: Range<Int>?) {
        self.sureness = sureness
        self.place = place
    }

    /// Looks up a folded word.
    static func find(_ word: String, on spine: SpineText) -> SpineWord {
        var offset = 0
        var slip: Range<Int>?
        for other in spine.words {
            let place = offset..<(offset + other.unicodeScalars.count)
            if other == word { return SpineWord(sureness: 1, place: place) }
            if slip == nil, TitleWords.isMisread(word, as: other) { slip = place }
            offset = place.upperBound
        }
        if let place = gluedPlace(of: Array(word.unicodeScalars), on: spine) {
            return SpineWord(sureness: glued, place: place)
        }
        return slip.map { SpineWord(sureness: misread, place: $0) } ?? none
    }

    /// The position of a word's letters, if they begin or end where a word on the spine begins or ends.
    private static func gluedPlace(of wanted: [Unicode.Scalar], on spine: SpineText) -> Range<Int>? {
        guard wanted.count >= shortestGlued, spine.letters.count >= wanted.count else { return nil }
        for start in 0...(spine.letters.count - wanted.count) {
            let end = start + wanted.count
            guard spine.boundaries.contains(start) || spine.boundaries.contains(end) else { continue }
            if spine.letters[start..<end].elementsEqual(wanted) { return start..<end }
        }
        return nil
    }
}
