/// Compares two titles and lists what speaks for and against their naming one book (see `Matching.md`).
struct TitleComparison {
    /// How alike the titles are, from 0 to 1, before what speaks against them is considered.
    private(set) var similarity = 0.0
    private(set) var evidence: [MatchEvidence] = []
    /// How many parts of each title name its series.
    private var prefixes = (asked: 0, book: 0)

    /// From here on two subtitles are one.
    private static let sameSubtitle = 0.75

    /// - Parameters:
    ///   - authors: Those of both, whose names titles and brackets may repeat.
    ///   - seriesTitles: Titles before which the list has several subtitles.
    init(_ asked: TitleForms, _ book: TitleForms, authors: [AuthorName] = [], seriesTitles: Set<[String]> = []) {
        let (asked, book) = (asked.namingSeries(like: book), book.namingSeries(like: asked))
        let (words, others) = (asked.allWords, book.allWords)
        if words == others || words.joined() == others.joined() {
            similarity = 1
            evidence.append(.sameTitle)
        } else if !compareParts(asked, book, seriesTitles, names: Set(authors.flatMap(\.words))) {
            compareWords(
                words, others, authors, areApart: Self.areApart(asked.mainWords, book.mainWords),
                isNamedSeries: book.labels.contains { NumberComparison.isNamed(book, by: $0, exactly: true) })
        }
        guard similarity >= TitleMatch.nearMiss else { return }
        evidence += NumberComparison(asked, book, prefixes: prefixes).evidence
        // What both titles announce tells them apart no more; what is added to one of them does.
        let hasSameMain = asked.mainKinds == book.mainKinds
        var ours = hasSameMain ? asked.addedKinds : asked.addedKinds.union(asked.mainKinds)
        var theirs = hasSameMain ? book.addedKinds : book.addedKinds.union(book.mainKinds)
        // Two titles in one book may stand beside an "and" as well as beside a slash.
        if asked.isSlashed != book.isSlashed, words.filter(Self.tells) == others.filter(Self.tells) {
            ours.remove(.collection)
            theirs.remove(.collection)
        }
        let (onlyAsked, onlyBook) = (ours.subtracting(theirs), theirs.subtracting(ours))
        if !onlyAsked.isEmpty { evidence.append(.edition(onlyAsked, .asked)) }
        if !onlyBook.isEmpty { evidence.append(.edition(onlyBook, .candidate)) }
        compareBrackets(asked, book, authors)
        if let ours = asked.article, let theirs = book.article, TitleWords.areOfDifferentLanguages(ours, theirs) {
            evidence.append(.otherWords([ours], [theirs], isOther: false))
        }
    }

    /// Whether the titles are of a series' books: subtitles differ, and one has a number that the other lacks.
    var areOfSeries: Bool {
        evidence.contains { if case .otherSubtitle = $0 { true } else { false } }
            && evidence.contains { if case .number = $0 { true } else { false } }
    }

    /// Whether a word of the title is another one, which only the same author's name makes a spelling of the same book.
    var isOneWordOff: Bool {
        evidence.contains { if case .otherWords = $0 { true } else { false } }
    }

    // MARK: Titles and subtitles

    /// Compares by halves; `false` when no half of one is a half of the other.
    private mutating func compareParts(
        _ asked: TitleForms, _ book: TitleForms, _ seriesTitles: Set<[String]>, names: Set<String>
    ) -> Bool {
        let (ours, theirs) = (
            NumberComparison.withoutVolume(asked.mainWords), NumberComparison.withoutVolume(book.mainWords)
        )
        if ours == theirs {
            compareSubtitles(
                asked, book, seriesTitles.contains(asked.mainWords) || seriesTitles.contains(book.mainWords), names)
            return true
        }
        // After a colon the author's own name is no title.
        if !names.isEmpty, names.isSuperset(of: asked.mainWords) { return false }
        if let prefix = Self.prefix(of: book, before: asked) { return addHalf(prefix, of: book, asked, .candidate) }
        if let prefix = Self.prefix(of: asked, before: book) { return addHalf(prefix, of: asked, book, .asked) }
        return false
    }

