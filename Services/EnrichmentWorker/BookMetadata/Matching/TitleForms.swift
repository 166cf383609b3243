import BookstrackContract

/// The series and volume in a title: "(Mistborn, Book 1)", ": Book One of The Wheel of Time".
struct SeriesLabel: Hashable, Sendable {
    let name: [String]
    let number: String
}

/// A title parsed for comparison: its parts in order, and the contents of its brackets.
struct TitleForms {
    /// The title as written, without brackets and subtitle.
    let main: String
    /// Folded words between separators, with numbers in digits; the first part is the title, and the others are subtitles.
    private(set) var parts: [[String]] = []
    private(set) var labels: [SeriesLabel] = []
    /// Numbers on their own in brackets: "(2)", "(Book Two)".
    private(set) var bracketNumbers: [String] = []
    /// Whether the number in brackets is a part number: "(Part One)".
    private(set) var hasPartNumber = false
    /// Words in each bracket that are not packaging, a series label or a number.
    private(set) var bracketWords: [[String]] = []
    /// Series names in brackets without a number: "(African Writers Series)".
    private(set) var seriesNames: [[String]] = []
    /// The languages in brackets, in order: "(German-English)".
    private(set) var languages: String?
    /// Kinds of editions indicated by the title without subtitles.
    private(set) var mainKinds: EditionKinds = []
    /// Kinds of editions indicated by subtitles and brackets.
    private(set) var addedKinds: EditionKinds = []
    /// The article at the start of the title.
    private(set) var article: String?
    /// Whether a bracket names a trilogy with the same name as the title, as in "The Christmas Box (Christmas Box Trilogy)": the book is the
    /// trilogy's first or contains all of its books.
    private(set) var namesOwnTrilogy = false
    /// Whether a bracket has a range of volumes of the series that the title names: "A Song of Ice and Fire (A Song of Ice and Fire, #1-5)".
    private(set) var hasAllVolumes = false
    /// Years on their own in brackets: "(1938)".
    private(set) var bracketYears: [String] = []
    /// Months with a year in brackets, as for a periodical: "(October 1884)".
    private(set) var bracketDates: [[String]] = []
    /// The title in another language, appended by catalogs: "Le Corbeau = The Raven".
    private(set) var translation: [String] = []
    /// Whether the second part is only an alternative title for the same book: "Frankenstein; or, The Modern Prometheus".
    private(set) var hasAlternativeTitle = false

    /// Folded words in the title without its subtitles.
    var mainWords: [String] { parts.first ?? [] }
    /// Folded words in the subtitles; empty without a subtitle.
    var subtitleWords: [String] { parts.count > 1 ? Array(parts.dropFirst().joined()) : [] }
    /// Whether there are several titles separated by slashes.
    private(set) var isSlashed = false

    /// Whether the title is an enumeration, which a series name never is: "Guns, Germs, and Steel".
    var isEnumeration: Bool { main.contains(", ") && mainWords.contains("and") }

    /// All words in labels and brackets that may name a series.
    var addedNames: [String] { labels.flatMap(\.name) + bracketWords.joined() + seriesNames.joined() }
    /// Folded words in title and subtitles.
    var allWords: [String] { parts.count == 1 ? parts[0] : Array(parts.joined()) }

    /// Words before an alternative title for the same book.
    static let conjunctions: Set<String> = [
        "or", "oder", "ou", "или", "czyli", "albo", "avagy", "eller", "ossia", "ovvero",
    ]

    /// Maximum length of a title or subtitle, the same as in a query, because the cost of a comparison grows faster than the length.
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
            let (subtitleLine, _) = TitlePunctuation.separatingBrackets(subtitle)
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

