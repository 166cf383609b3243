/// Compares the numbers in two titles: volumes, parts, and positions in a series.
struct NumberComparison {
    private(set) var evidence: [MatchEvidence] = []

    private let asked: TitleForms
    private let book: TitleForms

    /// - Parameter prefixes: Number of parts at the start of each title that contain its series.
    init(_ asked: TitleForms, _ book: TitleForms, prefixes: (asked: Int, book: Int)) {
        (self.asked, self.book) = (asked, book)
        compareLabels()
        let ours = Self.numbers(of: asked, after: prefixes.asked, besides: book).filter {
            !Self.isPosition($0, of: asked, in: book)
        }
        let theirs = Self.numbers(of: book, after: prefixes.book, besides: asked).filter {
            !Self.isPosition($0, of: book, in: asked)
        }
        if ours == theirs { addSameNumbers(ours) } else { addOtherNumbers(ours, theirs) }
    }

    // MARK: Positions in a series

    private mutating func compareLabels() {
        // A book that belongs to several series has a label for each of them.
        let haveCommonLabel = asked.labels.contains { ours in
            book.labels.contains { ours.number == $0.number && !Set(ours.name).isDisjoint(with: $0.name) }
        }
        for ours in haveCommonLabel ? [] : asked.labels {
            for theirs in book.labels where ours.number != theirs.number && !isCountedTwice(ours, theirs) {
                let isShared = !Set(ours.name).isDisjoint(with: theirs.name)
                evidence.append(isShared ? .otherNumber([ours.number], [theirs.number]) : .otherSeries(ours, theirs))
            }
        }
        // The same number in two series, "Avatar (The Search, #1)" and "Avatar (The Rift, #1)", may mean two books.
        if let ours = asked.labels.first, let theirs = book.labels.first, ours.number == theirs.number,
            Set(asked.labels.flatMap(\.name)).isDisjoint(with: book.labels.flatMap(\.name) + book.allWords),
            Set(book.labels.flatMap(\.name)).isDisjoint(with: asked.allWords)
        {
            evidence.append(.otherSeries(ours, theirs))
        }
    }

    /// Whether two numbers may belong to one book in a series that is counted in two ways: the titles are the same, have more than one word, and
    /// share no word with the names of the series.
    private func isCountedTwice(_ ours: SeriesLabel, _ theirs: SeriesLabel) -> Bool {
        asked.mainWords == book.mainWords && asked.mainWords.count > 1
            && Set(ours.name + theirs.name).isDisjoint(with: asked.mainWords)
    }

    // MARK: Numbers in the titles

    private mutating func addSameNumbers(_ numbers: [String]) {
        if numbers.isEmpty { return }
        let (ours, theirs) = (Self.volumeWords(of: asked), Self.volumeWords(of: book))
        let areCountedAlike =
            ours.isEmpty || theirs.isEmpty || !ours.isDisjoint(with: theirs)
            || ours.union(theirs) == ["issue", "book"]
        evidence.append(areCountedAlike ? .sameNumber(numbers) : .otherCount(numbers))
    }

    private mutating func addOtherNumbers(_ ours: [String], _ theirs: [String]) {
        let optional = (
            ours: Self.optionalNumbers(of: asked, besides: ours),
            theirs: Self.optionalNumbers(of: book, besides: theirs)
        )
        // "Part 1" may be only a part of the first book.
        let onlyOurs = Self.without(ours, theirs + (asked.hasPartNumber ? [] : optional.theirs))
        let onlyTheirs = Self.without(theirs, ours + (book.hasPartNumber ? [] : optional.ours))
        if !onlyOurs.isEmpty, !onlyTheirs.isEmpty {
            evidence.append(.otherNumber(onlyOurs, onlyTheirs))
        } else if Self.areOfSubject(onlyOurs, in: asked) && Self.areOfSubject(onlyTheirs, in: book) {
            return
        } else if !onlyOurs.isEmpty {
            // "Hellboy, Vol. 1: Seed of Destruction" may be found by the title of its volume; "Fight Club 3" is not "Fight Club".
            let isSibling =
                Self.areOfLaterVolume(onlyOurs) && !haveCommonSubtitle
                && onlyOurs.allSatisfy { asked.allWords.contains($0) || asked.bracketNumbers.contains($0) }
            evidence.append(
                optional.theirs.isEmpty
                    ? .number(onlyOurs, .asked, isOther: isSibling) : .otherNumber(onlyOurs, optional.theirs))
        } else {
            // "Parts One and Two" may be all of the book.
            let areAllParts = onlyTheirs.contains("1") && Self.volumeWords(of: book) == ["part"]
            let isSibling = Self.areOfLaterVolume(onlyTheirs) && !areAllParts
            evidence.append(
                optional.ours.isEmpty
                    ? .number(onlyTheirs, .candidate, isOther: isSibling) : .otherNumber(optional.ours, onlyTheirs))
        }
    }

    /// Whether a number in brackets is the book's position in the series that its title names, according to the other title's label: "Harry Potter
    /// and the Chamber of Secrets (Book 2)" with the label "(Harry Potter, #2)".
    private static func isPosition(_ number: String, of title: TitleForms, in other: TitleForms) -> Bool {
        !title.hasPartNumber && title.bracketNumbers == [number] && title.labels.isEmpty && other.bracketNumbers.isEmpty
            && other.labels.contains { label in
                label.number == number && Set(label.name).isStrictSubset(of: other.mainWords)
            }
    }

