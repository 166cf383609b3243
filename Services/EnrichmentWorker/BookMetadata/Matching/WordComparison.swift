/// Compares two titles word by word if none of the other comparisons applies.
struct WordComparison {
    private(set) var similarity: Double
    private(set) var evidence: [MatchEvidence] = []

    private let asked: TitleForms
    private let book: TitleForms
    private let ours: [String]
    private let theirs: [String]
    /// The words that name an author in one of the titles.
    private var names: Set<String> = []

    /// - Parameter authors: The authors whose names in titles are ignored: "Dracula by Bram Stoker".
    init(_ asked: TitleForms, _ book: TitleForms, _ authors: [AuthorName]) {
        (self.asked, self.book, ours, theirs) = (asked, book, asked.allWords, book.allWords)
        similarity = TitleWords.similarity(ours, theirs)
        if isEitherWay(Self.isAlternative) || isEitherWay(Self.isDrama) || Self.differInPreposition(ours, theirs) {
            addSameTitle()
            return
        }
        guard similarity >= TitleMatch.nearMiss else {
            evidence.append(.otherWords(ours, theirs, isOther: true))
            return
        }
        // "Animal Farm and 1984"
        if isEitherWay(Self.addsNumber) {
            evidence.append(.edition(.collection, theirs.count > ours.count ? .candidate : .asked))
        }
        if isEitherWay(Self.isRanked) || isEitherWay(Self.isCut) {
            addSameTitle()
            return
        }
        names = Self.names(of: authors, in: Set(ours + theirs))
        let rest = TitleWords.difference(ours, theirs)
        // The author's name in a provider's title, as in "Bram Stoker's Dracula", may be the only sign of a retelling.
        let onlyOurs = Self.distinguishing(
            rest.ours.filter { isTelling($0) && !isPossessiveName($0) }, in: ours, besides: theirs, of: book.labels)
        let onlyTheirs = Self.distinguishing(
            rest.theirs.filter(isTelling), in: theirs, besides: ours, of: asked.labels)
        switch (onlyOurs.isEmpty, onlyTheirs.isEmpty) {
        case (true, true): addSameWords(slips: rest.slips)
        case (false, true): addExtraWords(ofQuery: onlyOurs)
        case (true, false): addExtraWords(ofCandidate: onlyTheirs)
        case (false, false): addOtherWords(onlyOurs, onlyTheirs)
        }
    }

    /// Whether a relation holds between the titles in one of the two directions.
    private func isEitherWay(_ relation: ([String], [String]) -> Bool) -> Bool {
        relation(ours, theirs) || relation(theirs, ours)
    }

    private func isTelling(_ word: String) -> Bool { TitleWords.tells(word) && !names.contains(word) }

    private func isPossessiveName(_ word: String) -> Bool {
        word.hasSuffix("s") && names.contains(String(word.dropLast()))
    }

    // MARK: The outcomes

    private mutating func addSameTitle() {
        similarity = max(similarity, 0.96)
        evidence.append(.sameTitle)
    }

    /// Adds evidence for titles that have the same distinguishing words, apart from misspellings.
    private mutating func addSameWords(slips: Int) {
        let content = (ours.filter(TitleWords.isContent), theirs.filter(TitleWords.isContent))
        if asked.parts.count == 1, book.parts.count == 1, !Self.keepOrder(ours, in: theirs),
            content.0.sorted() == content.1.sorted()
        {
            // "Glass Sea" is not "Sea of Glass"; in a long title, words may simply have been transposed.
            evidence.append(.otherWords(ours, theirs, isOther: content.0.count < 4))
        } else if slips == 0 {
            addSameTitle()
        } else {
            // One similar word among equal words is a misspelling; a similar one-word title may be a different title.
            let common = ours.count { !TitleWords.isFiller($0) } - slips
            similarity = max(similarity, 0.96)
            evidence.append(.spelling(slips, isSure: common > slips))
        }
    }

