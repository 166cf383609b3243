/// What a title announces when it is not the book itself: a guide to it, a set that contains it, or another form of it, which
/// share its title and often its author.
struct DerivativeWork: OptionSet {
    let rawValue: UInt8

    static let guide = DerivativeWork(rawValue: 1)
    static let set = DerivativeWork(rawValue: 2)
    static let adaptation = DerivativeWork(rawValue: 4)

    private static let phrases: [(kind: DerivativeWork, words: [String])] =
        [
            "summary", "study guide", "sparknotes", "cliffsnotes", "cliffs notes", "spark notes", "analysis",
            "workbook", "conversation starters", "companion", "teacher guide", "teachers guide", "lesson plans",
            "reading guide", "discussion guide", "trivia", "quiz", "coloring book", "colouring book", "notebook",
            "critical essays", "book review", "sketchbook",
        ].map { (.guide, words($0)) }
        + [
            "box set", "boxed set", "boxset", "book set", "books set", "gift set", "set of", "bundle", "omnibus",
            "collection set", "complete collection", "complete set", "3 book", "4 book", "5 book", "7 book",
        ].map { (.set, words($0)) }
        + ["graphic novel", "screenplay", "playtext", "the play", "movie novelization"].map { (.adaptation, words($0)) }

    private static let firstWords = Set(phrases.map { $0.words[0] })

    /// Reads the folded words of a whole title.
    static func announced(by words: [String], rawTitle: String) -> DerivativeWork {
        var kinds: DerivativeWork = []
        for index in words.indices where firstWords.contains(words[index]) {
            for phrase in phrases where words[index...].starts(with: phrase.words) { kinds.insert(phrase.kind) }
        }
        if rawTitle[...].parts(separatedBy: " / ").count > 2 { kinds.insert(.set) }
        return kinds
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    private static func words(_ phrase: String) -> [String] { phrase.split(separator: " ").map(String.init) }
}
