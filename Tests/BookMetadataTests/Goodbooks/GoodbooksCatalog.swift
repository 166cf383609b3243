import BookMetadata

/// The books in goodbooks10k as a provider's catalog, which responds to a search with the book and similar ones.
struct GoodbooksCatalog {
    let rows: [GoodbooksRow]
    let works: [BookCandidate]
    /// The same works, with only their original titles.
    let originals: [BookCandidate]
    private let rowsByAuthor: [String: [Int]]
    private let rowsByWord: [String: [Int]]

    /// Maximum number of the author's other books, and of books with similar titles, in a response.
    private static let maxOthers = 8
    /// Words that occur in this many titles or more are not useful for searching.
    private static let maxTitlesOfWord = 400

    init() throws {
        rows = try GoodbooksRow.all()
        works = try rows.enumerated().map { .work(try $0.element.work(number: $0.offset)) }
        originals = try rows.enumerated().map { row in
            .work(try row.element.work(number: row.offset, isEditionListed: false))
        }
        rowsByAuthor = Dictionary(grouping: rows.indices) { [rows] in rows[$0].authors[0] }
        var rowsByWord: [String: [Int]] = [:]
        for (index, row) in rows.enumerated() {
            for word in row.words { rowsByWord[word, default: []].append(index) }
        }
        self.rowsByWord = rowsByWord
    }

    /// Some of the author's other books, and the books with the most similar titles, without any row for the same book.
    func confusable(with index: Int) -> [Int] {
        let sameAuthor = rowsByAuthor[rows[index].authors[0], default: []].filter { $0 != index }
        return Set(sameAuthor.prefix(Self.maxOthers) + similarTitles(to: index))
            .filter { !rows[$0].isTwin(of: rows[index]) }.sorted()
    }

    private func similarTitles(to index: Int) -> [Int] {
        let words = rows[index].words
        var common: [Int: Int] = [:]
        for word in words {
            let others = rowsByWord[word, default: []]
            guard others.count < Self.maxTitlesOfWord else { continue }
            for other in others where other != index { common[other, default: 0] += 1 }
        }
        let ranked = common.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(4 * Self.maxOthers)
        let likeness = ranked.map { other, count in
            (index: other, share: Double(count) / Double(words.union(rows[other].words).count))
        }
        return likeness.sorted { ($1.share, $0.index) < ($0.share, $1.index) }.prefix(Self.maxOthers).map(\.index)
    }
}
