import SuiteMethods

// The parameters of the deprecated searches (http-api.md "Deprecated searches").
extension SearchParameters {
    private static let authorLimits = 1...100
    private static let offsets = 0...100_000

    /// `GET /search/title`
    func legacyTitle() throws(APIFailure) -> SearchQuery {
        try title(limit: try mostResults())
    }

    /// `GET /search/isbn`
    func legacyISBN() throws(APIFailure) -> SearchQuery {
        _ = try mostResults()
        let text = try required(items["isbn"] == nil && items["q"] != nil ? "q" : "isbn")
        return SearchQuery(.isbn, isbn: try isbn(text), limit: 1)
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
        let limit = try mostResults()
        if let byNumber = try byNumber() { return byNumber }
        return try advanced(
            title: items["title"] == nil ? "bookTitle" : "title",
            author: items["author"] == nil ? "authorName" : "author", limit: limit)
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
