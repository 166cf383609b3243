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
        let scored = candidates.map { candidate in
            let forms = BookForms.all(of: candidate)
            let score = forms.map { Self.score($0, for: question) }.max() ?? 0
            return Scored(candidate: candidate, forms: forms[0], score: score)
        }
        .enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element)
        guard let best = scored.first, best.score >= needsReview else {
            return .notFound(candidates: scored.filter { $0.score >= nearMiss }.prefix(mostCandidates).map(\.result))
        }
        let agreeing = scored.dropFirst().filter { other in
            other.score >= verified && other.candidate.provider != best.candidate.provider
                && other.forms.hasCommonAuthor(with: best.forms)
        }.map(\.candidate)
        let isSure = best.score >= verified && !(question.authors.isEmpty && isAmbiguous(scored))
        return isSure ? .verified(best.result, agreeing: agreeing) : .needsReview(best.result, agreeing: agreeing)
    }

    /// How well a candidate answers, from 0 to 1.
    static func score(_ book: BookForms, for question: Question) -> Double {
        let titleScore = TitleSimilarity.score(question.forms, book.title)
        var score = titleScore * titleOnly
        if !question.authors.isEmpty {
            score = titleScore * titleWeight + authorScore(book, question.authors) * (1 - titleWeight) * titleScore
        }
        if book.announced != question.announced { score *= derivative }
        return min(1, max(0, score + yearBonus(book.year, question.year)))
    }

    /// The best agreement of any two people, the first asked author counting most.
    static func authorScore(_ book: BookForms, _ asked: [AuthorName]) -> Double {
        let comparisons = asked.enumerated().flatMap { index, author in
            book.authors.compactMap { name in author.similarity(to: name).map { index == 0 ? $0 : $0 * 0.95 } }
        }
        return comparisons.max() ?? unknownAuthors
    }

    private static func yearBonus(_ year: Int?, _ asked: Int?) -> Double {
        guard let year, let asked else { return 0 }
        return abs(year - asked) <= 1 ? 0.03 : (abs(year - asked) > 10 ? -0.03 : 0)
    }

    /// Whether a question without author has several equally good answers by different people.
    private static func isAmbiguous(_ scored: [Scored]) -> Bool {
        guard let best = scored.first else { return false }
        return scored.dropFirst().contains { other in
            best.score - other.score < tie && !best.forms.hasCommonAuthor(with: other.forms)
        }
    }

    private struct Scored {
        let candidate: BookCandidate
        let forms: BookForms
        let score: Double

        var result: ScoredCandidate { ScoredCandidate(candidate: candidate, score: score) }
    }

    /// The asked title and authors, taken apart once.
    struct Question {
        let forms: TitleForms
        let rawWords: [String]
        let announced: DerivativeWork
        let authors: [AuthorName]
        let year: Int?

        init(title: String, author: String?, year: Int? = nil) {
            forms = TitleForms(title)
            rawWords = MatchKey.words(title)
            announced = DerivativeWork.announced(by: rawWords, rawTitle: title)
            authors = author.map(AuthorName.list) ?? []
            self.year = year
        }
    }
}