    private mutating func addExtraWords(ofQuery words: [String]) {
        // The first book of a series often has the name of the series; the other books add words to it.
        let isNamedSeries = book.labels.contains { NumberComparison.isNamed(book, by: $0, exactly: true) }
        let isOther =
            isNamedSeries || Self.areOfSequel(ours, theirs, words) || makeOtherBook(words, in: asked, than: book)
        evidence.append(.extraWords(words, .asked, isOther: isOther))
    }

    private mutating func addExtraWords(ofCandidate words: [String]) {
        // Words after the title indicate a sequel; words before it are usually just omitted by users.
        let isOther =
            Self.begins(theirs, with: ours) || words.count > 2 || words.contains(where: Numeral.isOrdinal)
            || !Self.keepOrder(ours, in: theirs) || Self.areOfAnother(theirs, before: ours)
            || makeOtherBook(words, in: book, than: asked)
        if words.allSatisfy(isPossessiveName) { similarity = max(similarity, 0.9) }
        evidence.append(.extraWords(words, .candidate, isOther: isOther))
    }

    /// Whether extra words make a title that of another book, whichever side has them.
    private func makeOtherBook(_ words: [String], in longer: TitleForms, than shorter: TitleForms) -> Bool {
        words.contains("not") || SubtitleShape.addsVolume(longer.allWords) || Self.isAddressed(shorter, in: longer)
            || haveOtherSubjects(words) || Self.isNarrower(longer.allWords, than: shorter.allWords)
    }

    private mutating func addOtherWords(_ onlyOurs: [String], _ onlyTheirs: [String]) {
        // Two books with the same subtitle differ in their main titles: "Spring: An Anthology", "Winter: An Anthology".
        let title = onlyOurs.allSatisfy(asked.mainWords.contains) ? asked.mainWords : ours
        let isOneOfMany =
            onlyOurs.count == 1 && onlyTheirs.count == 1 && title.count(where: TitleWords.isContent) >= 4
            && !Set(asked.mainWords.filter(TitleWords.tells)).isDisjoint(with: book.mainWords)
            && !(ours.last == onlyOurs[0] && theirs.last == onlyTheirs[0])
        evidence.append(.otherWords(onlyOurs, onlyTheirs, isOther: !isOneOfMany))
    }

    // MARK: The words that distinguish titles

    /// The words in the names of the authors whose family name is in a title, and the "by" before them; empty if there are none.
    private static func names(of authors: [AuthorName], in words: Set<String>) -> Set<String> {
        let named = authors.filter { author in
            author.words.last.map { words.contains($0) || words.contains($0 + "s") } == true
        }
        return named.isEmpty ? [] : Set(named.flatMap(\.words) + ["by"])
    }

    /// The words that only one title has; empty if they are only a noun that any novel may have, a repeated word ("Songs of Innocence and Songs of
    /// Experience"), the name of the series, or the author ("Written by Herself").
    ///
    /// - Parameter series: The labels of the other title, which has its series in brackets: "The Quiche of Death (Agatha Raisin, #1)".
    private static func distinguishing(
        _ words: [String], in title: [String], besides other: [String], of series: [SeriesLabel]
    ) -> [String] {
        if words.count == 1, let word = words.first, title.first == word || title.last == word,
            SubtitleShape.isNovel(word)
        {
            return []
        }
        if words.count == 1, words.allSatisfy(other.contains), title.first == other.first, title.last == other.last,
            Set(other.filter(TitleWords.tells)).count > 1, EditionWords.read(words).isEmpty
        {
            return []
        }
        // The name of the series may precede a title that has a word of its own. "Wayward Pines: Pines" is not "Wayward (Wayward Pines, #2)".
        let telling = title.filter(TitleWords.tells)
        if telling.starts(with: words),
            series.contains(where: { label in
                Set(words).isSubset(of: label.name)
                    && other.contains { TitleWords.tells($0) && !label.name.contains($0) }
            })
        {
            return []
        }
        if title.starts(with: other), title.count > other.count + 2, title[other.count + 1] == "by",
            creations.contains(title[other.count])
        {
            return []
        }
        return words
    }

