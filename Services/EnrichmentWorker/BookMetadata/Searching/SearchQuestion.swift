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
    func score(_ candidate: BookCandidate) -> Double {
        guard !question.rawWords.isEmpty else { return TitleMatch.authorScore(candidate, question.authors) }
        return max(TitleMatch.score(candidate, for: question), scoreWithoutAuthorWords(candidate))
    }

    /// The score when the words that name the candidate's author are taken for the author.
    private func scoreWithoutAuthorWords(_ candidate: BookCandidate) -> Double {
        candidate.authors.lazy.compactMap { AuthorName($0.name)?.words }.map { name -> Double in
            guard let family = name.last, family.count > 1, freeWords.contains(family) else { return 0 }
            var title = freeWords.filter { !name.contains($0) }
            if title.last == "by" { title.removeLast() }
            guard !title.isEmpty else { return TitleMatch.needsReview }
            let named = freeWords.filter { name.contains($0) }.joined(separator: " ")
            return TitleMatch.score(
                candidate, for: TitleMatch.Question(title: title.joined(separator: " "), author: named))
        }.max() ?? 0
    }
}