    private mutating func addPart(_ words: [String]) {
        if words.isEmpty { return }
        let words = withoutTotal(PrintingWords.arePackaging(words) ? words : PrintingWords.withoutEdition(words))
        if words.isEmpty { return }
        // "В 2 томах" and "In Two Volumes" state the number of volumes in the set.
        if words.count == 3, TitleWords.isFiller(words[0]) || words[0].count < 3, Numeral.isNumber(words[1]),
            Numeral.isVolumeWord(words[2]), words[2] != "book"
        {
            return
        }
        guard let title = parts.first else {
            let words = PrintingWords.withoutComplete(words)
            mainKinds = EditionWords.read(words)
            let bare = TitleWords.withoutArticle(words)
            if bare.count < words.count { article = bare.first == words.first ? words.last : words.first }
            parts.append(bare)
            return
        }
        if words == ["the", "1", "edition"] {
            // "The First Edition" is a facsimile as often as a printing.
            addedKinds.insert(.annotated)
            return
        }
        if PrintingWords.arePackaging(words) || PrintingWords.nameAdditions(words) || PrintingWords.praise(words)
            || (words == ["complete"] && !title.contains(where: SubtitleShape.isForm))
        {
            return
        }
        if parts.count == 1, words.count > 1, Self.conjunctions.contains(words[0]) {
            hasAlternativeTitle = true
            parts.append(Array(words.dropFirst()))
            return
        }
        var found = EditionWords.read(words, subtitleOf: title)
        if !found.isEmpty, SubtitleShape.plain.contains(words) { found = [] }
        // "Book One of the Century Trilogy" is only one of the three books.
        if found == .collection, words.last.map(PrintingWords.seriesSizes.contains) == true,
            Numeral.isVolumeWord(words[0])
        {
            found = []
        }
        if found.isEmpty, words.count > 3, Numeral.isVolumeWord(words[0]), Numeral.isNumber(words[1]),
            FunctionWords.partitives.contains(words[2]) || words[2] == "in", let label = Self.label(in: words)
        {
            labels.append(label)
            return
        }
        addedKinds.formUnion(found)
        if !parts.dropFirst().contains(words) { parts.append(words) }
    }

    private mutating func addBracket(_ words: [String]) {
        var words = withoutTotal(PrintingWords.withoutCountedEdition(words))
        if words.count > 2, words.prefix(2) == ["s", "f"] { words.replaceSubrange(..<2, with: ["sf"]) }
        // "Beginner Books(R)"
        if words.count > 1, let mark = words.last, ["r", "tm"].contains(mark) { words.removeLast() }
        // "(A Song of Ice and Fire, #3: Part 1 of 2)": part of the third book.
        if words.count > 3, let part = words.last, Numeral.isNumber(part), words[words.count - 2] == "part",
            words.dropLast(2).contains(where: Numeral.isNumber)
        {
            bracketNumbers.append(part)
            hasPartNumber = true
            words.removeLast(2)
        }
        // Catalogs put the article and the total in brackets: "Peste (La)", "Volume 1 (of 2)".
        if words.allSatisfy(TitleWords.isFiller) {
            article = article ?? words.first
            return
        }
        if words.count == 2, FunctionWords.partitives.contains(words[0]), Numeral.isNumber(words[1]) { return }
        if PrintingWords.nameAdditions(words) || PrintingWords.praise(words) { return }
        // A series with "guide" in its name does not make the book a guide.
        let found = EditionWords.read(words, subtitleOf: mainWords).subtracting(mainKinds)
        let numbers = words.filter(Numeral.isNumber)
        let years = numbers.filter { $0.utf8.count == 4 }
        if !years.isEmpty, PrintingWords.areNeutral(words) { bracketYears += years }
        let names = PrintingWords.unfamiliar(words)
        let isNumber = !words.contains {
            !Numeral.isNumber($0) && !Numeral.isVolumeWord($0) && !TitleWords.isFiller($0)
        }
        if SubtitleShape.isDate(words) {
            bracketDates.append(words)
            return
        }
        // "One Tuesday Morning (9/11, #1)"
        if words.count > 3, words[words.count - 2] == "issue", words.dropLast(2).allSatisfy(Numeral.isNumber) {
            labels.append(SeriesLabel(name: Array(words.dropLast(2)), number: words[words.count - 1]))
            return
        }
        // "The Three (The Three, #1)"
        if let number = numbers.first, isNumber, [number] != mainWords, !PrintingWords.areNeutral(words) {
            bracketNumbers.append(number)
            if words.contains("part") { hasPartNumber = true }
            if numbers.count == 2 { addedKinds.insert(.part) }
        } else if let pair = EditionWords.languages(in: words) {
            // The languages of a bilingual edition or of a translation.
            addedKinds.insert(.annotated)
            languages = pair
            bracketWords.append([pair])
        } else if names.isEmpty, let language = EditionWords.foreignLanguage(in: words) {
            // The language may already be evident from the title: "El arte de la guerra (Spanish Edition)".
            let shown = TitleWords.languages(of: allWords + [article].compactMap(\.self))
            if shown.isDisjoint(with: language.codes) { bracketWords.append([language.name]) }
        } else if let label = Self.label(in: words), found.isEmpty || found == .collection || Self.isNamedGuide(words) {
            // A range of numbers means several parts in one volume.
            if words.count < 2 || !Numeral.isNumber(words[words.count - 2]) {
                labels.append(label)
            } else if NumberComparison.isNamed(self, by: label, exactly: true) {
                hasAllVolumes = true
            } else if words.count > 2, words[words.count - 3] == "book" {
                // "(Riverside, Books 1-3)"
                addedKinds.insert(.collection)
            }
        } else {
            // "(Black Jewels Trilogy)" is the book's series; "(The Complete Trilogy)" means several books.
            let isTrilogy =
                found == .collection
                && PrintingWords.withoutBinding(words).last.map(PrintingWords.seriesSizes.contains) == true
            let isOwn = Set(names.dropLast()) == Set(mainWords.filter(TitleWords.tells))
            if isTrilogy, isOwn, names.count > 1, !parts.dropFirst().contains(where: SubtitleShape.plain.contains) {
                namesOwnTrilogy = true
                return
            }
            let isSeries = isTrilogy && names.count > 1
            if !isSeries { addedKinds.formUnion(found) }
            if isSeries || (found.isEmpty && !names.isEmpty && PrintingWords.nameSeries(words)) {
                seriesNames.append(words)
            } else if !names.isEmpty {
                bracketWords.append(words.filter { names.contains($0) || Self.seriesNouns.contains($0) })
            }
        }
    }

