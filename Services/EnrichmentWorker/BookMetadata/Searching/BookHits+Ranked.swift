import BookstrackContract

extension BookHits {
    /// Adds a book with its editions, so that `editions[i]` belongs to `works[i]` (http-api.md "Routes"); one without any title is left
    /// out.
    ///
    /// - Parameter question: What was asked, when the answer has to say why the book is in it.
    mutating func add(_ ranked: RankedBook, explainedFor question: SearchQuestion? = nil) {
        let groups = ranked.book.editionGroups
        guard let first = groups.first, let primary = ranked.book.primary else { return }
        let others = groups.dropFirst()
        let merge = BookMerge(
            asked: nil, editions: first, works: ranked.book.works, otherEditions: Array(others.joined()),
            primary: primary)
        guard let book = merge.result(ranked.reviewStatus), book.edition != nil else { return }
        books.append(book)
        if let question { matching?.works.append(ranked.match(for: question)) }
        furtherEditions += others.map { EditionMerge(records: $0, primary: primary).edition() }
    }
}
