package import BookstrackContract

/// Judges the results of a search by title and author (metadata.md "Lookup"). `Matching.md` explains the rules.
package enum TitleMatch {
    /// Minimum score for a candidate that is the book.
    package static let verified = 0.85
    /// Minimum score for a candidate that may be the book.
    package static let needsReview = 0.6
    /// Maximum number of near misses kept.
    package static let maxCandidates = 3

    /// Minimum score for a near miss.
    static let nearMiss = 0.3
    private static let titleWeight = 0.55
    /// The agreement of authors that is assumed if one side has none or the names cannot be compared (``AuthorName/similarity(to:)``).
    private static let unknownAuthors = 0.4
    /// Maximum score for a query without an author.
    private static let titleOnly = 0.9
    /// Maximum scores for a candidate with a single objection: a doubt, or one that means another book.
    private static let maxForReview = 0.83
    private static let maxForOthers = 0.58
    /// Deduction from these maximum scores for each further objection.
    private static let furtherObjection = 0.01
    /// Maximum score for a title that another author used, too. It exceeds ``maxForReview``, so the title ranks above one that is itself in doubt.
    private static let maxForNamesake = 0.84

    /// The verdict on the best of the candidates, which are in their providers' order.
    package static func best(for query: BookQuery, among candidates: [BookCandidate]) -> MatchVerdict {
        let judged = judge(candidates, for: query)
        guard let best = judged.first, best.result.score >= needsReview else {
            return .notFound(
                candidates: judged.map(\.result).filter { $0.score >= nearMiss }.prefix(maxCandidates).map { $0 })
        }
        guard best.result.score >= verified else { return .needsReview(best.result) }
        let agreeing = judged.dropFirst().filter { other in
            other.result.score >= verified && other.result.candidate.provider != best.result.candidate.provider
                && other.forms.hasCommonAuthor(with: best.forms)
        }.map(\.result.candidate)
        return .verified(best.result, agreeing: agreeing)
    }

    /// All candidates with their scores and evidence, best first; none if the query has no title or if its title has no words.
    package static func judged(_ candidates: [BookCandidate], for query: BookQuery) -> [ScoredCandidate] {
        judge(candidates, for: query).map(\.result)
    }

    /// The best agreement between a requested author and an author of the book; the first requested author counts most.
    /// ``unknownAuthors`` if no names can be compared.
    static func authorScore(_ book: BookForms, _ asked: [AuthorName]) -> Double {
        bestAgreement(book, asked) ?? unknownAuthors
    }

    private struct Judged {
        var result: ScoredCandidate
        let forms: BookForms
    }

    private static func judge(_ candidates: [BookCandidate], for query: BookQuery) -> [Judged] {
        guard let title = query.title, !MatchKey.words(title).isEmpty else { return [] }
        let asked = ParsedQuery(title: title, author: query.author)
        let forms = candidates.map(BookForms.all(of:))
        let seriesTitles = BookForms.seriesTitles(of: forms.map { $0[0] })
        var judged = zip(candidates, forms).map { candidate, forms in
            let judgments = forms.map { judgment(of: $0, for: asked, seriesTitles: seriesTitles) }
            var best = judgments[0]
            if judgments.count > 1, judgments[1].score > best.score, !judgments[0].isOtherVolume {
                best = judgments[1]
            }
            return Judged(
                result: ScoredCandidate(candidate: candidate, score: best.score, evidence: best.evidence),
                forms: forms[0])
        }
        if asked.authors.isEmpty { doubtNamesakes(&judged) }
        let edition = PrintingWords.edition(TitleWords.folded(asked.forms.main))
        // Of candidates with equal scores, those of the requested edition are first; otherwise, they remain in the provider's order.
        let keys = judged.enumerated().map { offset, judged in
            (judged.result.score, isOf(edition, judged.result.candidate) ? 1 : 0, -offset)
        }
        return keys.sorted(by: >).map { judged[-$0.2] }
    }

    /// Whether a candidate's title has the words of an edition, such as "9th Edition".
    private static func isOf(_ edition: ArraySlice<String>, _ candidate: BookCandidate) -> Bool {
        guard !edition.isEmpty else { return false }
        let title = [candidate.title, candidate.subtitle].compactMap(\.self).joined(separator: " ")
        return edition.allSatisfy(TitleWords.folded(title).contains)
    }

    /// Adds a doubt if the query contains no author and several authors have books with the same title.
    private static func doubtNamesakes(_ judged: inout [Judged]) {
        let sure = judged.indices.filter { judged[$0].result.score >= verified }
        for index in sure {
            let isShared = judged.indices.contains { other in
                other != index && judged[other].result.score >= needsReview
                    && !judged[other].forms.authors.isEmpty
                    && judged[other].forms.title.mainWords == judged[index].forms.title.mainWords
                    && !judged[other].forms.hasCommonAuthor(with: judged[index].forms)
            }
            guard isShared else { continue }
            judged[index].result.evidence.append(.namesake)
        }
        for index in sure where judged[index].result.evidence.last == .namesake {
            judged[index].result.score = min(judged[index].result.score, maxForNamesake)
        }
    }

    /// The score and evidence for a candidate, before doubts about namesakes in the list are added.
    struct Judgment {
        /// The score, from 0 to 1.
        let score: Double
        let evidence: [MatchEvidence]

        /// Whether the volume numbers differ. This outweighs a better score of the best edition, whose translated title may lack the number.
        var isOtherVolume: Bool {
            evidence.contains { if case .otherNumber = $0 { true } else { false } }
        }
    }

    /// The judgment of a candidate.
    ///
    /// - Parameter seriesTitles: Main titles that several candidates have with different subtitles; empty for a candidate on its own.
    static func judgment(
        of book: BookForms, for asked: ParsedQuery, seriesTitles: Set<[String]> = []
    ) -> Judgment {
        let authors = asked.authors.isEmpty ? book.authors : asked.authors
        let comparison = TitleComparison(
            asked.forms, book.title, authors: authors, seriesTitles: seriesTitles)
        var evidence = comparison.evidence
        var score = comparison.similarity * titleOnly
        if !asked.authors.isEmpty {
            let agreement = bestAgreement(book, asked.authors)
            score = comparison.similarity * (titleWeight + (agreement ?? unknownAuthors) * (1 - titleWeight))
            evidence.append(agreement.map { .author($0) } ?? .unknownAuthor)
            if isAfterAnother(asked.authors, in: book), evidence.contains(where: \.isAddedByCandidate) {
                evidence.append(.laterAuthor)
            }
        } else if asked.hasPlaceholder, !book.authors.isEmpty {
            evidence.append(.placeholderAuthor)
        }
        var limit = evidence.map(\.limit).max() ?? .none
        if limit == .review, comparison.bothHaveOtherWords, evidence.contains(where: \.isVagueAuthor) { limit = .other }
        if comparison.areOfSeries { limit = .other }
        let deduction = furtherObjection * Double(evidence.count { $0.limit != .none } - 1)
        switch limit {
        case .none: break
        case .review: score = min(score, maxForReview - deduction)
        case .other: score = min(score, maxForOthers - deduction)
        }
        return Judgment(score: min(1, max(0, score)), evidence: evidence)
    }

    private static func bestAgreement(_ book: BookForms, _ asked: [AuthorName]) -> Double? {
        asked.enumerated().flatMap { index, author in
            book.authors.compactMap { name in author.similarity(to: name).map { index == 0 ? $0 : $0 * 0.95 } }
        }.max()
    }

    /// Whether a book has several authors, and the first one is not one of the requested authors.
    private static func isAfterAnother(_ asked: [AuthorName], in book: BookForms) -> Bool {
        guard let first = book.authors.first, book.authors.count > 1 else { return false }
        return asked.allSatisfy { ($0.similarity(to: first) ?? 1) < 0.5 }
    }

    /// The requested title and authors, parsed once.
    struct ParsedQuery {
        let forms: TitleForms
        let rawWords: [String]
        let authors: [AuthorName]
        /// Whether the query's author field has letters but names no person: "Anonymous", "Various".
        let hasPlaceholder: Bool

        init(title: String, author: String?) {
            forms = TitleForms(title)
            rawWords = MatchKey.words(title)
            authors = author.map(AuthorName.list) ?? []
            hasPlaceholder = authors.isEmpty && author?.contains { $0.isLetter } == true
        }
    }
}
