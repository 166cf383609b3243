import BookstrackContract
import HTTPTypes
import Hummingbird
import JSON
import JSONRPC
import NIOCore
import NIOHTTP1
import SuiteMethods

/// The three searches and the editions of a work (http-api.md "Routes").
struct SearchRoutes: Sendable {
    /// Responses on this path repeat `metadata` as `meta`, where a shipped app expects it (http-api.md "Envelope").
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
        let repeatsMetadata = path == Self.advanced
        @Sendable func question(_ uri: String) throws(APIFailure) -> SearchLink.Question {
            let parameters = SearchParameters(uri: uri)
            try parameters.checkNumbers()
            return .init(query: try query(parameters), shape: .contract)
        }
        var route = Route(.get, path, limit: .search) { request, context in
            let found = try await link.find(
                try question(request.uri.description),
                of: trustedProxies.shareKey(peer: context.peer, fields: request.headers), for: context.channel)
            return Response(
                status: .ok, headers: found.fields,
                body: .init(byteBuffer: found.envelope(context.exchange, repeatsMetadata: repeatsMetadata)))
        }
        route.loopHandler = { request in
            // The router responds to a malformed query.
            guard let question = try? question(request.head.uri), let found = link.fresh(question) else { return nil }
            return FoundAtOnce(found, repeatsMetadata: repeatsMetadata)
        }
        return route
    }
}

/// A search whose result is in memory.
private final class FoundAtOnce: LoopWork {
    private let found: FoundAnswer
    private let repeatsMetadata: Bool

    init(_ found: FoundAnswer, repeatsMetadata: Bool) {
        self.found = found
        self.repeatsMetadata = repeatsMetadata
    }

    func start(_ exchange: LoopExchange) {
        exchange.answer(.ok, found.fields, found.envelope(exchange.exchange, repeatsMetadata: repeatsMetadata))
    }

    func cancel() {}
}

extension FoundAnswer {
    /// Maximum time for which clients may cache a result, in seconds: short, because results improve as facts about authors and missing fields are
    /// added.
    private static let maxClientAge = 300

    private static let cacheSource = HTTPField.Name.known("X-Cache")

    /// Header fields of the HTTP response.
    var fields: HTTPFields {
        let clientAge = min(freshSeconds, Self.maxClientAge)
        var fields: HTTPFields = [
            .contentType: StandardFields.json, Self.cacheSource: source.rawValue,
            // A client subtracts `Age` from `max-age` (RFC 9111 §4.2).
            .cacheControl: clientAge > 0 ? "private, max-age=\(ageSeconds + clientAge)" : "no-store",
        ]
        if source != .miss { fields[.age] = "\(ageSeconds)" }
        return fields
    }

    /// The data, passed through unchanged, in the envelope of http-api.md "Envelope".
    fileprivate func envelope(_ exchange: Exchange, repeatsMetadata: Bool) -> ByteBuffer {
        var metadata = exchange.metadata
        metadata.provider = provider
        metadata.cached = source != .miss
        metadata.stale = source == .stale ? true : nil
        metadata.providers = providers
        return SuccessEnvelopeText.around(data, metadata: metadata, repeatsMetadata: repeatsMetadata)
    }
}

/// A `SuccessEnvelope` around data that is already JSON (Services/README.md "JSON-RPC").
enum SuccessEnvelopeText {
    private static let opening = ByteBuffer(staticString: "{\"data\":")
    private static let beforeMetadata = ByteBuffer(staticString: ",\"metadata\":")
    private static let beforeMeta = ByteBuffer(staticString: ",\"meta\":")
    private static let closing = ByteBuffer(staticString: ",\"success\":true}")

    /// - Parameter repeatsMetadata: Whether `metadata` is repeated as `meta`.
    static func around(_ data: ByteBuffer, metadata: ResponseMetadata, repeatsMetadata: Bool = false) -> ByteBuffer {
        let about = json(metadata)
        var text = ByteBuffer()
        text.reserveCapacity(data.readableBytes + 2 * about.readableBytes + 64)
        let repetition = repeatsMetadata ? [beforeMeta, about] : []
        for part in [opening, data, beforeMetadata, about] + repetition + [closing] { text.writeImmutableBuffer(part) }
        return text
    }

    /// The metadata as JSON text. Without provider reports, it is written member by member, because encoding it takes several times as long as
    /// writing the rest of the response.
    static func json(_ metadata: ResponseMetadata) -> ByteBuffer {
        guard metadata.providers == nil else {
            do {
                return try BodyCoding.encode(metadata)
            } catch {
                preconditionFailure("the metadata cannot be encoded: \(error)")
            }
        }
        var text = JSONWriter()
        text.openObject()
        text.writeMember("timestamp", metadata.timestamp, at: 1)
        if let time = metadata.processingTime { text.writeMember("processingTime", time, at: 1) }
        if let provider = metadata.provider { text.writeMember("provider", provider, at: 1) }
        if let cached = metadata.cached { text.writeMember("cached", cached, at: 1) }
        if let stale = metadata.stale { text.writeMember("stale", stale, at: 1) }
        text.close(to: 0)
        return text.buffer
    }
}
