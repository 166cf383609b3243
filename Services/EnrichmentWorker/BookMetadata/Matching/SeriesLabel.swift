/// The series and volume in a title: "(Mistborn, Book 1)", ": Book One of The Wheel of Time".
struct SeriesLabel: Hashable, Sendable {
    let name: [String]
    let number: String

    /// Words that any series may add to its name.
    static let nouns: Set<String> = [
        "series", "saga", "trilogy", "cycle", "chronicle", "chronicles", "sequence", "novels", "novel", "reihe",
        "mystery", "mysteries",
    ]

    /// Whether a noun shows that the words before it name a series: "saga", "trilogy".
    static func identifiesSeries(_ noun: String) -> Bool {
        identifyingNouns.contains(noun) || PrintingWords.seriesSizes.contains(noun)
    }

    private static let identifyingNouns: Set<String> = [
        "series", "saga", "cycle", "chronicle", "chronicles", "sequence", "reihe",
    ]

    init(name: [String], number: String) {
        (self.name, self.number) = (name, number)
    }

    /// Reads a name followed by a number, or a number followed by a filler such as "of" and the name; `nil` for other words, and for a number that
    /// is too large to count volumes (``Numeral/mayCountVolumes(_:)``).
    init?(in words: [String]) {
        guard let index = words.lastIndex(where: Numeral.isNumber) else { return nil }
        guard index == words.count - 1 || (index <= 1 && TitleWords.isFiller(words[index + 1])) else { return nil }
        // Publishers' series have larger numbers: "(Daw Book Collectors, No. 1131)".
        guard Numeral.mayCountVolumes(words[index]) else { return nil }
        name = words.filter {
            !Numeral.isNumber($0) && !Numeral.isVolumeWord($0) && !TitleWords.isFiller($0) && !Self.nouns.contains($0)
        }
        number = words[index]
        if name.isEmpty { return nil }
    }
}

/// The end of a title, read as a series label: "A Clash of Kings: A Song of Ice and Fire: Book Two".
///
/// The title before it must agree with the other title. If the series follows the title, the other title must also contain the series, a noun must
/// indicate a series, or the book must be the first. "The Hunger Games: Catching Fire: Book 2" therefore has no label and is not mistaken for the
/// first book.
struct SeriesEnding {
    let label: SeriesLabel
    /// The parts of the title that do not belong to the label.
    let parts: [[String]]
    /// Whether the label has a noun such as "Trilogy", which does not mean a collection here.
    private(set) var hasSeriesNoun = false
    /// Whether the number in brackets belongs to the label.
    private(set) var includesBracket = false

    static func of(_ title: TitleForms, like other: TitleForms) -> SeriesEnding? {
        if let ending = around(other, in: title) { return ending }
        guard title.mainWords == other.mainWords else { return nil }
        return numbered(title, like: other) ?? counted(title, like: other)
    }

    private init(label: SeriesLabel, parts: [[String]]) {
        (self.label, self.parts) = (label, parts)
    }

    /// A label instead of the last parts of a title.
    private init(_ name: some Sequence<String>, _ number: String, insteadOf count: Int, of title: TitleForms) {
        let name = name.filter { !TitleWords.isFiller($0) && !SeriesLabel.nouns.contains($0) }
        self.init(label: SeriesLabel(name: name, number: number), parts: title.parts.dropLast(count))
    }

    /// The ending of a title with the series before it and the number after it: "Famous Five: Five on a Treasure Island: Book 1".
    private static func around(_ other: TitleForms, in title: TitleForms) -> SeriesEnding? {
        guard title.parts.count == 3, other.parts.count == 1, let number = title.parts[2].last,
            Numeral.isNumber(number), NumberComparison.isNumberOnly(title.parts[2]),
            TitleWords.withoutArticle(title.parts[1]) == other.mainWords
        else { return nil }
        let name = title.mainWords.filter { !TitleWords.isFiller($0) }
        return SeriesEnding(label: SeriesLabel(name: name, number: number), parts: other.parts)
    }

    /// The ending of a title whose subtitle is a series, with the number at its end or in a bracket: "All the Pretty Horses: Border Trilogy 1".
    private static func numbered(_ title: TitleForms, like other: TitleForms) -> SeriesEnding? {
        guard title.parts.count == 2, var name = title.parts.last else { return nil }
        var number = title.bracketNumbers.count == 1 && !title.hasPartNumber ? title.bracketNumbers[0] : nil
        if number == nil, let last = name.last, Numeral.isNumber(last), Numeral.mayCountVolumes(last) {
            number = name.popLast()
        }
        guard let number else { return nil }
        if let counter = name.last, Numeral.isVolumeWord(counter), counter != "serial" { name.removeLast() }
        let ending = SeriesEnding(name, number, insteadOf: 1, of: title)
        if other.labels.contains(where: { $0.number == number && Set($0.name) == Set(ending.label.name) }) {
            return ending
        }
        guard name.count > 1, let noun = name.last, noun == "serial" || SeriesLabel.identifiesSeries(noun) else {
            return nil
        }
        var named = SeriesEnding(name.dropLast(), number, insteadOf: 1, of: title)
        (named.hasSeriesNoun, named.includesBracket) = (true, true)
        return named
    }

    /// The ending of a title with a word for a volume and its number, after the series or in a part of their own: "Tales of the Otori, Book 2".
    private static func counted(_ title: TitleForms, like other: TitleForms) -> SeriesEnding? {
        guard title.parts.count > 1, var name = title.parts.last, let number = name.popLast(),
            Numeral.isNumber(number), let counter = name.popLast()
        else { return nil }
        let before = title.parts[title.parts.count - 2]
        let isApart = name.allSatisfy(TitleWords.isFiller)
        if isApart, title.parts.count == 2 { return nil }
        // "The Kingkiller Chronicle: Day One" counts its volumes in its own way.
        if isApart, let noun = before.last, SeriesLabel.nouns.contains(noun), !["novel", "mystery"].contains(noun) {
            return SeriesEnding(before, number, insteadOf: 2, of: title)
        }
        guard Numeral.isVolumeWord(counter) else { return nil }
        if isApart { name = before }
        var ending = SeriesEnding(name, number, insteadOf: isApart ? 2 : 1, of: title)
        ending.hasSeriesNoun = name.contains(where: PrintingWords.seriesSizes.contains)
        let series = ending.label.name
        let isShared = other.labels.contains { !Set($0.name).isDisjoint(with: series) }
        let isNamed =
            !isApart && counter == "book" && other.subtitleWords.isEmpty
            && name.contains { SeriesLabel.nouns.contains($0) || $0 == "tales" }
        let isFirst = number == "1" && counter == "book" && !other.subtitleWords.starts(with: series)
        return !series.isEmpty && (isShared || isNamed || isFirst) ? ending : nil
    }
}
