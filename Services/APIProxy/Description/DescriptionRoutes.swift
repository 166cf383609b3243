import HTTPTypes
import Hummingbird
import NIOCore

/// `/openapi.json`, `/asyncapi.json`, the page that shows both, and `/`, which redirects browsers to it. All are built once, at start-up.
struct DescriptionRoutes: Sendable {
    static let rootPath = "/"
    static let openAPIPath = "/openapi.json"
    static let asyncAPIPath = "/asyncapi.json"
    static let pagePath = "/docs"

    private let openAPI: ByteBuffer
    private let asyncAPI: ByteBuffer

    /// - Parameters:
    ///   - operations: The operations of all routes of the listener.
    ///   - addresses: URLs at which clients reach the listener.
    init(operations: [APIOperation], addresses: [String]) {
        openAPI = JSONBody.encode(OpenAPIDocument(operations: operations))
        asyncAPI = JSONBody.encode(
            AsyncAPIDocument(
                parameters: SocketOperations.all.flatMap(\.parameters),
                servers: addresses.compactMap(AsyncAPIDocument.Server.init)))
    }

    var routes: [Route] {
        [
            Self.document(Self.openAPIPath, Self.json, openAPI), Self.document(Self.asyncAPIPath, Self.json, asyncAPI),
            Self.document(Self.pagePath, DocsPage.fields, DocsPage.body), Self.root,
        ]
    }

    /// Redirects browsers to the page; other clients get the addresses of the documents.
    private static let root = Route(.get, rootPath) { request, context in
        guard request.headers[values: .accept].contains(where: { $0.lowercased().contains("text/html") }) else {
            var answer = Response.envelope(.ok, ServiceRoot(), context)
            answer.headers[.vary] = "Accept"
            return answer
        }
        return Response(status: .found, headers: [.location: pagePath, .vary: "Accept"])
    }

    private static let json: HTTPFields = [.contentType: StandardFields.json, .cacheControl: "public, max-age=300"]

    private static func document(_ path: String, _ fields: HTTPFields, _ body: ByteBuffer) -> Route {
        Route(.get, path) { _, _ in Response(status: .ok, headers: fields, body: .init(byteBuffer: body)) }
    }
}

/// The answer to `GET /`: the addresses of the documentation.
struct ServiceRoot: Codable, Sendable {
    var service = "BooksTrack API"
    var version = StandardFields.apiVersion
    var documentation = DescriptionRoutes.pagePath
    var openapi = DescriptionRoutes.openAPIPath
    var asyncapi = DescriptionRoutes.asyncAPIPath
    var health = "/health"
}
