/// Compares two titles and lists the evidence for and against their being titles of the same book (see `Matching.md`).
///
/// Whole titles, titles with different subtitles, translations, halves and words are compared, in this order, until one comparison applies. Numbers,
/// kinds of editions, brackets, dates and articles are compared as well, unless the titles are too different.
struct TitleComparison {
    /// The similarity of the titles, from 0 to 1, before the evidence against them is considered.
    private(set) var similarity = 0.0
    private(set) var evidence: [MatchEvidence] = []

    /// - Parameters:
    ///   - authors: The authors whose names titles and brackets may repeat.
    ///   - seriesTitles: Main titles that several candidates have with different subtitles.
    init(_ asked: TitleForms, _ book: TitleForms, authors: [AuthorName] = [], seriesTitles: Set<[String]> = []) {
        let (asked, book) = (asked.namingSeries(like: book), book.namingSeries(like: asked))
        let (words, others) = (asked.allWords, book.allWords)
        let names = Set(authors.flatMap(\.words))
        var prefixes = (asked: 0, book: 0)
        if words == others || words.joined() == others.joined() || Self.isRepeated(asked, book) {
            similarity = 1
            evidence.append(.sameTitle)
        } else if Self.haveOneTitle(asked, book) {
            let isSeries = seriesTitles.contains(asked.mainWords) || seriesTitles.contains(book.mainWords)
            let subtitles = SubtitleComparison(asked, book, isSeries: isSeries, names: names)
            (similarity, evidence) = (subtitles.similarity, subtitles.evidence)
        } else if let translation = Self.translation(asked, book) {
            similarity = 0.95
            evidence.append(.translation(translation))
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
        if brackets.namesUnknownSeries { similarity *= 0.95 }
        compareDates(asked, book)
        // If there is a series before the title, the article is that of the series and does not indicate the language of the title.
        if prefixes == (0, 0) { compareArticles(asked, book) }
    }

    /// Compares years, which may be those of two printings, and months, which identify the issues of a periodical.
    private mutating func compareDates(_ asked: TitleForms, _ book: TitleForms) {
        let years = (asked.bracketYears, book.bracketYears)
        if !years.0.isEmpty, !years.1.isEmpty, Set(years.0).isDisjoint(with: years.1) {
            evidence.append(.otherYear(years.0, years.1))
        }
        if asked.bracketDates == book.bracketDates { return }
        let dates = (Array(asked.bracketDates.joined()), Array(book.bracketDates.joined()))
        if dates.0.isEmpty || dates.1.isEmpty {
            evidence.append(.brackets(dates.0 + dates.1, dates.0.isEmpty ? .candidate : .asked))
        } else {
            evidence.append(.otherNumber(dates.0, dates.1))
        }
    }

    /// Adds a doubt if the articles of the titles show that one may be a translation of the other.
    private mutating func compareArticles(_ asked: TitleForms, _ book: TitleForms) {
        guard let theirs = book.article else { return }
        if let ours = asked.article {
            guard TitleWords.areOfDifferentLanguages(ours, theirs) else { return }
            evidence.append(.otherWords([ours], [theirs], isOther: false))
        } else if TitleWords.isForeignArticle(theirs), asked.allWords.count == 1, book.allWords.count == 1 {
            // A single word may be the same in two languages: "Zorro", "El Zorro".
            evidence.append(.extraWords([theirs], .candidate, isOther: false))
        }
    }

    /// Whether the only subtitle of the two titles repeats the title: "This Other Eden: This Other Eden".
    private static func isRepeated(_ one: TitleForms, _ other: TitleForms) -> Bool {
        guard one.parts.count + other.parts.count == 3, one.mainWords == other.mainWords else { return false }
        return TitleWords.withoutArticle((one.parts.count == 2 ? one : other).parts[1]) == one.mainWords
    }

    /// The translation, appended to a title, in which the titles agree; nil if there is none.
    private static func translation(_ asked: TitleForms, _ book: TitleForms) -> [String]? {
        if !book.translation.isEmpty, [asked.mainWords, asked.translation].contains(book.translation) {
            return book.translation
        }
        return !asked.translation.isEmpty && asked.translation == book.mainWords ? asked.translation : nil
    }

    /// Whether the titles may be two books of a series: words or subtitles differ, and one title has a number that the other lacks.
    var areOfSeries: Bool {
        (bothHaveOtherWords || evidence.contains(where: \.isOfSubtitles))
            && evidence.contains { if case .number = $0 { true } else { false } }
    }

    /// Whether each title has words that the other lacks; both may still be titles of the same book if the author is the same.
    var bothHaveOtherWords: Bool {
        evidence.contains { if case .otherWords = $0 { true } else { false } }
    }

    /// Whether the titles agree apart from their subtitles and volume numbers.
    private static func haveOneTitle(_ asked: TitleForms, _ book: TitleForms) -> Bool {
        let (ours, theirs) = (
            NumberComparison.withoutVolume(asked.mainWords), NumberComparison.withoutVolume(book.mainWords)
        )
        return ours == theirs || ours.joined() == theirs.joined()
    }

    /// Adds evidence for the kinds of editions that only one of the titles indicates.
    private mutating func compareKinds(_ asked: TitleForms, _ book: TitleForms) {
        let hasSameMain = asked.mainKinds == book.mainKinds
        var ours = hasSameMain ? asked.addedKinds : asked.addedKinds.union(asked.mainKinds)
        var theirs = hasSameMain ? book.addedKinds : book.addedKinds.union(book.mainKinds)
        // Two titles in one book may be joined by "and" or by a slash.
        if asked.isSlashed != book.isSlashed,
            asked.allWords.filter(TitleWords.tells) == book.allWords.filter(TitleWords.tells)
        {
            ours.remove(.collection)
            theirs.remove(.collection)
        }
        // A part is identified by its number.
        if evidence.contains(where: { if case .sameNumber = $0 { true } else { false } }) {
            ours.remove(.part)
            theirs.remove(.part)
        }
        let (onlyAsked, onlyBook) = (ours.subtracting(theirs), theirs.subtracting(ours))
        if !onlyAsked.isEmpty { evidence.append(.edition(onlyAsked, .asked)) }
        if !onlyBook.isEmpty { evidence.append(.edition(onlyBook, .candidate)) }
    }
}

/// Compares the contents of two titles' brackets, except for numbers, dates, labels and editions.
struct BracketComparison {
    private(set) var evidence: [MatchEvidence] = []
    /// Whether the candidate names a series that the query does not name. This is not evidence against it, but a title without the series ranks
    /// first.
    private(set) var namesUnknownSeries = false