    /// The words before the part of a title that is the other title, subtitles included.
    private static func prefix(of title: TitleForms, before other: TitleForms) -> (
        words: [String], count: Int, rest: [String]
    )? {
        guard title.parts.count > 1,
            let index = title.parts.dropFirst().firstIndex(where: {
                NumberComparison.withoutVolume(TitleWords.withoutArticle($0))
                    == NumberComparison.withoutVolume(other.mainWords)
            }),
            title.parts[index].joined().count > 3
        else { return nil }
        let rest = Array(title.parts[(index + 1)...].joined())
        guard rest.isEmpty || other.subtitleWords.isEmpty || rest == other.subtitleWords else { return nil }
        return (Array(title.parts[..<index].joined()), index, rest)
    }

    /// A series before the title.
    private mutating func addHalf(
        _ half: (words: [String], count: Int, rest: [String]), of title: TitleForms, _ other: TitleForms,
        _ side: MatchEvidence.Side
    ) -> Bool {
        let prefix = half.words
        guard EditionWords.read(prefix).isEmpty else { return false }
        if side == .asked { prefixes.asked = half.count } else { prefixes.book = half.count }
        let name = Set(prefix.filter { !Numeral.isNumber($0) && !Numeral.isVolumeWord($0) && !TitleWords.isFiller($0) })
        let known = Set(other.addedNames + other.subtitleWords)
        let isExplained = !name.isDisjoint(with: known)
        similarity = isExplained ? 0.97 : 0.95
        evidence.append(.half(prefix, side, isExplained: isExplained))
        // No series has a name of so many words.
        if side == .candidate, !isExplained, prefix.count(where: Self.tells) > 3 {
            evidence.append(.extraWords(prefix, side, isOther: false))
        }
        // "Chapterhouse: Dune (Dune Chronicles, #6)" is not the book that the series is named after.
        for label in title.labels where label.number != "1" && NumberComparison.isNamed(other, by: label) {
            evidence.append(.number([label.number], side, isOther: true))
        }
        let otherSide: MatchEvidence.Side = side == .asked ? .candidate : .asked
        for (words, side) in [(half.rest, side), (other.subtitleWords, otherSide)]
        where half.rest != other.subtitleWords {
            // "The Final Empire: Mistborn" has the same halves in the other order.
            let isSeries = words.allSatisfy { prefix.contains($0) || !Self.tells($0) }
            if isSeries || SubtitleShape.plain.contains(words) { continue }
            evidence.append(.subtitle(words, side, SubtitleShape(words, onlyOf: side)))
        }
        // "Vampire Kisses 1-3" stands before several books.
        if prefix.suffix(2).count == 2, prefix.suffix(2).allSatisfy(Numeral.isNumber) {
            evidence.append(.edition(.collection, side))
        }
        if let number = prefix.last(where: Numeral.isNumber) {
            for label in other.labels where label.number != number && !name.isDisjoint(with: label.name) {
                evidence.append(.otherNumber([number], [label.number]))
            }
        }
        return true
    }

    private mutating func compareSubtitles(
        _ asked: TitleForms, _ book: TitleForms, _ isSeries: Bool, _ names: Set<String>
    ) {
        let (ours, theirs) = (Self.telling(asked, names), Self.telling(book, names))
        similarity = 0.95
        if ours == theirs {
            similarity = 1
            evidence.append(.sameTitle)
        } else if let (rest, side) = Self.afterPlain(asked.subtitleWords, ours, book.subtitleWords, theirs) {
            evidence.append(.subtitle(rest, side, .doubtful))
        } else if ours.isEmpty || theirs.isEmpty {
            let subtitle = ours.isEmpty ? theirs : ours
            let side: MatchEvidence.Side = ours.isEmpty ? .candidate : .asked
            let isAlternative = ours.isEmpty ? book.hasAlternativeTitle : asked.hasAlternativeTitle
            let numbers = NumberComparison.numbers(of: asked, besides: book)
            let isVolume =
                !numbers.isEmpty && numbers == NumberComparison.numbers(of: book, besides: asked)
                && asked.mainWords.contains(where: Numeral.isVolumeWord)
            let known = ours.isEmpty ? asked : book
            let isKnown = Set(subtitle.filter { !TitleWords.isFiller($0) }).isSubset(of: known.addedNames)
            var shape: SubtitleShape =
                isAlternative || isVolume || isKnown
                ? .descriptive : SubtitleShape.leastDescriptive(ours.isEmpty ? book : asked, onlyOf: side)
            // The label of the candidate's series says that its title is no series' name.
            let isOwnTitle =
                side == .asked && !known.labels.isEmpty
                && known.labels.allSatisfy { Set($0.name).isDisjoint(with: known.mainWords) }
            if isOwnTitle { shape = .descriptive }
            // No series has a name of so many words.
            if side == .asked, shape == .doubtful, asked.mainWords.count(where: Self.tells) > 3 { shape = .descriptive }
            if isSeries, shape == .doubtful { shape = .title }
            if shape == .descriptive, !isAlternative, !isVolume, !isKnown {
                // A series has the name of its first book, and its other books may repeat the name.
                let isNamed = known.labels.contains { NumberComparison.isNamed(known, by: $0, exactly: true) }
                let repeats =
                    side == .candidate && subtitle.first(where: Self.tells) == book.mainWords.first(where: Self.tells)
                    && subtitle.last != "novel"
                if repeats || (isNamed && SubtitleShape.leastDescriptive(asked, onlyOf: .candidate) == .doubtful) {
                    shape = .doubtful
                }
            }
            evidence.append(.subtitle(subtitle, side, shape))
        } else {
            compareDifferentSubtitles(asked, book, ours, theirs, isSeries)
        }
    }

