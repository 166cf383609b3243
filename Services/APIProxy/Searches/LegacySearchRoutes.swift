import BookstrackContract
import Foundation
import HTTPTypes
import Hummingbird
import SuiteMethods

/// The deprecated searches, in their own shape (http-api.md "Routes" and "Deprecated searches").
struct LegacySearchRoutes: Sendable {
    let link: SearchLink
    let trustedProxies: TrustedProxies
    /// `BOOKSTRACK_SUNSET`
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