    init(_ asked: TitleForms, _ book: TitleForms, _ authors: [AuthorName]) {
        let names = authors.flatMap(\.words)
        for words in book.seriesNames {
            addSeries(words, known: Set(asked.addedNames + book.allWords + names), names: Set(names))
        }
        // Users' exports add the series to each of its books; catalogs add it to the volume that contains all of the books.
        if book.namesOwnTrilogy, !asked.namesOwnTrilogy { evidence.append(.brackets(book.mainWords, .candidate)) }
        if asked.bracketWords.isEmpty, book.bracketWords.isEmpty { return }
        if let ours = asked.languages, let theirs = book.languages, ours != theirs {
            evidence.append(.otherWords([ours], [theirs], isOther: true))
            return
        }
        for (title, other, side) in [(asked, book, MatchEvidence.Side.asked), (book, asked, .candidate)] {
            // A bracket that repeats the title adds nothing: "A Lincoln Rhyme Novel (Lincoln Rhyme Novels)".
            let known = Set(
                other.addedNames + other.allWords + title.allWords + names + [title.mainWords.initials])
            for words in title.bracketWords {
                let unknown = words.filter {
                    !known.contains($0) && !known.contains($0 + "s") && !SeriesLabel.nouns.contains($0)
                }
                // Users' exports have series and subtitles in brackets.
                let isReaders =
                    side == .asked
                    && (unknown.count(where: { $0.utf8.count > 1 }) > 3
                        || words.contains(where: SeriesLabel.nouns.contains))
                // "(Dragonriders of Pern)" and "(Pern, #21)" are the same series.
                let isShared = { other.labels.contains { !Set($0.name).isDisjoint(with: words) } }
                if !unknown.isEmpty, !isReaders, !isShared() { evidence.append(.brackets(unknown, side)) }
            }
        }
    }

    /// Adds evidence for a series: a doubt if exactly one word of its name is from an author's name, because an edition such as "(Folger Shakespeare
    /// Library)" may add to the text; otherwise a neutral finding. A name whose words are all known adds nothing.
    private mutating func addSeries(_ words: [String], known: Set<String>, names: Set<String>) {
        let unknown = words.filter {
            !TitleWords.isFiller($0) && !known.contains($0) && !PrintingWords.endsSeries($0)
        }
        // "(Ludlum, Robert, Covert-One Novels)" is the author's own series.
        if unknown.isEmpty { return }
        if words.count(where: names.contains) == 1 {
            evidence.append(.brackets(words, .candidate))
        } else {
            namesUnknownSeries = true
            evidence.append(.series(words))
        }
    }
}

extension [String] {
    /// The initials of the words, with which brackets may repeat a title: "Blue Team Field Manual (BTFM)".
    fileprivate var initials: String { String(compactMap(\.first)) }
}
