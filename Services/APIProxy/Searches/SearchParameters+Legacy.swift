import BookstrackContract
import SuiteMethods

// The parameters of the deprecated searches (spec/07 "Deprecated search parameters").
extension SearchParameters {
    private static let legacyLimits = 1...40
    private static let authorLimits = 1...100
    private static let offsets = 0...100_000

    /// `GET /search/title`
    func legacyTitle() throws(APIFailure) -> SearchQuery {
        guard let title = try title("q") else { throw Self.refusal("q", "is missing") }
        return SearchQuery(.title, title: title, limit: try legacyLimit())
    }

    /// `GET /search/isbn`
    func legacyISBN() throws(APIFailure) -> SearchQuery {
        _ = try legacyLimit()
        return SearchQuery(.isbn, isbn: try isbn(items["isbn"] ?? items["q"] ?? ""), limit: 1)
    }

    /// `GET /search/author`
    func legacyAuthor() throws(APIFailure) -> SearchQuery {
        guard let author = try author("q") else { throw Self.refusal("q", "is missing") }
        return SearchQuery(
            .author, author: author, limit: try number("limit", in: Self.authorLimits) ?? Self.mostWorks,
            offset: try number("offset", in: Self.offsets) ?? 0, order: try order())
    }

    /// `GET /search/advanced`
    func legacyAdvanced() throws(APIFailure) -> SearchQuery {
        let limit = try legacyLimit()
        if let text = items["isbn"], !text.isEmpty { return SearchQuery(.isbn, isbn: try isbn(text), limit: 1) }
        let title = try title(items["title"] == nil ? "bookTitle" : "title")
        let author = try author(items["author"] == nil ? "authorName" : "author")
        guard title != nil || author != nil else {
            throw APIFailure(.invalidQuery, "At least one of title, author and isbn must be given.")
        }
        return SearchQuery(.advanced, title: title, author: author, limit: limit)
    }

    private func legacyLimit() throws(APIFailure) -> Int {
        try number("maxResults", in: Self.legacyLimits) ?? Self.mostWorks
    }

    private func order() throws(APIFailure) -> SearchQuery.Order? {
        guard let text = items["sortBy"] else { return nil }
        switch text {
        case "publicationYear": return .newest
        case "publicationYearAsc": return .oldest
        case "title": return .title
        case "popularity": return .popularity
        default:
            throw Self.refusal("sortBy", "must be publicationYear, publicationYearAsc, title or popularity")
        }
    }
}
