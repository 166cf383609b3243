/// Title and authors of a record, taken apart once for all the comparisons that it takes part in.
struct BookForms {
    let title: TitleForms
    /// Folded words of title and subtitle, brackets included.
    let words: [String]
    let rawTitle: String
    let authors: [AuthorName]
    /// First publication of a work.
    let year: Int?

    /// From here on two names may be one person's.
    private static let sameAuthor = 0.7

    /// Subtitles that say nothing about which book it is.
    private static let plainSubtitles: Set<[String]> = [["a", "novel"], ["novel"], ["roman"], ["a", "memoir"]]

    /// - Parameter fallback: Authors of a record that names none itself, as an edition of theirs.
    init(_ candidate: BookCandidate, authors fallback: [AuthorName] = []) {
        rawTitle = candidate.title ?? ""
        title = TitleForms(rawTitle, subtitle: candidate.subtitle)
        words = MatchKey.words(rawTitle) + MatchKey.words(candidate.subtitle ?? "")
        let names = candidate.authors.compactMap { AuthorName($0.name) }
        authors = names.isEmpty ? fallback : names
        year = candidate.firstPublicationYear
    }

    /// Words of the subtitle that tell books apart.
    var subtitleWords: [String] {
        Self.plainSubtitles.contains(title.subtitleWords) ? [] : title.subtitleWords
    }

    /// Whether one person may have written both.
    func hasCommonAuthor(with other: BookForms) -> Bool {
        authors.contains { name in
            other.authors.contains { (name.similarity(to: $0) ?? 0) >= Self.sameAuthor }
        }
    }

    /// Whether both are the same book beyond doubt.
    ///
    /// - Parameter seriesTitles: Main titles that several books of the search share: there a missing subtitle tells two apart.
    func isSameBook(as other: BookForms, seriesTitles: Set<[String]>) -> Bool {
        guard !title.mainWords.isEmpty, hasSameTitle(as: other, seriesTitles) else { return false }
        guard !TitleSimilarity.hasConflictingNumbers(words, other.words) else { return false }
        guard !isDerivative(of: other.words), !other.isDerivative(of: words) else { return false }
        return hasCommonAuthor(with: other)
    }

    /// Whether the title announces a book about, or a set with, the one whose words are given.
    func isDerivative(of asked: [String]) -> Bool {
        DerivativeWork.isDerivative(words, asked: asked, rawTitle: rawTitle)
    }

    private func hasSameTitle(as other: BookForms, _ seriesTitles: Set<[String]>) -> Bool {
        guard title.mainWords == other.title.mainWords else { return title.allWords == other.title.allWords }
        let (ours, theirs) = (subtitleWords, other.subtitleWords)
        return ours == theirs || ((ours.isEmpty || theirs.isEmpty) && !seriesTitles.contains(title.mainWords))
    }
}
