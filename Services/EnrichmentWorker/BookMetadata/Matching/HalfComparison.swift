/// Compares two titles if one is part of the other: "The Final Empire" and "Mistborn: The Final Empire".
struct HalfComparison {
    let similarity: Double
    private(set) var evidence: [MatchEvidence] = []
    /// Number of parts at the start of each title that contain its series.
    private(set) var prefixes = (asked: 0, book: 0)

    /// The words in a title before and after the part that equals the other title.
    private struct Half {
        let prefix: [String]
        /// Number of parts in the prefix.
        let count: Int
        let rest: [String]
    }

    /// - Parameter names: The words in the authors' names; an author's name after a colon is not a title.
    /// - Returns: `nil` if neither title is a later part of the other, if that part has fewer than four letters or is followed by different subtitles
    ///   in the two titles, if the words before it indicate a kind of edition, or if the requested title consists of the authors' names.
    init?(_ asked: TitleForms, _ book: TitleForms, names: Set<String>) {
        if !names.isEmpty, names.isSuperset(of: asked.mainWords) { return nil }
        let title: TitleForms
        let other: TitleForms
        let side: MatchEvidence.Side
        let half: Half
        if let found = Self.half(of: book, like: asked) {
            (title, other, side, half) = (book, asked, .candidate, found)
            prefixes.book = found.count
        } else if let found = Self.half(of: asked, like: book) {
            (title, other, side, half) = (asked, book, .asked, found)
            prefixes.asked = found.count
        } else {
            return nil
        }
        let prefix = half.prefix
        guard EditionWords.read(prefix).isEmpty else { return nil }
        let name = Set(prefix.filter { !Numeral.isNumber($0) && !Numeral.isVolumeWord($0) && !TitleWords.isFiller($0) })
        let known = Set(other.addedNames + other.subtitleWords)
        let isExplained = !name.isDisjoint(with: known) || name.isSubset(of: names)
        similarity = isExplained ? 0.97 : 0.95
        evidence.append(.half(prefix, side, isExplained: isExplained))
        if !isExplained, let isOther = Self.doubt(about: other, after: prefix, of: half.count, side) {
            evidence.append(.extraWords(prefix, side, isOther: isOther))
        }
        // "Chapterhouse: Dune (Dune Chronicles, #6)" is not "Dune", after which the series is named.
        for label in title.labels where label.number != "1" && NumberComparison.isNamed(other, by: label) {
            evidence.append(.number([label.number], side, isOther: true))
        }
        addRest(half, other, side)
        // A prefix such as "Vampire Kisses 1-3" indicates several books.
        if prefix.suffix(2).count == 2, prefix.suffix(2).allSatisfy(Numeral.isNumber) {
            evidence.append(.edition(.collection, side))
        }
        if let number = prefix.last(where: Numeral.isNumber) {
            for label in other.labels where label.number != number && !name.isDisjoint(with: label.name) {
                evidence.append(.otherNumber([number], [label.number]))
            }
        }
    }

    private static func half(of title: TitleForms, like other: TitleForms) -> Half? {
        guard title.parts.count > 1,
            let index = title.parts.dropFirst().firstIndex(where: {
                NumberComparison.withoutVolume(TitleWords.withoutArticle($0))
                    == NumberComparison.withoutVolume(other.mainWords)
            }),
            title.parts[index].joined().count > 3
        else { return nil }
        let rest = Array(title.parts[(index + 1)...].joined())
        guard rest.isEmpty || other.subtitleWords.isEmpty || rest == other.subtitleWords else { return nil }
        return Half(prefix: Array(title.parts[..<index].joined()), count: index, rest: rest)
    }

    /// Whether a half is something other than the book's title: true if it is, false if it may be, nil if the half is certainly a title.
    private static func doubt(about half: TitleForms, after prefix: [String], of parts: Int, _ side: MatchEvidence.Side)
        -> Bool?
    {
        let words = half.mainWords.filter(TitleWords.tells)
        // "Days and Dreams: Poems" is not "Poems".
        if !words.isEmpty, words.allSatisfy(SubtitleShape.isForm) { return true }
        // "The Story of a Life" may be a book other than "Tzili: The Story of a Life".
        if words.count < 3, SubtitleShape.describes(half.mainWords) { return false }
        // "The Forsyte Saga: Indian Summer of a Forsyte: In Chancery" has a further title.
        if parts > 1 || mayNameSeries(half, after: prefix) { return false }
        // So many words are hardly the name of a series.
        return side == .candidate && prefix.count(where: TitleWords.tells) > 3 ? false : nil
    }

    /// Whether a half may be the name of a series that follows the book's title, as in "Chapterhouse: Dune" and "Mockingjay: The Hunger Games": the
    /// title that consists of the half has a label that contains its words, or a range of volumes, or the half is a single word. A single word is
    /// nevertheless the book's title if the series before it repeats the word, is numbered ("The Divine Comedy I: Inferno"), is recognizable by its
    /// noun ("The Twilight Saga: Eclipse") or is a publisher's ("Penguin Classics: Emma").
    private static func mayNameSeries(_ half: TitleForms, after prefix: [String]) -> Bool {
        if half.hasAllVolumes || half.labels.contains(where: { NumberComparison.isNamed(half, by: $0) }) { return true }
        let words = half.mainWords.filter { !TitleWords.isFiller($0) }
        let isAfterSeries =
            prefix.contains(where: { $0 == words.first || Numeral.isNumber($0) })
            || prefix.last.map(SeriesLabel.identifiesSeries) == true
            || (PrintingWords.areNeutral(prefix) && PrintingWords.nameSeries(prefix))
        return words.count == 1 && !isAfterSeries
    }

    /// Adds the evidence of both titles' subtitles.
    private mutating func addRest(_ half: Half, _ other: TitleForms, _ side: MatchEvidence.Side) {
        guard half.rest != other.subtitleWords else { return }
        let otherSide: MatchEvidence.Side = side == .asked ? .candidate : .asked
        for (words, side) in [(half.rest, side), (other.subtitleWords, otherSide)] {
            // "The Final Empire: Mistborn" has the same halves in reverse order.
            let isSeries = words.allSatisfy { half.prefix.contains($0) || !TitleWords.tells($0) }
            if isSeries || SubtitleShape.plain.contains(words) { continue }
            // "The Adrian Mole Diaries: The Secret Diary of Adrian Mole: The Growing Pains of Adrian Mole" is two
            // books.
            if words == half.rest, words.contains(where: { TitleWords.tells($0) && half.prefix.contains($0) }) {
                evidence.append(.edition(.collection, side))
                continue
            }
            evidence.append(.subtitle(words, side, SubtitleShape(words, onlyOf: side)))
        }
    }
}
