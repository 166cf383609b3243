/// Recognises books about a book, and sets that contain it, which share its title and often its author.
enum DerivativeWork {
    private static let phrases: [[String]] = [
        "summary", "study guide", "sparknotes", "cliffsnotes", "cliffs notes", "spark notes", "analysis of", "analysis",
        "workbook", "conversation starters", "companion", "teacher guide", "teachers guide", "lesson plans",
        "reading guide", "discussion guide", "box set", "boxed set", "boxset", "book set", "books set", "set of",
        "bundle", "omnibus", "trivia", "quiz", "coloring book", "colouring book", "notebook", "critical essays",
        "book review", "collection set", "complete collection", "complete set", "3 book", "4 book", "5 book", "7 book",
    ].map { $0.split(separator: " ").map(String.init) }

    /// Whether a title announces a derivative that the asked title does not announce.
    static func isDerivative(_ candidate: [String], asked: [String], rawTitle: String) -> Bool {
        if rawTitle[...].parts(separatedBy: " / ").count > 2 { return true }
        return phrases.contains { contains(candidate, $0) && !contains(asked, $0) }
    }

    private static func contains(_ words: [String], _ phrase: [String]) -> Bool {
        words.indices.contains { words[$0] == phrase[0] && words[$0...].starts(with: phrase) }
    }
}
