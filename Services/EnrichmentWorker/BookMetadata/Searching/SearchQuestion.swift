/// What a search asks for, and how well a record answers it.
struct SearchQuestion {
    /// Title and author as asked; without a title, the author alone counts.
    private let question: TitleMatch.Question
    /// Words of a title that may name the author as well, because nobody asked for one: "dune frank herbert".
    private let freeWords: [String]

    init(title: String, author: String?) {
        question = TitleMatch.Question(title: title, author: author)
        freeWords = question.authors.isEmpty ? question.rawWords : []
    }

    /// From 0 to 1, by the thresholds of `TitleMatch`.
    func score(_ book: BookForms) -> Double {
        guard !question.rawWords.isEmpty else { return TitleMatch.authorScore(book, question.authors) }
        return max(TitleMatch.score(book, for: question), scoreWithoutAuthorWords(book))
    }

    /// The score when the words that name the candidate's author are taken for the author.
    private func scoreWithoutAuthorWords(_ book: BookForms) -> Double {
        guard !freeWords.isEmpty else { return 0 }
        return book.authors.lazy.map(\.words).map { name -> Double in
            guard let family = name.last, family.count > 1, freeWords.contains(family) else { return 0 }
            var title = freeWords.filter { !name.contains($0) }
            if title.last == "by" { title.removeLast() }
            guard !title.isEmpty else { return TitleMatch.needsReview }
            let named = freeWords.filter { name.contains($0) }.joined(separator: " ")
            return TitleMatch.score(book, for: TitleMatch.Question(title: title.joined(separator: " "), author: named))
        }.max() ?? 0
    }
}
