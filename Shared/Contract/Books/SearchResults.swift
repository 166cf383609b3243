/// `data` of the three searches (http-api.md "Searches" and "Routes").
///
/// `editions[i]` belongs to `works[i]`, because shipped clients pair them by index; further editions of a work follow after all
/// of those. Authors are unique by name in the order of first mention; `works` carry none.
public struct SearchResults: Codable, Sendable, Equatable {
    /// The works found, best first; at most 20.
    public var works: [WorkDTO]
    /// One edition per work in the same order, then further ones.
    public var editions: [EditionDTO]
    /// Everybody who wrote one of `works`.
    public var authors: [AuthorDTO]
    /// How many results the provider that knows most says there are.
    public var totalResults: Int
    /// Number of `works`.
    public var resultCount: Int
    /// Why each work stands where it does; only for a search by title that asks for it.
    public var matching: MatchReport?

    /// Nothing found.
    public static let none = SearchResults(works: [], editions: [], authors: [], totalResults: 0)

    /// Makes an answer; the total is never less than what is in it.
    public init(
        works: [WorkDTO], editions: [EditionDTO], authors: [AuthorDTO], totalResults: Int, matching: MatchReport? = nil
    ) {
        self.works = works
        self.editions = editions
        self.authors = authors
        self.totalResults = max(totalResults, works.count)
        resultCount = works.count
        self.matching = matching
    }
}
