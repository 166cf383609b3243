/// Compares the subtitles of two titles with the same main title.
struct SubtitleComparison {
    private(set) var similarity = 0.95
    private(set) var evidence: [MatchEvidence] = []

    /// Minimum similarity for two subtitles to count as the same.
    private static let sameSubtitle = 0.75

    private let asked: TitleForms
    private let book: TitleForms
    private let isSeries: Bool

    /// - Parameters:
    ///   - isSeries: Whether the candidates include several subtitles of the title.
    ///   - names: The words in the authors' names.
    init(_ asked: TitleForms, _ book: TitleForms, isSeries: Bool, names: Set<String>) {
        (self.asked, self.book, self.isSeries) = (asked, book, isSeries)
        let (ours, theirs) = (Self.telling(asked, names), Self.telling(book, names))
        if ours == theirs, asked.subtitleWords.isEmpty, book.subtitleWords == ["stories"] {
            // "Jesus' Son: Stories" is the book, but "Humans of New York: Stories" is the second volume of a series.
            evidence.append(.subtitle(book.subtitleWords, .candidate, .doubtful))
        } else if ours == theirs {
            similarity = 1
            evidence.append(.sameTitle)
        } else if let (rest, side) = Self.afterPlain(asked.subtitleWords, ours, book.subtitleWords, theirs) {
            evidence.append(.subtitle(rest, side, .doubtful))
        } else if ours.isEmpty {
            evidence.append(.subtitle(theirs, .candidate, shape(of: theirs, onlyOf: .candidate)))
        } else if theirs.isEmpty {
            evidence.append(.subtitle(ours, .asked, shape(of: ours, onlyOf: .asked)))
        } else {
            compare(ours, theirs)
        }
    }

    // MARK: A subtitle of one title

    /// The likely kind of a subtitle that only one title has, judged together with the rest of both titles.
    private func shape(of subtitle: [String], onlyOf side: MatchEvidence.Side) -> SubtitleShape {
        let (title, known) = side == .asked ? (asked, book) : (book, asked)
        if side == .asked, known.hasAllVolumes, !SubtitleShape.isSure(title) { return .title }
        let numbers = NumberComparison.numbers(of: asked, besides: book)
        let haveOneNumber = !numbers.isEmpty && numbers == NumberComparison.numbers(of: book, besides: asked)
        let isOfMainTitle = NumberComparison.areOfMainTitle(numbers, in: title)
        let isVolume = isOfMainTitle && asked.mainWords.contains(where: Numeral.isVolumeWord)
        let isPart = subtitle.contains("part") && SubtitleShape.describes(subtitle)
        let isKnown = Set(subtitle.filter { !TitleWords.isFiller($0) }).isSubset(of: known.addedNames)
        let isSure =
            (haveOneNumber && (isVolume || isPart)) || isKnown || title.hasAlternativeTitle
            || title.parts.contains(where: SubtitleShape.isDate)
        var shape: SubtitleShape = isSure ? .descriptive : SubtitleShape.leastDescriptive(title, onlyOf: side)
        // "Fullmetal Edition" may be one of several volumes.
        if side == .candidate, shape == .descriptive, PrintingWords.nameEdition(subtitle) { return .doubtful }
        if labelShowsOwnTitle(subtitle, onlyOf: side) || (shape == .doubtful && isTooLongForSeries(subtitle, side)) {
            shape = .descriptive
        }
        if shape == .descriptive, mayBeTranslation(subtitle, onlyOf: side) { shape = .doubtful }
        // "Tokyo Ghoul: re, Vol. 1" is the first volume of a spin-off, whereas "Sandman: Preludes & Nocturnes, Vol. 1" is "Sandman, Vol. 1".
        let mayBeSpinOff = haveOneNumber && !isOfMainTitle && known.mainWords.contains(where: Numeral.isVolumeWord)
        if mayBeSpinOff, side == .candidate || shape == .descriptive { shape = .doubtful }
        if isSeries, shape == .doubtful { return .title }
        let isDoubtful = shape == .descriptive && !isSure && mayBeOfNamedSeries(subtitle, onlyOf: side)
        return isDoubtful ? .doubtful : shape
    }

    /// Whether a series label in the title without the subtitle shows that the title is the book's own, and not the name of the series.
    private func labelShowsOwnTitle(_ subtitle: [String], onlyOf side: MatchEvidence.Side) -> Bool {
        switch side {
        case .asked:
            !book.labels.isEmpty && book.labels.allSatisfy { Set($0.name).isDisjoint(with: book.mainWords) }
        case .candidate:
            // The subtitle must also name the series: "Prince Caspian: The Return to Narnia", "Prince Caspian (Chronicles of Narnia, #2)".
            asked.labels.contains { label in
                let name = Set(label.name)
                return name.isDisjoint(with: asked.mainWords) && !name.isDisjoint(with: subtitle)
            }
        }
    }

