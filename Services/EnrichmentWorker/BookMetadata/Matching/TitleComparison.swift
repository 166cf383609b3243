/// Compares two titles and lists what speaks for and against their naming one book (see `Matching.md`).
///
/// Whole titles, halves, titles with subtitles, and words are tried in this order; numbers, editions and brackets count always.
struct TitleComparison {
    /// How alike the titles are, from 0 to 1, before what speaks against them is considered.
    private(set) var similarity = 0.0
    private(set) var evidence: [MatchEvidence] = []

    /// - Parameters:
    ///   - authors: Those of both, whose names titles and brackets may repeat.
    ///   - seriesTitles: Titles before which the list has several subtitles.
    init(_ asked: TitleForms, _ book: TitleForms, authors: [AuthorName] = [], seriesTitles: Set<[String]> = []) {
        let (asked, book) = (asked.namingSeries(like: book), book.namingSeries(like: asked))
        let (words, others) = (asked.allWords, book.allWords)
        let names = Set(authors.flatMap(\.words))
        var prefixes = (asked: 0, book: 0)
        if words == others || words.joined() == others.joined() {
            similarity = 1
            evidence.append(.sameTitle)
        } else if Self.haveOneTitle(asked, book) {
            let isSeries = seriesTitles.contains(asked.mainWords) || seriesTitles.contains(book.mainWords)
            let subtitles = SubtitleComparison(asked, book, isSeries: isSeries, names: names)
            (similarity, evidence) = (subtitles.similarity, subtitles.evidence)
        } else if let half = HalfComparison(asked, book, names: names) {
            (similarity, evidence, prefixes) = (half.similarity, half.evidence, half.prefixes)
        } else {
            let comparison = WordComparison(asked, book, authors)
            (similarity, evidence) = (comparison.similarity, comparison.evidence)
        }
        guard similarity >= TitleMatch.nearMiss else { return }
        evidence += NumberComparison(asked, book, prefixes: prefixes).evidence
        compareKinds(asked, book)
        let brackets = BracketComparison(asked, book, authors)
        evidence += brackets.evidence
        if brackets.namesUnknownSeries { similarity *= 0.93 }
        if let ours = asked.article, let theirs = book.article, TitleWords.areOfDifferentLanguages(ours, theirs) {
            evidence.append(.otherWords([ours], [theirs], isOther: false))
        }
    }

    /// Whether the titles are of a series' books: words or subtitles differ, and one has a number that the other lacks.
    var areOfSeries: Bool {
        (isOneWordOff || evidence.contains(where: \.isOfSubtitles))
            && evidence.contains { if case .number = $0 { true } else { false } }
    }

    /// Whether a word of the title is another one, which only the same author's name makes a spelling of the same book.
    var isOneWordOff: Bool {
        evidence.contains { if case .otherWords = $0 { true } else { false } }
    }

    /// Whether the titles agree without their subtitles and the number of their volume.
    private static func haveOneTitle(_ asked: TitleForms, _ book: TitleForms) -> Bool {
        let (ours, theirs) = (
            NumberComparison.withoutVolume(asked.mainWords), NumberComparison.withoutVolume(book.mainWords)
        )
        return ours == theirs || ours.joined() == theirs.joined()
    }

    /// What both titles announce tells them apart no more; what is added to one of them does.
    private mutating func compareKinds(_ asked: TitleForms, _ book: TitleForms) {
        let hasSameMain = asked.mainKinds == book.mainKinds
        var ours = hasSameMain ? asked.addedKinds : asked.addedKinds.union(asked.mainKinds)
        var theirs = hasSameMain ? book.addedKinds : book.addedKinds.union(book.mainKinds)
        // Two titles in one book may stand beside an "and" as well as beside a slash.
        if asked.isSlashed != book.isSlashed,
            asked.allWords.filter(TitleWords.tells) == book.allWords.filter(TitleWords.tells)
        {
            ours.remove(.collection)
            theirs.remove(.collection)
        }
        // A part is told by its number.
        if evidence.contains(where: { if case .sameNumber = $0 { true } else { false } }) {
            ours.remove(.part)
            theirs.remove(.part)
        }
        let (onlyAsked, onlyBook) = (ours.subtracting(theirs), theirs.subtracting(ours))
        if !onlyAsked.isEmpty { evidence.append(.edition(onlyAsked, .asked)) }
        if !onlyBook.isEmpty { evidence.append(.edition(onlyBook, .candidate)) }
    }
}