    private mutating func compareDifferentSubtitles(
        _ asked: TitleForms, _ book: TitleForms, _ ours: [String], _ theirs: [String], _ isSeries: Bool
    ) {
        let (shorter, longer) = ours.count < theirs.count ? (ours, theirs) : (theirs, ours)
        let side: MatchEvidence.Side = ours.count < theirs.count ? .candidate : .asked
        if shorter.count > 1, longer.starts(with: shorter) {
            let rest = Array(longer.dropFirst(shorter.count))
            let parts = (side == .candidate ? book : asked).parts.dropFirst()
            let isWholePart = parts.last?.count ?? 0 <= rest.count
            if NumberComparison.isNumberOnly(rest) {
                evidence.append(.sameTitle)
            } else if isWholePart {
                evidence.append(.subtitle(rest, side, SubtitleShape(parts.last ?? rest, onlyOf: side)))
            } else {
                // "A Memoir of War" continues "A Memoir"; "A Memoir Explained" does not.
                let isMore = (side == .asked || SubtitleShape.continues(rest)) && SubtitleShape(shorter) == .descriptive
                let isPlain = EditionWords.read(rest).isEmpty
                evidence.append(.subtitle(rest, side, isMore && isPlain ? .descriptive : .doubtful))
            }
            return
        }
        let alike = TitleWords.similarity(ours, theirs)
        let rest = TitleWords.difference(ours, theirs)
        let (onlyOurs, onlyTheirs) = (rest.ours.filter(Self.tells), rest.theirs.filter(Self.tells))
        if alike >= Self.sameSubtitle, onlyOurs.isEmpty || onlyTheirs.isEmpty {
            similarity = 0.9 + 0.1 * alike
            evidence.append(.sameTitle)
        } else {
            similarity = 0.75 + 0.2 * alike
            let shapes = [SubtitleShape(ours, onlyOf: .candidate), SubtitleShape(theirs, onlyOf: .candidate)]
            let areTitles =
                shapes.contains(.title) || !shapes.contains(.descriptive) || Self.partAfterSameStart(ours, theirs)
            evidence.append(.otherSubtitle(ours, theirs, isSeries || areTitles))
        }
    }

    /// "The Dark Knight Returns" and "The Dark Knight Strikes Again": a common start, and after it titles of two books.
    private static func partAfterSameStart(_ ours: [String], _ theirs: [String]) -> Bool {
        let start = zip(ours, theirs).prefix { $0 == $1 }.count
        let ends = [ours[start...].filter(tells), theirs[start...].filter(tells)]
        return ours[..<start].filter(tells).count > 1 && ends.allSatisfy { (1...2).contains($0.count) }
            && TitleWords.similarity(ends[0], ends[1]) < sameSubtitle
    }

    /// The words of the subtitles that are more than "a novel", without volume numbers, which are compared apart.
    private static func telling(_ title: TitleForms, _ names: Set<String>) -> [String] {
        let words = Array(
            title.parts.dropFirst().map { words in NumberComparison.isNumberOnly(words) ? [] : words }.joined())
        let unnamed = words.filter { !names.contains($0) }
        return SubtitleShape.plain.contains(words) || SubtitleShape.plain.contains(unnamed) ? [] : words
    }