    /// Whether the title before a doubtful subtitle is too long for the name of a series. In a candidate, the subtitle must also be only an
    /// indefinite article and a word, or the title an enumeration.
    private func isTooLongForSeries(_ subtitle: [String], _ side: MatchEvidence.Side) -> Bool {
        let title = side == .asked ? asked : book
        let length = title.mainWords.count(where: TitleWords.tells)
        return (length > 3 || (length == 3 && SubtitleShape.isSubject(subtitle)))
            && (side == .asked || SubtitleShape.isExample(subtitle) || title.isEnumeration)
    }

    /// Whether a subtitle shows that the candidate is, or may be, in another language than the query.
    private func mayBeTranslation(_ subtitle: [String], onlyOf side: MatchEvidence.Side) -> Bool {
        guard TitleWords.isForeign(subtitle, to: book) else { return false }
        switch side {
        // A short title may be a name, which is the same in many languages: "Crito: Een dialoog van Plato".
        case .asked: return asked.article == nil && asked.mainWords.joined().utf8.count < 8
        // "Candida: Ein Mysterium in drei Akten" is a translation, unless the query is recognizably German.
        case .candidate: return TitleWords.isForeign(subtitle, to: asked)
        }
    }

    /// Whether a descriptive subtitle may belong to another book of a series that is named after its first book.
    private func mayBeOfNamedSeries(_ subtitle: [String], onlyOf side: MatchEvidence.Side) -> Bool {
        // The subtitles of the other books often repeat the name.
        if side == .candidate, subtitle.last != "novel",
            subtitle.first(where: TitleWords.tells) == book.mainWords.first(where: TitleWords.tells)
        {
            return true
        }
        let known = side == .asked ? book : asked
        let isNamed = known.labels.contains { NumberComparison.isNamed(known, by: $0, exactly: true) }
        guard isNamed else { return false }
        return (side == .asked && !SubtitleShape.isSure(asked))
            || SubtitleShape.leastDescriptive(asked, onlyOf: .candidate) == .doubtful
    }

    // MARK: Two subtitles

    private mutating func compare(_ ours: [String], _ theirs: [String]) {
        let (shorter, longer) = ours.count < theirs.count ? (ours, theirs) : (theirs, ours)
        if shorter.count > 1, longer.starts(with: shorter) {
            addRest(
                Array(longer.dropFirst(shorter.count)), after: shorter, ours.count < theirs.count ? .candidate : .asked)
            return
        }
        let alike = TitleWords.similarity(ours, theirs)
        let rest = TitleWords.difference(ours, theirs)
        let tells = { TitleWords.tells($0) && !PrintingWords.isPrinting($0) }
        // "An Illustrated New History of the World" may be a different text.
        for (words, side) in [(rest.ours, MatchEvidence.Side.asked), (rest.theirs, .candidate)]
        where words.contains("illustrated") {
            evidence.append(.extraWords(["illustrated"], side, isOther: false))
        }
        if alike >= Self.sameSubtitle, !rest.ours.contains(where: tells) || !rest.theirs.contains(where: tells) {
            similarity = 0.9 + 0.1 * alike
            evidence.append(.sameTitle)
            return
        }
        similarity = 0.75 + 0.2 * alike
        if describeOneBook(ours, theirs, rest.ours, rest.theirs) {
            similarity = 0.95
            evidence.append(.sameSubject(ours, theirs))
            return
        }
        let shapes = [SubtitleShape(ours, onlyOf: .candidate), SubtitleShape(theirs, onlyOf: .candidate)]
        let areTitles =
            shapes.contains(.title) || !shapes.contains(.descriptive) || Self.partAfterSameStart(ours, theirs)
        evidence.append(.otherSubtitle(ours, theirs, isSeries || areTitles))
    }

