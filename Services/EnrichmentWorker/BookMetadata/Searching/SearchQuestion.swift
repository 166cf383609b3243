import BookstrackContract

/// A search, and the scoring of records against it.
struct SearchQuestion {
    /// The requested title and author; without a title, the author alone counts.
    private let query: TitleMatch.ParsedQuery
    /// Words of a title that may also contain the author, because the search has no separate author: "dune frank herbert".
    private let freeWords: [String]

    init(title: String, author: String?) {
        query = TitleMatch.ParsedQuery(title: title, author: author)
        freeWords = query.authors.isEmpty ? query.rawWords : []
    }

    /// The score of a book, from 0 to 1, to be compared with the thresholds of `TitleMatch`.
    func score(_ book: BookForms) -> Double { judgment(of: book).score }

    /// The score of a book, with the evidence for it.
    func judgment(of book: BookForms) -> TitleMatch.Judgment {
        guard !query.rawWords.isEmpty else {
            let score = TitleMatch.authorScore(book, query.authors)
            return TitleMatch.Judgment(score: score, evidence: [.author(score)])
        }
        let judgment = TitleMatch.judgment(of: book, for: query)
        guard let other = judgmentWithoutAuthorWords(of: book), other.score > judgment.score else { return judgment }
        return other
    }

    /// The best judgment if the words that match one of the candidate's authors are treated as the author; nil if no author's family name is among
    /// the words.
    private func judgmentWithoutAuthorWords(of book: BookForms) -> TitleMatch.Judgment? {
        guard !freeWords.isEmpty else { return nil }
        return book.authors.lazy.compactMap { author -> TitleMatch.Judgment? in
            guard let family = author.words.last, family.count > 1, freeWords.contains(family) else { return nil }
            // A single initial may be a word of the title: "I, Robot" by Isaac Asimov.
            let name = author.words + [author.initials].filter { $0.count > 1 }
            var title = freeWords.filter { !name.contains($0) }
            if title.last == "by" { title.removeLast() }
            guard !title.isEmpty else {
                return TitleMatch.Judgment(score: TitleMatch.needsReview, evidence: [.author(1)])
            }
            let named = freeWords.filter { name.contains($0) }.joined(separator: " ")
            return TitleMatch.judgment(
                of: book, for: TitleMatch.ParsedQuery(title: title.joined(separator: " "), author: named))
        }.max { $0.score < $1.score }
    }
}

/// A found book with its score.
struct RankedBook {
    let book: FoundBook
    let score: Double
    /// Decides between books whose tier and position are equal.
    private let order: Int

    init(_ book: FoundBook, score: Double, order: Int) {
        self.book = book
        self.score = score
        self.order = order
    }

    /// Why the book has its rank: the judgment of its best-matching record.
    func match(for question: SearchQuestion) -> MatchReport.Work {
        let best = book.forms.map { question.judgment(of: $0) }.max { $0.score < $1.score }
        let verdict: MatchReport.Verdict =
            score >= TitleMatch.verified ? .verified : (score >= TitleMatch.needsReview ? .needsReview : .other)
        return MatchReport.Work(
            title: book.title ?? "", authors: book.authorNames, verdict: verdict,
            score: (score * 100).rounded(.down) / 100, reasons: best?.evidence.map(\.reason) ?? [])
    }

    var reviewStatus: ReviewStatus { score >= TitleMatch.verified ? .verified : .needsReview }

    /// The sort key: verified matches, then those that need review, then others; within each group, the provider's own order, which reflects what
    /// people search for.
    var rank: (tier: Int, position: Int, order: Int) {
        let tier = score >= TitleMatch.verified ? 0 : (score >= TitleMatch.needsReview ? 1 : 2)
        return (tier, book.position, order)
    }
}
