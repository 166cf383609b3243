import BookstrackContract

/// A finding for or against a candidate being the requested book.
///
/// A finding against it limits the verdict: a doubt leaves the match for a person to review, and a different volume or work is never accepted.
enum MatchEvidence: Hashable, Sendable {
    /// Which of the two titles has something that the other lacks.
    enum Side: String, Hashable, Sendable {
        case asked = "the query"
        case candidate = "the candidate"
    }

    case sameTitle
    /// Words differ only by misspellings; the match is certain if more words agree than differ.
    case spelling(Int, isSure: Bool)
    /// The titles agree only in a translation that is appended to at least one of them.
    case translation([String])
    /// Years in brackets differ: two printings, or two years of a periodical.
    case otherYear([String], [String])
    /// One title is part of the other, which begins with further words, such as the name of a series.
    case half([String], Side, isExplained: Bool)
    case subtitle([String], Side, SubtitleShape)
    case otherSubtitle([String], [String], _ areOfSeries: Bool)
    /// Two subtitles describe the same subject.
    case sameSubject([String], [String])
    case extraWords([String], Side, isOther: Bool)
    case otherWords([String], [String], isOther: Bool)
    case sameNumber([String])
    case number([String], Side, isOther: Bool)
    case otherNumber([String], [String])
    /// The numbers are equal but count different things: volume 2, book 2.
    case otherCount([String])
    case otherSeries(SeriesLabel, SeriesLabel)
    case edition(EditionKinds, Side)
    case brackets([String], Side)
    /// The candidate's series, which the query does not contain.
    case series([String])
    case author(Double)
    case unknownAuthor
    /// Another author precedes the requested author, as in adaptations, and the candidate adds to the title.
    case laterAuthor
    /// The query's author is a placeholder such as "Anonymous", while the candidate's is a person.
    case placeholderAuthor
    /// Another author's book in the list has the same title, and the query contains no author.
    case namesake

    /// The limit that the evidence sets on a verdict.
    enum Limit: Int, Comparable {
        case none, review, other

        static func < (one: Limit, other: Limit) -> Bool { one.rawValue < other.rawValue }
    }

    var limit: Limit {
        switch self {
        case .sameTitle, .sameSubject, .sameNumber, .series, .unknownAuthor: .none
        case .spelling(_, let isSure): isSure ? .none : .review
        case .half: .none
        case .subtitle(_, _, let shape): shape == .descriptive ? .none : (shape == .title ? .other : .review)
        case .otherSubtitle(_, _, let areOfSeries): areOfSeries ? .other : .review
        case .extraWords(_, _, let isOther), .otherWords(_, _, let isOther): isOther ? .other : .review
        case .number(_, _, let isOther): isOther ? .other : .review
        case .otherNumber: .other
        case .laterAuthor, .otherCount, .otherSeries, .brackets, .namesake, .translation, .otherYear,
            .placeholderAuthor:
            .review
        case .edition(let kinds, _): kinds.isDisjoint(with: .otherBooks) ? .review : .other
        case .author(let similarity):
            similarity < 0.5 ? .other : (similarity < AuthorName.samePerson ? .review : .none)
        }
    }

    /// Whether both books have subtitles and the subtitles differ.
    var isOfSubtitles: Bool {
        switch self {
        case .otherSubtitle, .sameSubject: true
        default: false
        }
    }

    /// Whether only the candidate has a subtitle or an unexplained half before the title.
    var isAddedByCandidate: Bool {
        switch self {
        case .half(_, .candidate, isExplained: false), .subtitle(_, .candidate, _): true
        default: false
        }
    }

    /// Whether the authors' names are less similar than two titles require that each have words of their own.
    var isVagueAuthor: Bool {
        if case .author(let similarity) = self { similarity < 0.9 } else { false }
    }

    var explanation: String {
        let sign = limit == .none ? "+" : "−"
        return "\(sign) \(text)"
    }

    /// The evidence as sent to clients.
    var reason: MatchReport.Reason { MatchReport.Reason(agrees: limit == .none, text: text) }