    /// What follows "a novel" in one title only: "A Novel Workbook".
    private static func afterPlain(_ asked: [String], _ ours: [String], _ book: [String], _ theirs: [String]) -> (
        rest: [String], side: MatchEvidence.Side
    )? {
        if ours.isEmpty, !asked.isEmpty, theirs.starts(with: asked),
            !NumberComparison.isNumberOnly(Array(theirs.dropFirst(asked.count)))
        {
            return (Array(theirs.dropFirst(asked.count)), .candidate)
        }
        if theirs.isEmpty, !book.isEmpty, ours.starts(with: book),
            !NumberComparison.isNumberOnly(Array(ours.dropFirst(book.count)))
        {
            return (Array(ours.dropFirst(book.count)), .asked)
        }
        return nil
    }

    // MARK: Words and brackets

    /// Whether two titles without their subtitles have no word in common: "Spring: An Anthology", "Winter: An Anthology".
    private static func areApart(_ ours: [String], _ theirs: [String]) -> Bool {
        Set(ours.filter(tells)).isDisjoint(with: theirs)
    }

    private mutating func compareWords(
        _ ours: [String], _ theirs: [String], _ authors: [AuthorName], areApart: Bool, isNamedSeries: Bool
    ) {
        similarity = TitleWords.similarity(ours, theirs)
        guard similarity >= TitleMatch.nearMiss else {
            evidence.append(.otherWords(ours, theirs, isOther: true))
            return
        }
        let rest = TitleWords.difference(ours, theirs)
        // An author's name tells nothing: "Dracula by Bram Stoker". Only that a provider's title is somebody's, "Bram Stoker's
        // Dracula", may be what tells a retelling from the book.
        let others = Set(rest.ours + rest.theirs)
        var names = Set(authors.filter { $0.words.last.map { Self.isFamily($0, in: others) } == true }.flatMap(\.words))
        if !names.isEmpty { names.insert("by") }
        let tells = { (word: String) in
            Self.tells(word) && !names.contains(word)
        }
        let isPossessive = { (word: String) in word.hasSuffix("s") && names.contains(String(word.dropLast())) }
        let onlyOurs = rest.ours.filter { tells($0) && !isPossessive($0) }
        let onlyTheirs = rest.theirs.filter(tells)
        if Self.isAlternative(ours, of: theirs) || Self.isAlternative(theirs, of: ours)
            || Self.isDrama(theirs, of: ours, adding: onlyTheirs) || Self.isDrama(ours, of: theirs, adding: onlyOurs)
        {
            similarity = max(similarity, 0.96)
            evidence.append(.sameTitle)
        } else if onlyOurs.isEmpty, onlyTheirs.isEmpty {
            // One misspelt word among others is a slip; a title of one word may be another.
            let common = ours.filter { !TitleWords.isFiller($0) }.count - rest.slips
            similarity = max(similarity, 0.96)
            evidence.append(rest.slips == 0 ? .sameTitle : .spelling(rest.slips, isSure: common > rest.slips))
        } else if onlyOurs.isEmpty || onlyTheirs.isEmpty {
            if onlyTheirs.isEmpty {
                // The first book of a series has its name, its other books add words to it.
                let isOther = isNamedSeries || Self.areOfSequel(ours, theirs, onlyOurs)
                evidence.append(.extraWords(onlyOurs, .asked, isOther: isOther))
            } else {
                // Words after the title make a sequel of it; words before it are mostly left out by readers.
                let isSequel =
                    theirs.starts(with: ours) || onlyTheirs.count > 2 || onlyTheirs.contains(where: Numeral.isOrdinal)
                    || !Self.keepOrder(ours, in: theirs) || Self.areOfAnother(theirs, before: ours)
                if onlyTheirs.allSatisfy(isPossessive) { similarity = max(similarity, 0.9) }
                evidence.append(.extraWords(onlyTheirs, .candidate, isOther: isSequel))
            }
        } else {
            let isOneOfMany =
                onlyOurs.count == 1 && onlyTheirs.count == 1 && ours.count(where: Self.tells) >= 4 && !areApart
            evidence.append(.otherWords(onlyOurs, onlyTheirs, isOther: !isOneOfMany))
        }
    }

    /// Whether the question is a sequel of a candidate that has all but a few of its words: "Dune Messiah" of "Dune". A description
    /// after the title is left out by catalogues.
    private static func areOfSequel(_ asked: [String], _ title: [String], _ onlyAsked: [String]) -> Bool {
        guard asked.starts(with: title) else { return onlyAsked.count > 2 || areOfAnother(asked, before: title) }
        let rest = Array(asked.dropFirst(title.count))
        return !SubtitleShape.continues(rest) && !EditionWords.areNeutral(rest) && SubtitleShape(rest) != .descriptive
    }

