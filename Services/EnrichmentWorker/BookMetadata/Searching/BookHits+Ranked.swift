import BookstrackContract

extension BookHits {
    /// Adds a book with its editions, so that `editions[i]` belongs to `works[i]` (spec/02 "Routes"); one without any title is left
    /// out.
    mutating func add(_ ranked: RankedBook) {
        let groups = ranked.book.editionGroups
        guard let first = groups.first, let primary = ranked.book.primary else { return }
        let others = groups.dropFirst()
        let merge = BookMerge(
            asked: nil, editions: first, works: ranked.book.works, otherEditions: Array(others.joined()),
            primary: primary)
        guard let book = merge.result(ranked.reviewStatus), book.edition != nil else { return }
        books.append(book)
        furtherEditions += others.map { EditionMerge(records: $0, primary: primary).edition() }
    }
}
