import BookstrackContract
import Foundation
import HTTPTypes
import Hummingbird
import SuiteMethods

/// The deprecated searches, with their own response format (http-api.md "Routes" and "Deprecated searches").
struct LegacySearchRoutes: Sendable {
    let link: SearchLink
    let trustedProxies: TrustedProxies
    /// When the deprecated routes will be removed (`BOOKSTRACK_SUNSET`).
    let sunset: Date

    var routes: [Route] {
        [
            route("/search/title", successor: "/v1/search/title") { parameters throws(APIFailure) in
                try parameters.legacyTitle()
            },
            route("/search/isbn", successor: "/v1/search/isbn") { parameters throws(APIFailure) in
                try parameters.legacyISBN()
            },
            route("/search/author", successor: "/v1/search/advanced") { parameters throws(APIFailure) in
                try parameters.legacyAuthor()
            },
            route("/search/advanced", successor: "/v1/search/advanced") { parameters throws(APIFailure) in
                try parameters.legacyAdvanced()
            },
        ]
    }

    private func route(
        _ path: String, successor: String,
        _ query: @escaping @Sendable (SearchParameters) throws(APIFailure) -> SearchQuery
    ) -> Route {
        let deprecation = Deprecation(successor: successor, sunset: sunset)
        return Route(.get, path, limit: .search) { request, context in
            let parameters = SearchParameters(uri: request.uri.description)
            try parameters.checkNumbers()
            let query = try query(parameters)
            let found = try await link.find(
                .init(query: query, shape: .volumes),
                of: trustedProxies.shareKey(peer: context.peer, fields: request.headers), for: context.channel)
            return Response(
                status: .ok, headers: HTTPFields(Array(found.fields) + Array(deprecation.fields())),
                body: .init(byteBuffer: found.data))
        }
    }
}

// The parameters of the deprecated searches (http-api.md "Deprecated searches").
extension SearchParameters {
    private static let authorLimits = 1...100
    private static let offsets = 0...100_000

    /// The query of `GET /search/title`.
    func legacyTitle() throws(APIFailure) -> SearchQuery {
        try title(limit: try maxResults())
    }

    /// The query of `GET /search/isbn`.
    func legacyISBN() throws(APIFailure) -> SearchQuery {
        _ = try maxResults()
        let text = try required(items["isbn"] == nil && items["q"] != nil ? "q" : "isbn")
        return SearchQuery(.isbn, isbn: try isbn(text), limit: 1)
    }

    /// The query of `GET /search/author`.
    func legacyAuthor() throws(APIFailure) -> SearchQuery {
        guard let author = try author("q") else { throw Self.refusal("q", "is missing") }
        return SearchQuery(
            .author, author: author, limit: try number("limit", in: Self.authorLimits) ?? Self.maxWorks,
            offset: try number("offset", in: Self.offsets) ?? 0, order: try order())
    }

    /// The query of `GET /search/advanced`.
    func legacyAdvanced() throws(APIFailure) -> SearchQuery {
        let limit = try maxResults()
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
