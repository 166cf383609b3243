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

    var reviewStatus: ReviewStatus { score >= TitleMatch.verified ? .verified : .needsReview }

    /// Sure answers, doubtful ones, others; among them the providers' own order, which knows what people look for.
    var rank: (tier: Int, position: Int, order: Int) {
        let tier = score >= TitleMatch.verified ? 0 : (score >= TitleMatch.needsReview ? 1 : 2)
        return (tier, book.position, order)
    }
}