    private var text: String {
        switch self {
        case .sameTitle: "the titles agree"
        case .spelling(let slips, _): "the titles agree except for \(slips) misspelled word\(slips == 1 ? "" : "s")"
        case .translation(let words): "\(Self.quoted(words)) is the title in another language"
        case .otherYear(let ours, let theirs):
            "the year \(ours.joined(separator: ", ")) was requested, not \(theirs.joined(separator: ", "))"
        case .half(let prefix, let side, let isExplained):
            "\(side.rawValue) has \(Self.quoted(prefix))"
                + (isExplained ? ", also found in the other title or the author's name," : "") + " before the title"
        case .subtitle(let words, let side, let shape):
            "only \(side.rawValue) has the subtitle \(Self.quoted(words))"
                + (shape == .descriptive
                    ? "" : (shape == .title ? ", a title in a series" : ", perhaps a title in a series"))
        case .otherSubtitle(let ours, let theirs, _):
            "the subtitles \(Self.quoted(ours)) and \(Self.quoted(theirs)) differ"
        case .sameSubject(let ours, let theirs):
            "the subtitles \(Self.quoted(ours)) and \(Self.quoted(theirs)) have the same subject"
        case .extraWords(let words, let side, _):
            "only \(side.rawValue) has the \(Self.plural("word", words)) \(Self.quoted(words))"
        case .otherWords(let ours, let theirs, _): "\(Self.quoted(ours)) was requested, not \(Self.quoted(theirs))"
        case .sameNumber(let numbers):
            "both have the \(Self.plural("number", numbers)) \(numbers.joined(separator: ", "))"
        case .number(let numbers, let side, _):
            "only \(side.rawValue) has the \(Self.plural("number", numbers)) \(numbers.joined(separator: ", "))"
        case .otherNumber(let ours, let theirs):
            "number \(ours.joined(separator: ", ")) was requested, not \(theirs.joined(separator: ", "))"
        case .otherCount(let numbers):
            "both have the number \(numbers.joined(separator: ", ")), but it counts different things"
        case .otherSeries(let ours, let theirs):
            "it is number \(theirs.number) of \(Self.quoted(theirs.name)); number \(ours.number) of \(Self.quoted(ours.name)) was requested"
        case .edition(let kinds, let side): "only \(side.rawValue) is marked as \(kinds.names.joined(separator: ", "))"
        case .brackets(let words, let side): "only \(side.rawValue) has \(Self.quoted(words)) in brackets"
        case .series(let words): "only the candidate names a series, \(Self.quoted(words))"
        case .author(let similarity):
            similarity < 0.5
                ? "the authors differ"
                : (similarity < AuthorName.samePerson
                    ? "the authors' names agree only partly" : "the authors agree")
        case .unknownAuthor: "the authors cannot be compared"
        case .laterAuthor: "the candidate's first author is different"
        case .placeholderAuthor: "the query does not name a person as the author"
        case .namesake: "another author wrote a book with this title"
        }
    }

    private static func plural(_ noun: String, _ items: [String]) -> String { items.count == 1 ? noun : noun + "s" }

    private static func quoted(_ words: [String]) -> String { "“\(words.joined(separator: " "))”" }
}

/// A candidate with its score and the evidence for that score.
package struct ScoredCandidate: Hashable, Sendable {
    package let candidate: BookCandidate
    /// From 0 to 1; the thresholds are those of `TitleMatch`.
    package internal(set) var score: Double
    /// The evidence for and against the candidate; empty if it was compared only with a spine (``SpineMatch``).
    var evidence: [MatchEvidence]

    /// One line: score, title, authors, provider, and the evidence.
    package var explanation: String {
        let authors = candidate.authors.map(\.name).joined(separator: ", ")
        let hundredths = Int((score * 100).rounded())
        let number = hundredths >= 100 ? "1.00" : "0." + (hundredths < 10 ? "0" : "") + String(hundredths)
        let title = [candidate.title, candidate.subtitle].compactMap { $0 }.joined(separator: ": ")
        return "\(number) \(title)" + (authors.isEmpty ? "" : " by \(authors)") + " (\(candidate.provider.rawValue)): "
            + evidence.map(\.explanation).joined(separator: "; ")
    }
}

/// The outcome of a search by title (metadata.md "Lookup").
package enum MatchVerdict: Hashable, Sendable {
    /// Certainly the book. `agreeing` contains other providers' candidates that are verified, too, and have an author in common with it.
    case verified(ScoredCandidate, agreeing: [BookCandidate])
    /// Probably the book; a person should review it.
    case needsReview(ScoredCandidate)
    /// Not the book. Up to three near misses, best first, are kept for review.
    case notFound(candidates: [ScoredCandidate])

    package var isVerified: Bool { if case .verified = self { true } else { false } }
}
