/// `data` of `GET /v1/editions/search` (http-api.md "Routes").
public struct EditionResults: Codable, Sendable, Equatable {
    /// Editions of the work asked for, most complete first; at most the `limit` of the request.
    public var editions: [EditionDTO]
    /// How many editions the provider that knows most says there are.
    public var totalResults: Int
    /// Number of `editions`.
    public var resultCount: Int

    /// Makes an answer; the total is never less than what is in it.
    public init(editions: [EditionDTO], totalResults: Int) {
        self.editions = editions
        self.totalResults = max(totalResults, editions.count)
        resultCount = editions.count
    }
}
