import BookstrackContract

/// A title parsed for comparison: its parts in order, and the contents of its brackets.
struct TitleForms {
    /// The title as written up to a colon or another separator, without brackets. A subtitle after a period or question mark is included.
    let main: String
    /// Folded words between separators, with numbers in digits; the first part is the title, and the others are subtitles.
    private(set) var parts: [[String]] = []
    private(set) var labels: [SeriesLabel] = []
    /// Numbers on their own in brackets, "(2)" and "(Book Two)", and part numbers after a label: "(A Song of Ice and Fire, #3: Part 1)".
    private(set) var bracketNumbers: [String] = []
    /// Whether the number in brackets is a part number: "(Part One)".
    private(set) var hasPartNumber = false
    /// Words in each bracket that are not packaging, a series or a number; for a bracket that names languages, these languages.
    private(set) var bracketWords: [[String]] = []
    /// Series names in brackets without a number: "(African Writers Series)".
    private(set) var seriesNames: [[String]] = []
    /// The languages in a bracket that names at least two, in order: "(German-English)".
    private(set) var languages: String?
    /// Kinds of editions indicated by the title without subtitles.
    private(set) var mainKinds: EditionKinds = []
    /// Kinds of editions indicated by subtitles, brackets, "part 1 of 2", or a slash between two titles.
    private(set) var addedKinds: EditionKinds = []
    /// The title's article, which may also be at its end or in brackets: "Hobbit, The", "Peste (La)".
    private(set) var article: String?
    /// Whether a bracket names a trilogy with the same name as the title, as in "The Christmas Box (Christmas Box Trilogy)": the book is the
    /// trilogy's first or contains all of its books.
    private(set) var namesOwnTrilogy = false
    /// Whether a bracket has a range of volumes of the series that the title names: "A Song of Ice and Fire (A Song of Ice and Fire, #1-5)".
    private(set) var hasAllVolumes = false
    /// Years in brackets that contain nothing else except packaging: "(1938)", "(Penguin Classics, 1938)".
    private(set) var bracketYears: [String] = []
    /// Months with a year in brackets, as for a periodical: "(October 1884)".
    private(set) var bracketDates: [[String]] = []
    /// The title in another language, appended by catalogs: "Le Corbeau = The Raven".
    private(set) var translation: [String] = []
    /// Whether there are several titles separated by slashes.
    private(set) var isSlashed = false
    /// Whether the second part is only an alternative title for the same book: "Frankenstein; or, The Modern Prometheus".
    private(set) var hasAlternativeTitle = false

    /// Folded words in the title without its subtitles.
    var mainWords: [String] { parts.first ?? [] }
    /// Folded words in the subtitles; empty without a subtitle.
    var subtitleWords: [String] { parts.count > 1 ? Array(parts.dropFirst().joined()) : [] }

    /// Whether the title is an enumeration, which is hardly ever the name of a series: "Guns, Germs, and Steel".
    var isEnumeration: Bool { main.contains(", ") && mainWords.contains("and") }

    /// All words in labels and brackets that may name a series.
    var addedNames: [String] { labels.flatMap(\.name) + bracketWords.joined() + seriesNames.joined() }
    /// Folded words in title and subtitles.
    var allWords: [String] { parts.count == 1 ? parts[0] : Array(parts.joined()) }

    /// Words before an alternative title for the same book.
    static let conjunctions: Set<String> = [
        "or", "oder", "ou", "или", "czyli", "albo", "avagy", "eller", "ossia", "ovvero",
    ]

    /// Maximum length of a title or subtitle, the same as in a query; the cost of a comparison grows faster than the length.
    static let limit = BookQuery.titleLimit

