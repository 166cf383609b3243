import BookstrackContract
import HTTPTypes
import Hummingbird
import JSONRPC
import NIOCore
import SuiteMethods

/// The three searches and the editions of a work (contract §6.1, spec/02 "Routes").
struct SearchRoutes: Sendable {
    /// Its answers repeat `metadata` as `meta`, where a shipped app reads it (spec/07).
    private static let advanced = "/v1/search/advanced"

    let link: SearchLink
    let trustedProxies: TrustedProxies

    var routes: [Route] {
        [
            route("/v1/search/isbn") { parameters throws(APIFailure) in try parameters.isbn() },
            route("/v1/search/title") { parameters throws(APIFailure) in try parameters.title() },
            route(Self.advanced) { parameters throws(APIFailure) in try parameters.advanced() },
            route("/v1/editions/search") { parameters throws(APIFailure) in try parameters.editions() },
        ]
    }

    private func route(
        _ path: String, _ query: @escaping @Sendable (SearchParameters) throws(APIFailure) -> SearchQuery
    ) -> Route {
        Route(.get, path, limit: .search) { request, context in
            let parameters = SearchParameters(uri: request.uri.description)
            try parameters.checkNumbers()
            let query = try query(parameters)
            let found = try await link.find(
                .init(query: query, shape: .contract),
                of: trustedProxies.shareKey(peer: context.peer, fields: request.headers), for: context.channel)
            return Response(found, context.exchange, repeatsMetadata: path == Self.advanced)
        }
    }
}

extension Response {
    /// Longest time for which a client need not ask again; answers get better while authors and gaps are filled in.
    private static let longestClientAge = 300

    private static let cacheSource = HTTPField.Name.known("X-Cache")

    /// The fields of a found answer.
    static func cacheFields(_ found: FoundAnswer) -> HTTPFields {
        let clientAge = min(found.freshSeconds, longestClientAge)
        var fields: HTTPFields = [
            .contentType: StandardFields.json, cacheSource: found.source.rawValue,
            .cacheControl: clientAge > 0 ? "private, max-age=\(clientAge)" : "no-store",
        ]
        if found.source != .miss { fields[.age] = "\(found.ageSeconds)" }
        return fields
    }

    /// The answer in the envelope of spec/02, its data passed through.
    fileprivate init(_ found: FoundAnswer, _ exchange: Exchange, repeatsMetadata: Bool) {
        var metadata = exchange.metadata
        metadata.provider = found.provider
        metadata.cached = found.source != .miss
        metadata.stale = found.source == .stale ? true : nil
        metadata.providers = found.providers
        self.init(
            status: .ok, headers: Self.cacheFields(found),
            body: .init(
                byteBuffer: SuccessEnvelopeText.around(
                    found.data, metadata: metadata, repeatsMetadata: repeatsMetadata)))
    }
}
