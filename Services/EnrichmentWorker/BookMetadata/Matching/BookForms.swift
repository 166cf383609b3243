/// Title and authors of a record, taken apart once for all the comparisons that it takes part in.
struct BookForms {
    let title: TitleForms
    /// Folded words of title and subtitle, brackets included.
    let words: [String]
    let announced: DerivativeWork
    let authors: [AuthorName]
    /// First publication of a work.
    let year: Int?

    /// From here on two names may be one person's.
    private static let sameAuthor = 0.7

    /// Subtitles that say nothing about which book it is.
    private static let plainSubtitles: Set<[String]> = [["a", "novel"], ["novel"], ["roman"], ["a", "memoir"]]

    /// - Parameter fallback: Authors of a record that names none itself, as an edition of theirs.
    init(_ candidate: BookCandidate, authors fallback: [AuthorName] = []) {
        let rawTitle = candidate.title ?? ""
        title = TitleForms(rawTitle, subtitle: candidate.subtitle)
        words = MatchKey.words(rawTitle) + MatchKey.words(candidate.subtitle ?? "")
        announced = DerivativeWork.announced(by: words, rawTitle: rawTitle)
        let names = candidate.authors.compactMap { AuthorName($0.name) }
        authors = names.isEmpty ? fallback : names
        year = candidate.firstPublicationYear
    }

    /// Those of a candidate and of the edition that its search found, whose title may be a translation.
    static func all(of candidate: BookCandidate) -> [BookForms] {
        let forms = BookForms(candidate)
        guard case .work(let work) = candidate, let edition = work.bestEdition, edition.title != work.title else {
            return [forms]
        }
        return [forms, BookForms(.edition(edition), authors: forms.authors)]
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
        guard announced == other.announced, !VolumeNumbers.conflict(words, other.words) else { return false }
        return hasCommonAuthor(with: other)
    }

    private func hasSameTitle(as other: BookForms, _ seriesTitles: Set<[String]>) -> Bool {
        guard title.mainWords == other.title.mainWords else { return title.allWords == other.title.allWords }
        let (ours, theirs) = (subtitleWords, other.subtitleWords)
        return ours == theirs || ((ours.isEmpty || theirs.isEmpty) && !seriesTitles.contains(title.mainWords))
    }
}