    /// Whether two subtitles describe the same subject in different words and therefore belong to two editions of one book: "Why We Sleep: Unlocking
    /// the Power of Sleep and Dreams", "Why We Sleep: The New Science of Sleep and Dreams".
    ///
    /// A single different word may distinguish two books of a series ("The Art of Human Hacking", "The Science of Human Hacking"), and so may a
    /// number or a third part. A short title may be the name of a series: after a title of two words, the subtitles must agree more closely; after
    /// one word, no agreement is enough.
    private func describeOneBook(_ ours: [String], _ theirs: [String], _ onlyOurs: [String], _ onlyTheirs: [String])
        -> Bool
    {
        let isSwapped = ours.count == theirs.count && onlyOurs.count == 1 && onlyTheirs.count == 1
        guard !isSeries, !isSwapped, asked.parts.count == 2, book.parts.count == 2,
            Self.volumes(ours) == Self.volumes(theirs),
            SubtitleShape(ours) == .descriptive, SubtitleShape(theirs) == .descriptive,
            !SubtitleShape.goesOn(ours), !SubtitleShape.goesOn(theirs)
        else { return false }
        let start = ours.first == theirs.first ? ours.first : nil
        let shared = ours.filter { TitleWords.isContent($0) && $0 != start }.filter { word in
            theirs.contains { TitleWords.areInflected(word, $0) }
        }
        let common = shared.filter { !SubtitleShape.describes([$0]) }
        let title = asked.mainWords.filter { !TitleWords.isFiller($0) }
        if title.count > 2 { return !common.isEmpty }
        if title.count < 2 || Self.startAlike(ours, theirs) { return false }
        // A title of two words may be the name of a series, so one common word is usually not enough.
        let explainsTitle = (ours + theirs).contains { TitleWords.tells($0) && title.contains($0) }
        let haveOwnWords = onlyOurs.contains(where: TitleWords.tells) && onlyTheirs.contains(where: TitleWords.tells)
        if haveOwnWords, !common.isEmpty, shared.count > 1 || explainsTitle { return true }
        return title.count < asked.mainWords.count && ours.last == theirs.last
            && SubtitleShape.areSurelySubject(ours) && SubtitleShape.areSurelySubject(theirs)
    }

    /// The numbers in a subtitle that may count volumes; other numbers are years or quantities.
    private static func volumes(_ words: [String]) -> [String] {
        words.filter { Numeral.isNumber($0) && Numeral.mayCountVolumes($0) }
    }

    /// Adds evidence for the words that only the longer subtitle has after those of the shorter one.
    private mutating func addRest(_ rest: [String], after shorter: [String], _ side: MatchEvidence.Side) {
        let parts = (side == .candidate ? book : asked).parts.dropFirst()
        if NumberComparison.isNumberOnly(rest) {
            evidence.append(.sameTitle)
        } else if parts.last?.count ?? 0 <= rest.count {
            evidence.append(.subtitle(rest, side, SubtitleShape(parts.last ?? rest, onlyOf: side)))
        } else {
            // "A Memoir of War" continues "A Memoir"; "A Memoir Explained" does not.
            let isMore = (side == .asked || SubtitleShape.continues(rest)) && SubtitleShape(shorter) == .descriptive
            let isPlain = EditionWords.read(rest).isEmpty
            evidence.append(.subtitle(rest, side, isMore && isPlain ? .descriptive : .doubtful))
        }
    }

    /// Whether two subtitles start alike, as in a series whose titles continue differently: "Tales from a Not-So-Fabulous Life", "Tales from a
    /// Not-So-Popular Party Girl".
    private static func startAlike(_ ours: [String], _ theirs: [String]) -> Bool {
        zip(ours, theirs).prefix { $0 == $1 }.count > 2
    }

    /// Whether a common start is followed by the titles of two books: "The Dark Knight Returns", "The Dark Knight Strikes Again".
    private static func partAfterSameStart(_ ours: [String], _ theirs: [String]) -> Bool {
        let start = zip(ours, theirs).prefix { $0 == $1 }.count
        let ends = [ours[start...].filter(TitleWords.tells), theirs[start...].filter(TitleWords.tells)]
        return ours[..<start].filter(TitleWords.tells).count > 1 && ends.allSatisfy { (1...3).contains($0.count) }
            && TitleWords.similarity(ends[0], ends[1]) < sameSubtitle
    }

    // MARK: Subtitles without meaning

    /// The words in the subtitles without volume numbers, dates and counts of contents; empty if only a phrase like "a novel" or an author's name is
    /// left.
    private static func telling(_ title: TitleForms, _ names: Set<String>) -> [String] {
        let words = Array(
            title.parts.dropFirst().map { words in
                let saysNothing =
                    NumberComparison.isNumberOnly(words) || SubtitleShape.isContents(words)
                    || SubtitleShape.isDate(words)
                return saysNothing ? [] : words
            }.joined())
        let unnamed = words.filter { !names.contains($0) }
        if unnamed.count < words.count, !unnamed.contains(where: TitleWords.tells),
            !unnamed.contains(where: Numeral.isNumber)
        {
            return []
        }
        return SubtitleShape.plain.contains(words) || SubtitleShape.plain.contains(unnamed) ? [] : words
    }

    /// The words after "a novel" in only one of the titles: "A Novel Workbook".
    private static func afterPlain(_ asked: [String], _ ours: [String], _ book: [String], _ theirs: [String]) -> (
        rest: [String], side: MatchEvidence.Side
    )? {
        for (plain, isPlain, longer, side) in [
            (asked, ours.isEmpty, theirs, MatchEvidence.Side.candidate), (book, theirs.isEmpty, ours, .asked),
        ] where isPlain && !plain.isEmpty && longer.starts(with: plain) {
            let rest = Array(longer.dropFirst(plain.count))
            if !NumberComparison.isNumberOnly(rest) { return (rest, side) }
        }
        return nil
    }
}
