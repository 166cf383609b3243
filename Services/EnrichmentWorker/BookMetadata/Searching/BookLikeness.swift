/// Title and authors of a record, taken apart once for comparison with many others.
struct BookLikeness {
    let forms: TitleForms
    private let words: [String]
    private let rawTitle: String
    private let authors: [AuthorName]

    /// From here on two names may be one person's.
    private static let sameAuthor = 0.7

    /// Subtitles that say nothing about which book it is.
    private static let plainSubtitles: Set<[String]> = [["a", "novel"], ["novel"], ["roman"], ["a", "memoir"]]

    init(_ candidate: BookCandidate) {
        rawTitle = candidate.title ?? ""
        forms = TitleForms(rawTitle, subtitle: candidate.subtitle)
        words = MatchKey.words(rawTitle) + MatchKey.words(candidate.subtitle ?? "")
        authors = candidate.authors.compactMap { AuthorName($0.name) }
    }

    /// Words of the subtitle that tell books apart.
    var subtitleWords: [String] {
        Self.plainSubtitles.contains(forms.subtitleWords) ? [] : forms.subtitleWords
    }

    /// Whether both are the same book beyond doubt.
    ///
    /// - Parameter seriesTitles: Main titles that several books of the search share: there a missing subtitle tells two apart.
    func isSameBook(as other: BookLikeness, seriesTitles: Set<[String]>) -> Bool {
        guard !forms.mainWords.isEmpty, haveSameTitle(other, seriesTitles) else { return false }
        guard !TitleSimilarity.hasConflictingNumbers(words, other.words) else { return false }
        guard !DerivativeWork.isDerivative(words, asked: other.words, rawTitle: rawTitle),
            !DerivativeWork.isDerivative(other.words, asked: words, rawTitle: other.rawTitle)
        else { return false }
        return authors.contains { name in
            other.authors.contains { (name.similarity(to: $0) ?? 0) >= Self.sameAuthor }
        }
    }

    private func haveSameTitle(_ other: BookLikeness, _ seriesTitles: Set<[String]>) -> Bool {
        if forms.allWords == other.forms.allWords { return true }
        guard forms.mainWords == other.forms.mainWords else { return false }
        let (ours, theirs) = (subtitleWords, other.subtitleWords)
        return ours == theirs || ((ours.isEmpty || theirs.isEmpty) && !seriesTitles.contains(forms.mainWords))
    }
}