    /// Parses a title; a subtitle that the provider supplies separately is added to the one in the title.
    init(_ title: String, subtitle: String? = nil) {
        let (title, subtitle) = (Self.limit.fit(title), subtitle.map(Self.limit.fit))
        var (line, groups) = TitlePunctuation.separatingBrackets(title)
        // Library catalogs add the author: "Emma / by Jane Austen".
        if let author = line[...].firstOccurrence(of: " / by ") { line = String(line[..<author.lowerBound]) }
        if line.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "/") }) {
            line = TitlePunctuation.subtitleAfterSlash(line)
            if let titles = TitlePunctuation.parallelTitles(line) {
                line = titles.title
                translation = TitleWords.withoutArticle(TitleWords.folded(titles.translation))
            }
        }
        var pieces = TitlePunctuation.pieces(line, alternative: &hasAlternativeTitle)
        main = pieces[0]
        if let subtitle, !subtitle.isEmpty {
            let (subtitleLine, subtitleGroups) = TitlePunctuation.separatingBrackets(subtitle)
            groups += subtitleGroups
            var isAlternative = false
            pieces += TitlePunctuation.pieces(subtitleLine, alternative: &isAlternative)
        }
        pieces = TitlePunctuation.sentences(pieces[0]) + pieces.dropFirst()
        let last = TitlePunctuation.maxPieces - 1
        if pieces.count > last { pieces[last...] = [pieces[last...].joined(separator: " ")] }
        for piece in pieces { addPart(TitleWords.folded(piece)) }
        if parts.isEmpty { parts = [[]] }
        isSlashed = line[...].parts(separatedBy: " / ").count > 1
        if isSlashed { addedKinds.insert(.collection) }
        for group in groups {
            for piece in group.split(separator: ";") { addBracket(TitleWords.folded(String(piece))) }
        }
    }

    // MARK: Parts

    private mutating func addPart(_ given: [String]) {
        let words = withoutTotal(PrintingWords.arePackaging(given) ? given : PrintingWords.withoutEdition(given))
        if words.isEmpty { return }
        // "В 2 томах" and "In Two Volumes" state the number of volumes in the set.
        if words.count == 3, TitleWords.isFiller(words[0]) || words[0].count < 3, Numeral.isNumber(words[1]),
            Numeral.isVolumeWord(words[2]), words[2] != "book"
        {
            return
        }
        if parts.isEmpty { addTitle(words) } else { addSubtitle(words) }
    }

    private mutating func addTitle(_ given: [String]) {
        let words = PrintingWords.withoutComplete(given)
        mainKinds = EditionWords.read(words)
        let bare = TitleWords.withoutArticle(words)
        if bare.count < words.count { article = bare.first == words.first ? words.last : words.first }
        parts.append(bare)
    }

    private mutating func addSubtitle(_ words: [String]) {
        if words == ["the", "1", "edition"] {
            // "The First Edition" is a facsimile as often as a printing.
            addedKinds.insert(.annotated)
            return
        }
        if PrintingWords.arePackaging(words) || PrintingWords.nameAdditions(words) || PrintingWords.isBlurb(words)
            || (words == ["complete"] && !mainWords.contains(where: SubtitleShape.isForm))
        {
            return
        }
        if parts.count == 1, words.count > 1, Self.conjunctions.contains(words[0]) {
            hasAlternativeTitle = true
            parts.append(Array(words.dropFirst()))
            return
        }
        var kinds = EditionWords.read(words, subtitleOf: mainWords)
        // "Book One of the Century Trilogy" is only one of the three books.
        let isOfTrilogy =
            kinds == .collection && Numeral.isVolumeWord(words[0])
            && words.last.map(PrintingWords.seriesSizes.contains) == true
        if isOfTrilogy || SubtitleShape.plain.contains(words) { kinds = [] }
        if kinds.isEmpty, words.count > 3, Numeral.isVolumeWord(words[0]), Numeral.isNumber(words[1]),
            FunctionWords.partitives.contains(words[2]) || words[2] == "in", let label = SeriesLabel(in: words)
        {
            labels.append(label)
            return
        }
        addedKinds.formUnion(kinds)
        if !parts.dropFirst().contains(words) { parts.append(words) }
    }

    // MARK: Brackets

    private mutating func addBracket(_ given: [String]) {
        var words = withoutTotal(PrintingWords.withoutCountedEdition(given))
        if words.count > 2, words.prefix(2) == ["s", "f"] { words.replaceSubrange(..<2, with: ["sf"]) }
        // "Beginner Books(R)"
        if words.count > 1, let mark = words.last, ["r", "tm"].contains(mark) { words.removeLast() }
        takePartNumber(from: &words)
        // Catalogs put the article and the total in brackets: "Peste (La)", "Volume 1 (of 2)".
        if words.allSatisfy(TitleWords.isFiller) {
            article = article ?? words.first
            return
        }
        if words.count == 2, FunctionWords.partitives.contains(words[0]), Numeral.isNumber(words[1]) { return }
        if PrintingWords.nameAdditions(words) || PrintingWords.isBlurb(words) { return }
        if SubtitleShape.isDate(words) {
            bracketDates.append(words)
            return
        }
        // The name of a series may consist of numbers: "One Tuesday Morning (9/11, #1)".
        if words.count > 3, words[words.count - 2] == "issue", words.dropLast(2).allSatisfy(Numeral.isNumber) {
            labels.append(SeriesLabel(name: words.dropLast(2), number: words[words.count - 1]))
            return
        }
        if PrintingWords.areNeutral(words) {
            bracketYears += words.filter { Numeral.isNumber($0) && $0.utf8.count == 4 }
        }
        // "(Hitchhiker's Guide, #1)" adds nothing to "The Hitchhiker's Guide to the Galaxy": the title itself indicates this kind.
        let kinds = EditionWords.read(words, subtitleOf: mainWords).subtracting(mainKinds)
        if addNumber(words) || addLanguages(words) || addLabel(words, kinds) { return }
        addName(words, kinds)
    }

    /// Reads and removes the part number in "(A Song of Ice and Fire, #3: Part 1)", which is the first part of the third book.
    private mutating func takePartNumber(from words: inout [String]) {
        guard words.count > 3, let part = words.last, Numeral.isNumber(part), words[words.count - 2] == "part",
            words.dropLast(2).contains(where: Numeral.isNumber)
        else { return }
        bracketNumbers.append(part)
        hasPartNumber = true
        words.removeLast(2)
    }

    /// Reads a bracket as a number on its own; returns whether it is one.
    private mutating func addNumber(_ words: [String]) -> Bool {
        let numbers = words.filter(Numeral.isNumber)
        // The first number in "The Three (The Three, #1)" is the title.
        guard let number = numbers.first, [number] != mainWords, NumberComparison.isNumberOnly(words),
            !PrintingWords.areNeutral(words)
        else { return false }
        bracketNumbers.append(number)
        if words.contains("part") { hasPartNumber = true }
        if numbers.count == 2 { addedKinds.insert(.part) }
        return true
    }

    /// Reads a bracket as the language or languages of an edition; returns whether it names any.
    private mutating func addLanguages(_ words: [String]) -> Bool {
        if let pair = EditionWords.languages(in: words) {
            // The languages of a bilingual edition or of a translation.
            addedKinds.insert(.annotated)
            languages = pair
            bracketWords.append([pair])
            return true
        }
        guard PrintingWords.unfamiliar(words).isEmpty, let language = EditionWords.foreignLanguage(in: words) else {
            return false
        }
        // The language may already be evident from the title: "El arte de la guerra (Spanish Edition)".
        let shown = TitleWords.languages(of: allWords + [article].compactMap(\.self))
        if shown.isDisjoint(with: language.codes) { bracketWords.append([language.name]) }
        return true
    }

    /// Reads a bracket as a series with a number; returns whether it is one.
    private mutating func addLabel(_ words: [String], _ kinds: EditionKinds) -> Bool {
        guard let label = SeriesLabel(in: words),
            kinds.isEmpty || kinds == .collection || Self.isNamedGuide(words)
        else { return false }
        // A range of numbers means several parts in one volume.
        let isRange = words.count > 1 && Numeral.isNumber(words[words.count - 2])
        if !isRange {
            labels.append(label)
        } else if NumberComparison.isNamed(self, by: label, exactly: true) {
            hasAllVolumes = true
        } else if words.count > 2, words[words.count - 3] == "book" {
            // "(Riverside, Books 1-3)"
            addedKinds.insert(.collection)
        }
        return true
    }

    /// Reads a bracket as the name of a series, or as other words.
    private mutating func addName(_ words: [String], _ kinds: EditionKinds) {
        let names = PrintingWords.unfamiliar(words)
        // "(Black Jewels Trilogy)" is the book's series; "(The Complete Trilogy)" means several books.
        let isTrilogy =
            kinds == .collection && names.count > 1
            && PrintingWords.withoutBinding(words).last.map(PrintingWords.seriesSizes.contains) == true
        if isTrilogy, Set(names.dropLast()) == Set(mainWords.filter(TitleWords.tells)),
            !parts.dropFirst().contains(where: SubtitleShape.plain.contains)
        {
            namesOwnTrilogy = true
            return
        }
        if !isTrilogy { addedKinds.formUnion(kinds) }
        if isTrilogy || (kinds.isEmpty && !names.isEmpty && PrintingWords.nameSeries(words)) {
            seriesNames.append(words)
        } else if !names.isEmpty {
            bracketWords.append(words.filter { names.contains($0) || SeriesLabel.nouns.contains($0) })
        }
    }

    /// Whether the word "guide" is only part of the name of a series: true for "(Hitchhiker's Guide, #2)", which is a series of novels, and false for
    /// "(SparkNotes Literature Guide, #2)".
    private static func isNamedGuide(_ words: [String]) -> Bool {
        words.contains("issue") && EditionWords.read(words.filter { $0 != "guide" }).isEmpty
    }

    /// Words without the total in "part 1 of 2", which is not the book's number. Adds the kind `part` if the title is that of a part of the book.
    private mutating func withoutTotal(_ words: [String]) -> [String] {
        guard words.count > 2,
            let index = words.indices.dropFirst().dropLast().first(where: { index in
                FunctionWords.partitives.contains(words[index]) && Numeral.isNumber(words[index - 1])
                    && Numeral.isNumber(words[index + 1])
            })
        else { return words }
        // Numbered volumes and books belong to the set; a part may be a part of the book itself.
        let counter = index > 1 ? words[index - 2] : ""
        if counter == "part" || (!Numeral.isVolumeWord(counter) && !TitleWords.tells(counter)) {
            addedKinds.insert(.part)
        }
        return Array(words[..<index] + words[(index + 2)...])
    }

    /// This title with its end read as a series label, if the other title shows that it is one (``SeriesEnding``).
    func namingSeries(like other: TitleForms) -> TitleForms {
        guard let ending = SeriesEnding.of(self, like: other) else { return self }
        var named = self
        named.parts = ending.parts
        named.labels.append(ending.label)
        if ending.hasSeriesNoun { named.addedKinds.remove(.collection) }
        if ending.includesBracket { named.bracketNumbers = [] }
        return named
    }
}
