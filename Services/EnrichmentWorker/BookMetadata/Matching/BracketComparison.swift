/// Compares what stands in the brackets of two titles and is neither number, label nor edition.
struct BracketComparison {
    private(set) var evidence: [MatchEvidence] = []
    /// Whether the candidate names a series that the question does not: no objection, but a title without it comes first.
    private(set) var namesUnknownSeries = false

    init(_ asked: TitleForms, _ book: TitleForms, _ authors: [AuthorName]) {
        let names = authors.flatMap(\.words)
        for words in book.seriesNames {
            addSeries(words, known: Set(asked.addedNames + book.allWords + names), names: Set(names))
        }
        if asked.bracketWords.isEmpty, book.bracketWords.isEmpty { return }
        if let ours = asked.languages, let theirs = book.languages, ours != theirs {
            evidence.append(.otherWords([ours], [theirs], isOther: true))
            return
        }
        for (title, other, side) in [(asked, book, MatchEvidence.Side.asked), (book, asked, .candidate)] {
            // What the title says itself is no news in its bracket: "A Lincoln Rhyme Novel (Lincoln Rhyme Novels)".
            let known = Set(
                other.addedNames + other.allWords + title.allWords + names + [title.mainWords.initials])
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

    /// A series that is named after the author, "(Folger Shakespeare Library)", or collects what the title says, "(Dune Collection)",
    /// may be another edition or book.
    private mutating func addSeries(_ words: [String], known: Set<String>, names: Set<String>) {
        let unknown = words.filter {
            !TitleWords.isFiller($0) && !known.contains($0) && !PrintingWords.endsSeries($0)
        }
        let isAboutAuthor = !unknown.isEmpty && words.contains(where: names.contains)
        if isAboutAuthor || (unknown.isEmpty && words.last == "collection") {
            evidence.append(.brackets(words, .candidate))
        } else if !unknown.isEmpty {
            namesUnknownSeries = true
            evidence.append(.series(words))
        }
    }
}

extension [String] {
    /// The first letters of the words, by which brackets may repeat a title: "Blue Team Field Manual (BTFM)".
    fileprivate var initials: String { String(compactMap(\.first)) }
}
