import BookstrackContract

/// Collects works, their editions and their authors into an answer in which `editions[i]` belongs to `works[i]`
/// (spec/02 "Routes").
struct SearchResultsBuilder {
    private var works: [WorkDTO] = []
    private var leading: [EditionDTO] = []
    private var further: [EditionDTO] = []
    private var authors = AuthorList()

    var workCount: Int { works.count }

    /// Adds a book; one without any title is left out.
    mutating func add(_ ranked: RankedBook) {
        let groups = ranked.book.editionGroups
        guard let first = groups.first, let primary = ranked.book.primary else { return }
        let others = groups.dropFirst()
        let merge = BookMerge(
            asked: nil, editions: first, works: ranked.book.works, otherEditions: Array(others.joined()),
            primary: primary)
        guard let book = merge.result(ranked.reviewStatus), let edition = book.edition else { return }
        works.append(book.work)
        leading.append(edition)
        further += others.map { EditionMerge(records: $0, primary: primary).edition() }
        authors.add(book.authors)
    }

    func results(total: Int) -> SearchResults {
        SearchResults(works: works, editions: leading + further, authors: authors.authors, totalResults: total)
    }
}