    /// Whether the word "guide" is only part of the name of a series: true for "(Hitchhiker's Guide, #2)", which is a series of novels, and false for
    /// "(SparkNotes Literature Guide, #2)".
    private static func isNamedGuide(_ words: [String]) -> Bool {
        words.contains("issue") && EditionWords.read(words.filter { $0 != "guide" }).isEmpty
    }

    /// Words without the total in "part 1 of 2", which is not the book's number.
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

    /// The series label in words: a name followed by a number, or a number followed by "of" and the name.
    private static func label(in words: [String]) -> SeriesLabel? {
        guard let index = words.lastIndex(where: Numeral.isNumber) else { return nil }
        guard index == words.count - 1 || (index <= 1 && TitleWords.isFiller(words[index + 1])) else { return nil }
        // Publishers' series have larger numbers: "(Daw Book Collectors, No. 1131)".
        guard Numeral.mayCountVolumes(words[index]) else { return nil }
        let name = words.filter {
            !Numeral.isNumber($0) && !Numeral.isVolumeWord($0) && !TitleWords.isFiller($0) && !seriesNouns.contains($0)
        }
        return name.isEmpty ? nil : SeriesLabel(name: name, number: words[index])
    }

    /// This title with its end interpreted as a series label: "A Clash of Kings: A Song of Ice and Fire: Book Two".
    ///
    /// This requires that the titles before it agree, so "The Hunger Games: Catching Fire: Book 2" is not mistaken for the first book. In addition,
    /// the other title must contain the series, a noun must indicate a series, or the book must be the first.
    func namingSeries(like other: TitleForms) -> TitleForms {
        if let named = numberingSeries(around: other) { return named }
        guard parts.count > 1, mainWords == other.mainWords, var name = parts.last, let number = name.popLast(),
            Numeral.isNumber(number), let counter = name.popLast()
        else { return self }
        let isApart = name.allSatisfy(TitleWords.isFiller)
        // "The Kingkiller Chronicle: Day One" counts its volumes in its own way.
        if isApart, parts.count > 2, let noun = parts[parts.count - 2].last, Self.seriesNouns.contains(noun),
            !["novel", "mystery"].contains(noun)
        {
            return with(label: parts[parts.count - 2], number, insteadOf: 2)
        }
        guard Numeral.isVolumeWord(counter) else { return self }
        if isApart, parts.count == 2 { return self }
        if isApart { name = parts[parts.count - 2] }
        // The noun in "Tales of the Otori, Book 2" indicates a series.
        let isSeries =
            !isApart && counter == "book" && other.subtitleWords.isEmpty
            && name.contains { Self.seriesNouns.contains($0) || $0 == "tales" }
        let isOfSeries = name.contains(where: PrintingWords.seriesSizes.contains)
        name.removeAll { TitleWords.isFiller($0) || Self.seriesNouns.contains($0) }
        let isShared = other.labels.contains { !Set($0.name).isDisjoint(with: name) }
        guard !name.isEmpty,
            isShared || isSeries || (number == "1" && counter == "book" && !other.subtitleWords.starts(with: name))
        else { return self }
        var named = with(label: name, number, insteadOf: isApart ? 2 : 1)
        if isOfSeries { named.addedKinds.remove(.collection) }
        return named
    }

