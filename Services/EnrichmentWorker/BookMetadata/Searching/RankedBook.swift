import BookstrackContract

/// A found book and how well it answers the question.
struct RankedBook {
    let book: FoundBook
    let score: Double
    /// Decides between equals.
    private let order: Int

    init(_ book: FoundBook, score: Double, order: Int) {
        self.book = book
        self.score = score
        self.order = order
    }

    /// Why it stands where it does: the judgement of the record that answers best.
    func match(for question: SearchQuestion) -> MatchReport.Work {
        let best = book.forms.map { question.judgement(of: $0) }.max { $0.score < $1.score }
        let verdict: MatchReport.Verdict =
            score >= TitleMatch.verified ? .verified : (score >= TitleMatch.needsReview ? .needsReview : .other)
        return MatchReport.Work(
            title: book.title ?? "", authors: book.authorNames, verdict: verdict,
            score: (score * 100).rounded(.down) / 100, reasons: best?.evidence.map(\.reason) ?? [])
    }

    var reviewStatus: ReviewStatus { score >= TitleMatch.verified ? .verified : .needsReview }

    /// Sure answers, doubtful ones, others; among them the providers' own order, which knows what people look for.
    var rank: (tier: Int, position: Int, order: Int) {
        let tier = score >= TitleMatch.verified ? 0 : (score >= TitleMatch.needsReview ? 1 : 2)
        return (tier, book.position, order)
    }
}