    /// Whether numbers are years or quantities in a description: ": The Scientific Revolution from 1500 to 1750".
    private static func areOfSubject(_ numbers: [String], in title: TitleForms) -> Bool {
        numbers.allSatisfy { number in
            !Numeral.mayCountVolumes(number) && !title.mainWords.contains(number)
                && title.parts.dropFirst().contains { part in
                    part.contains(number) && SubtitleShape(part) == .descriptive
                        && part.count(where: {
                            TitleWords.tells($0) && $0.utf8.count > 1 && !PrintingWords.isPrinting($0)
                        }) > 1
                }
        }
    }

    /// Whether words are only a number: "Book Two".
    static func isNumberOnly(_ words: [String]) -> Bool {
        words.allSatisfy { Numeral.isNumber($0) || Numeral.isVolumeWord($0) || TitleWords.isFiller($0) }
    }

    /// Whether numbers count volumes of the main title: true for "Sandman, Vol. 1: Preludes & Nocturnes", false for "Tokyo Ghoul: re, Vol. 1".
    static func areOfMainTitle(_ numbers: [String], in title: TitleForms) -> Bool {
        let counted = title.parts.dropFirst().prefix(while: isNumberOnly).joined()
        let labels = title.labels.filter { isNamed(title, by: $0, exactly: true) }
        return numbers.allSatisfy { number in
            title.mainWords.contains(number) || counted.contains(number) || labels.contains { $0.number == number }
        }
    }

    static func areOfLaterVolume(_ numbers: [String]) -> Bool {
        numbers.contains { $0 != "1" && Numeral.mayCountVolumes($0) }
    }

    private var haveCommonSubtitle: Bool {
        let (ours, theirs) = (asked.parts.dropFirst(), book.parts.dropFirst())
        return ours.contains { part in !SubtitleShape.plain.contains(part) && theirs.contains(part) }
    }

    private static func volumeWords(of title: TitleForms) -> Set<String> {
        Set(title.parts.joined().filter(Numeral.isVolumeWord))
    }

    /// Whether one number abbreviates the other, which is a year: "45" in "1939–45" stands for "1945".
    private static func abbreviate(_ one: String, _ other: String) -> Bool {
        let (short, long) = one.utf8.count < other.utf8.count ? (one, other) : (other, one)
        return short.utf8.count == 2 && long.utf8.count == 4 && long.hasSuffix(short)
    }

    private static func without(_ numbers: [String], _ others: [String]) -> [String] {
        var others = others
        return numbers.filter { number in
            guard let index = others.firstIndex(where: { $0 == number || abbreviate(number, $0) }) else { return true }
            others.remove(at: index)
            return false
        }
    }

    /// The numbers in the title, in its brackets, and in labels that have the title's name, except a label's 1. Dates, counts of a book's contents,
    /// and numbers that describe the subject of a subtitle that the other title lacks are not included.
    static func numbers(of title: TitleForms, after prefix: Int = 0, besides other: TitleForms) -> [String] {
        var numbers: [String] = []
        for (index, part) in title.parts.enumerated() where index >= prefix {
            if index > 0, SubtitleShape.isContents(part) || SubtitleShape.isDate(part) { continue }
            let isAlone =
                index > prefix
                && other.parts.dropFirst().allSatisfy { SubtitleShape.plain.contains($0) || isNumberOnly($0) }
            let isSubject =
                isAlone && part.count > (part.first == "1" ? 2 : 3) && SubtitleShape(part) == .descriptive
                && !SubtitleShape.beginsPlainly(part)
            for (place, word) in part.enumerated() where Numeral.isNumber(word) {
                let isCounted =
                    (place > 0 && Numeral.isVolumeWord(part[place - 1]))
                    || (place + 1 < part.count && part[place + 1] == "serial")
                // "Complete 1663" is the volume for one year; "August 1914" is a title.
                let isYear = !part.contains {
                    TitleWords.tells($0) && $0.utf8.count > 1 && !PrintingWords.isPrinting($0)
                }
                if isAlone, !isCounted, !isYear, !Numeral.mayCountVolumes(word) { continue }
                if isCounted || isYear || !isSubject { numbers.append(word) }
            }
        }
        for label in title.labels
        where label.number != "1" && isNamed(title, by: label, exactly: true) && !numbers.contains(label.number) {
            numbers.append(label.number)
        }
        return (numbers + title.bracketNumbers).sorted()
    }

    /// The numbers in labels that may be missing from the other title: the first book of a series often has the name of the series.
    private static func optionalNumbers(of title: TitleForms, besides numbers: [String]) -> [String] {
        title.labels.filter { isNamed(title, by: $0) }.map(\.number).filter { !numbers.contains($0) }
    }

    /// Whether the title consists of words in a label's series name; if `exactly`, of all of them.
    static func isNamed(_ title: TitleForms, by label: SeriesLabel, exactly: Bool = false) -> Bool {
        let name = Set(label.name)
        let words = Set(withoutVolume(title.mainWords).filter { !TitleWords.isFiller($0) })
        return exactly ? words == name : words.isSubset(of: name)
    }

    /// A title without the volume number at its end. A title that is only a number is unchanged, and so is one with a filler before the number, which
    /// then belongs to the title.
    static func withoutVolume(_ words: [String]) -> ArraySlice<String> {
        var core = words[...]
        if core.count > 2, TitleWords.isFiller(core[core.count - 2]), let last = core.last, Numeral.isNumber(last) {
            return core
        }
        if let last = core.last, Numeral.isNumber(last), Numeral.mayCountVolumes(last), core.count > 1 {
            core = core.dropLast()
            if let word = core.last, Numeral.isVolumeWord(word), core.count > 1 { core = core.dropLast() }
        }
        return core
    }
}
