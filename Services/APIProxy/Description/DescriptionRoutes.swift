import HTTPTypes
import Hummingbird
import NIOCore

/// `/openapi.json`, `/asyncapi.json` and the page that shows both. All three are built once, at startup.
struct DescriptionRoutes: Sendable {
    static let openAPIPath = "/openapi.json"
    static let asyncAPIPath = "/asyncapi.json"
    static let pagePath = "/docs"

    private let openAPI: ByteBuffer
    private let asyncAPI: ByteBuffer

    /// - Parameters:
    ///   - operations: The operations of the listener's routes, except those of the console.
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
            Self.document(Self.pagePath, DocsPage.fields, DocsPage.body),
        ]
    }

    private static let json: HTTPFields = [.contentType: StandardFields.json, .cacheControl: "public, max-age=300"]

    private static func document(_ path: String, _ fields: HTTPFields, _ body: ByteBuffer) -> Route {
        Route(.get, path) { _, _ in Response(status: .ok, headers: fields, body: .init(byteBuffer: body)) }
    }
}
