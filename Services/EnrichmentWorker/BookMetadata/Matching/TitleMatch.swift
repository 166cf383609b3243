package import BookstrackContract

/// Scores the answers to a search by title and author (spec/04 "Search and enrichment").
package enum TitleMatch {
    /// From here on a candidate is the book.
    package static let verified = 0.85
    /// From here on a candidate may be the book.
    package static let needsReview = 0.6
    /// Most near misses kept.
    package static let mostCandidates = 3

    /// Below this a candidate has nothing to do with the question.
    static let nearMiss = 0.3
    private static let titleWeight = 0.55
    /// Agreement of authors that one side does not name, or that are written in different scripts.
    private static let unknownAuthors = 0.4
    /// What a title alone can reach.
    private static let titleOnly = 0.9
    private static let derivative = 0.55
    /// Scores closer than this do not tell two books apart.
    private static let tie = 0.02

    /// The best of the candidates, which are in their providers' order, and how sure it is.
    ///
    /// - Parameter year: Year of publication, where the client knows one.
    package static func best(
        for query: BookQuery, year: Int? = nil, among candidates: [BookCandidate]
    ) -> MatchVerdict {
        guard let title = query.title, !MatchKey.words(title).isEmpty else { return .notFound(candidates: []) }
        let question = Question(title: title, author: query.author, year: year)
        // A stable sort: of equal scores the provider's order decides.
        let scored = candidates.map { ScoredCandidate(candidate: $0, score: score($0, for: question)) }
            .enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element)
        guard let best = scored.first, best.score >= needsReview else {
            return .notFound(candidates: Array(scored.filter { $0.score >= nearMiss }.prefix(mostCandidates)))
        }
        let agreeing = scored.dropFirst().filter { $0.score >= verified && isSameBook($0.candidate, best.candidate) }
            .map(\.candidate)
        let isSure = best.score >= verified && !(question.authors.isEmpty && isAmbiguous(scored))
        return isSure ? .verified(best, agreeing: agreeing) : .needsReview(best, agreeing: agreeing)
    }

    /// How well a candidate answers, from 0 to 1.
    static func score(_ candidate: BookCandidate, for question: Question) -> Double {
        guard let title = candidate.title else { return 0 }
        let forms = TitleForms(title, subtitle: candidate.subtitle)
        let titleScore = TitleSimilarity.score(question.forms, forms)
        var score = titleScore * titleOnly
        if !question.authors.isEmpty {
            score = titleScore * titleWeight + authorScore(candidate, question.authors) * (1 - titleWeight) * titleScore
        }
        let rawWords = MatchKey.words(title) + MatchKey.words(candidate.subtitle ?? "")
        if DerivativeWork.isDerivative(rawWords, asked: question.rawWords, rawTitle: title) { score *= derivative }
        return min(1, max(0, score + yearBonus(candidate.firstPublicationYear, question.year)))
    }

    /// The best agreement of any two people, the first asked author counting most.
    static func authorScore(_ candidate: BookCandidate, _ asked: [AuthorName]) -> Double {
        let names = candidate.authors.compactMap { AuthorName($0.name) }
        let comparisons = asked.enumerated().flatMap { index, author in
            names.compactMap { name in author.similarity(to: name).map { index == 0 ? $0 : $0 * 0.95 } }
        }
        return comparisons.max() ?? unknownAuthors
    }

    private static func yearBonus(_ year: Int?, _ asked: Int?) -> Double {
        guard let year, let asked else { return 0 }
        return abs(year - asked) <= 1 ? 0.03 : (abs(year - asked) > 10 ? -0.03 : 0)
    }

    /// Whether a question without author has several equally good answers by different people.
    private static func isAmbiguous(_ scored: [ScoredCandidate]) -> Bool {
        guard let best = scored.first else { return false }
        return scored.dropFirst().contains { other in
            best.score - other.score < tie && !haveCommonAuthor(best.candidate, other.candidate)
        }
    }

    private static func isSameBook(_ one: BookCandidate, _ other: BookCandidate) -> Bool {
        one.provider != other.provider && haveCommonAuthor(one, other)
    }

    private static func haveCommonAuthor(_ one: BookCandidate, _ other: BookCandidate) -> Bool {
        let names = other.authors.compactMap { AuthorName($0.name) }
        return one.authors.compactMap { AuthorName($0.name) }.contains { name in
            names.contains { (name.similarity(to: $0) ?? 0) >= 0.7 }
        }
    }

    /// The asked title and authors, taken apart once.
    struct Question {
        let forms: TitleForms
        let rawWords: [String]
        let authors: [AuthorName]
        let year: Int?

        init(title: String, author: String?, year: Int? = nil) {
            forms = TitleForms(title)
            rawWords = MatchKey.words(title)
            authors = author.map(AuthorName.list) ?? []
            self.year = year
        }
    }
}