    /// "The Hobbit" of "The Hobbit or There and Back Again", and the title after the "or".
    private static func isAlternative(_ words: [String], of others: [String]) -> Bool {
        guard others.count > words.count + 2 || (others.count > words.count + 1 && words.count > 2) else {
            return false
        }
        if others.starts(with: words) { return TitleForms.conjunctions.contains(others[words.count]) }
        guard others.suffix(words.count).elementsEqual(words) else { return false }
        return others.dropLast(words.count).last { !TitleWords.isFiller($0) || TitleForms.conjunctions.contains($0) }
            .map(TitleForms.conjunctions.contains) == true
    }

    /// "The Tragedy of Macbeth" is the whole title of "Macbeth".
    private static func isDrama(_ whole: [String], of title: [String], adding words: [String]) -> Bool {
        guard let genre = words.first, words.count == 1, ["tragedy", "comedy"].contains(genre) else { return false }
        return whole == [genre, "of"] + title
    }

    private static func isFamily(_ family: String, in words: Set<String>) -> Bool {
        words.contains(family) || words.contains(family + "s")
    }

    /// Whether the words of a title stand in another in the same order; slips of the pen and fillers count as there.
    private static func keepOrder(_ words: [String], in others: [String]) -> Bool {
        let common = Set(others)
        var rest = others[...]
        for word in words where !TitleWords.isFiller(word) && common.contains(word) {
            guard let index = rest.firstIndex(of: word) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }

    /// "Return to", "Tales from", "Beyond" before a title make another book.
    private static func areOfAnother(_ words: [String], before title: [String]) -> Bool {
        guard words.count > title.count, words.suffix(title.count).elementsEqual(title) else { return false }
        return words.dropLast(title.count).contains(where: Self.otherwhere.contains)
    }

    private static let otherwhere: Set<String> = ["to", "from", "beyond", "before", "after"]

    private static func tells(_ word: String) -> Bool {
        !TitleWords.isFiller(word) && !Numeral.isNumber(word) && !Numeral.isVolumeWord(word)
    }

    private mutating func compareBrackets(_ asked: TitleForms, _ book: TitleForms, _ authors: [AuthorName]) {
        let names = authors.flatMap(\.words)
        for words in book.seriesNames {
            addSeries(words, of: book, known: Set(asked.addedNames + book.allWords + names), names: Set(names))
        }
        if asked.bracketWords.isEmpty, book.bracketWords.isEmpty { return }
        if let ours = asked.languages, let theirs = book.languages, ours != theirs {
            evidence.append(.otherWords([ours], [theirs], isOther: true))
            return
        }
        for (title, other, side) in [(asked, book, MatchEvidence.Side.asked), (book, asked, .candidate)] {
            // What the title says itself is no news in its bracket: "A Lincoln Rhyme Novel (Lincoln Rhyme Novels)".
            let known = Set(
                other.addedNames + other.allWords + title.subtitleWords + names + [title.mainWords.initials])
            for words in title.bracketWords {
                let unknown = words.filter {
                    !known.contains($0) && !known.contains($0 + "s") && !TitleForms.seriesNouns.contains($0)
                }
                // Readers' exports name series and add subtitles in brackets.
                let isReaders =
                    side == .asked && (unknown.count > 3 || words.contains(where: TitleForms.seriesNouns.contains))
                if !unknown.isEmpty, !isReaders { evidence.append(.brackets(unknown, side)) }
            }
        }
    }

    /// A series of the candidate is no objection, but a candidate without it comes first. What is named after the author,
    /// "(Folger Shakespeare Library)", or collects what the title says, "(Dune Collection)", may be another edition or book.
    private mutating func addSeries(_ words: [String], of book: TitleForms, known: Set<String>, names: Set<String>) {
        let unknown = words.filter { !TitleWords.isFiller($0) && !known.contains($0) && !EditionWords.endsSeries($0) }
        let isAboutAuthor = !unknown.isEmpty && words.contains(where: names.contains)
        if isAboutAuthor || (unknown.isEmpty && words.last == "collection") {
            evidence.append(.brackets(words, .candidate))
        } else if !unknown.isEmpty {
            similarity *= 0.93
            evidence.append(.series(words))
        }
    }
}

extension [String] {
    /// The first letters of the words, by which brackets may repeat a title: "Blue Team Field Manual (BTFM)".
    fileprivate var initials: String { String(compactMap(\.first)) }
}