    private static let creations: Set<String> = ["written", "told", "narrated", "related", "collected", "compiled"]

    /// Whether a title is the other title, truncated within a word by a length limit: "Balzac et la petite tailleuse chino".
    private static func isCut(_ words: [String], from others: [String]) -> Bool {
        guard words.count > 3, words.count <= others.count, let last = words.last, last.utf8.count > 2,
            words.dropLast().elementsEqual(others.prefix(words.count - 1)), words.joined().utf8.count > 16
        else { return false }
        let whole = others[words.count - 1]
        return whole.utf8.count > last.utf8.count && whole.hasPrefix(last)
    }

    /// Whether two titles have the same form, so that an additional word means a different subject: two guides, or two titles before the same
    /// subtitle ("The Short Story of Art: A Pocket Guide to Key Movements", "The Short Story of Modern Art: A Pocket Guide to Key Movements").
    private func haveOtherSubjects(_ words: [String]) -> Bool {
        if words.allSatisfy(PrintingWords.isPrinting) { return false }
        let haveOneSubtitle =
            asked.mainWords != book.mainWords && asked.subtitleWords.count > 1
            && !SubtitleShape.plain.contains(asked.subtitleWords)
            && asked.subtitleWords.filter(TitleWords.tells) == book.subtitleWords.filter(TitleWords.tells)
        return haveOneSubtitle || (asked.mainKinds.contains(.guide) && book.mainKinds.contains(.guide))
    }

    /// Whether the words that only the query has make it another book, such as a sequel: "Dune Messiah", "Dune". Words at the end that describe the
    /// book do not, because catalogs omit descriptions.
    private static func areOfSequel(_ asked: [String], _ title: [String], _ onlyAsked: [String]) -> Bool {
        guard asked.starts(with: title) else { return onlyAsked.count > 2 || areOfAnother(asked, before: title) }
        let rest = Array(asked.dropFirst(title.count))
        return !SubtitleShape.continues(rest) && !PrintingWords.areNeutral(rest) && SubtitleShape(rest) != .descriptive
    }

    /// Whether words are one of the two titles in "The Hobbit or There and Back Again".
    private static func isAlternative(_ words: [String], of others: [String]) -> Bool {
        // "Candide ou l'Optimisme"; an English "or" also occurs inside titles.
        if others.count > words.count + 1, others.starts(with: words), others[words.count] != "or" {
            return TitleForms.conjunctions.contains(others[words.count])
        }
        guard others.count > words.count + 2 || (others.count > words.count + 1 && words.count > 2) else {
            return false
        }
        if others.starts(with: words) { return TitleForms.conjunctions.contains(others[words.count]) }
        guard others.suffix(words.count).elementsEqual(words) else { return false }
        return others.dropLast(words.count).last { !TitleWords.isFiller($0) || TitleForms.conjunctions.contains($0) }
            .map(TitleForms.conjunctions.contains) == true
    }

    /// Whether long titles differ in one small word: "A Connecticut Yankee in King Arthur's Court" and "… at King Arthur's Court".
    private static func differInPreposition(_ ours: [String], _ theirs: [String]) -> Bool {
        guard ours.count == theirs.count, ours.count(where: TitleWords.isContent) > 3 else { return false }
        let others = zip(ours, theirs).filter { $0 != $1 }
        return others.count == 1 && others.allSatisfy { places.contains($0) && places.contains($1) }
    }

    private static let places: Set<String> = ["at", "in", "on", "upon", "of", "by", "with", "the", "a", "an"]