    /// This title with its series and number as a label, if nouns or its middle part indicate that the rest is a series: "All the Pretty Horses:
    /// Border Trilogy 1", "Famous Five: Five on a Treasure Island: Book 1".
    private func numberingSeries(around other: TitleForms) -> TitleForms? {
        if parts.count == 3, parts[2].last.map(Numeral.isNumber) == true, NumberComparison.isNumberOnly(parts[2]),
            TitleWords.withoutArticle(parts[1]) == other.mainWords, other.parts.count == 1, let number = parts[2].last
        {
            var named = self
            named.parts = [other.mainWords]
            named.labels.append(SeriesLabel(name: mainWords.filter { !TitleWords.isFiller($0) }, number: number))
            return named
        }
        guard parts.count == 2, mainWords == other.mainWords, var name = parts.last else { return nil }
        var number = bracketNumbers.count == 1 && !hasPartNumber ? bracketNumbers[0] : nil
        if number == nil, let last = name.last, Numeral.isNumber(last), Numeral.mayCountVolumes(last) {
            number = name.popLast()
        }
        if let counter = name.last, Numeral.isVolumeWord(counter), counter != "serial" { name.removeLast() }
        let known = Set(name.filter { !TitleWords.isFiller($0) && !Self.seriesNouns.contains($0) })
        if let number, other.labels.contains(where: { $0.number == number && Set($0.name) == known }) {
            return with(label: name, number, insteadOf: 1)
        }
        guard let number, name.count > 1, let noun = name.last,
            noun == "serial" || Self.isSeriesNoun(noun)
        else { return nil }
        var named = with(label: name.dropLast(), number, insteadOf: 1)
        named.bracketNumbers = []
        named.addedKinds.remove(.collection)
        return named
    }

    /// Whether a noun occurs only in series names.
    static func isSeriesNoun(_ noun: String) -> Bool {
        series.contains(noun) || PrintingWords.seriesSizes.contains(noun)
    }

    private static let series: Set<String> = [
        "series", "saga", "cycle", "chronicle", "chronicles", "sequence", "reihe",
    ]

    /// This title with a label instead of its last parts.
    private func with(label name: [String], _ number: String, insteadOf count: Int) -> TitleForms {
        var named = self
        named.parts.removeLast(count)
        let words = name.filter { !TitleWords.isFiller($0) && !Self.seriesNouns.contains($0) }
        named.labels.append(SeriesLabel(name: words, number: number))
        return named
    }

    /// Words that any series may add to its name.
    static let seriesNouns: Set<String> = [
        "series", "saga", "trilogy", "cycle", "chronicle", "chronicles", "sequence", "novels", "novel", "reihe",
        "mystery", "mysteries",
    ]
}