    /// Whether a title is the full title of a play: "The Tragedy of Macbeth" for "Macbeth", "The Tragedy of Hamlet, Prince of Denmark" for "Hamlet".
    private static func isDrama(_ whole: [String], of title: [String]) -> Bool {
        guard whole.count > title.count + 1, let genre = whole.first,
            ["tragedy", "tragedie", "comedy", "comedie"].contains(genre),
            whole[1] == "of", whole[2...].starts(with: title)
        else { return false }
        let rest = whole[(title.count + 2)...]
        return rest.isEmpty
            || (rest.contains("of") && !rest.contains(where: Numeral.isNumber)
                && EditionWords.read(Array(rest)).isEmpty)
    }

    /// Whether a title only adds a rank to the other title: "King Henry V", "Henry V".
    private static func isRanked(_ whole: [String], _ title: [String]) -> Bool {
        guard let rank = whole.first, ranks.contains(rank) else { return false }
        return whole.dropFirst().elementsEqual(title)
    }

    private static let ranks: Set<String> = ["king", "queen", "emperor", "saint", "sir", "doctor"]

    /// Whether a title consists of the other title, "and", and a number that may also be a title.
    private static func addsNumber(_ whole: [String], to title: [String]) -> Bool {
        whole.count == title.count + 2 && whole.starts(with: title) && whole[title.count] == "and"
            && Numeral.isNumber(whole[title.count + 1])
    }

    /// Whether a title begins with the other, possibly in the possessive: "The Very Hungry Caterpillar's Easter Colors".
    private static func begins(_ whole: [String], with title: [String]) -> Bool {
        guard whole.count > title.count, let last = title.last, whole.starts(with: title.dropLast()) else {
            return false
        }
        return whole[title.count - 1] == last || whole[title.count - 1] == last + "s"
    }

    /// Whether the words that two titles have in common, except fillers, occur in the same order in both.
    private static func keepOrder(_ words: [String], in others: [String]) -> Bool {
        let common = Set(others)
        var rest = others[...]
        for word in words where !TitleWords.isFiller(word) && common.contains(word) {
            guard let index = rest.firstIndex(of: word) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }

    /// Whether a word inside a short title indicates a different subject, as in "Effective Modern C++" and "Effective C++".
    private static func isNarrower(_ whole: [String], than title: [String]) -> Bool {
        whole.count == title.count + 1 && title.count(where: TitleWords.tells) < 5 && whole.first == title.first
            && whole.last == title.last && !whole.starts(with: title)
    }

    /// Whether words like "Return to", "Beyond", "Revenge of" or "Practicing" before a title indicate a different book; "The Adventures of" does not.
    private static func areOfAnother(_ words: [String], before title: [String]) -> Bool {
        guard words.count > title.count, words.suffix(title.count).elementsEqual(title) else { return false }
        let before = words.dropLast(title.count)
        if before.contains(where: otherwhere.contains) || before.last.map(placings.contains) == true { return true }
        let telling = before.filter { !TitleWords.isFiller($0) }
        guard let first = telling.first, let last = telling.last else { return false }
        if telling.count == 1, first.count > 5, first.hasSuffix("ing") { return true }
        let isOf =
            before.contains("of") && before.lastIndex(of: "of").map { $0 > (before.lastIndex(of: last) ?? 0) } == true
        return isOf && !telling.contains(where: SubtitleShape.isStory)
    }

    /// Whether a whole title follows a comma in the other: "Thank You, Amelia Bedelia".
    private static func isAddressed(_ title: TitleForms, in other: TitleForms) -> Bool {
        let clauses = other.main[...].parts(separatedBy: ", ")
        guard clauses.count > 1, let last = clauses.last, title.parts.count == 1 else { return false }
        return TitleWords.folded(String(last)) == title.mainWords
    }

    /// The words between a book's own title and its setting: "Christmas at Cold Comfort Farm".
    private static let placings: Set<String> = [
        "at", "in", "on", "for", "with", "without", "under", "over", "against", "about", "into", "through", "behind",
    ]

    /// Words that stand for a different place or time, or for a work about something.
    private static let otherwhere: Set<String> = [
        "to", "from", "beyond", "before", "after", "handbook", "dictionary", "grammar", "introduction", "atlas",
        "bibliography",
    ]
}
