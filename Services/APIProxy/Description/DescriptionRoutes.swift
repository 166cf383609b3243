import HTTPTypes
import Hummingbird
import NIOCore

/// `/openapi.json` and `/asyncapi.json`. They are made once and do not change while the process runs.
struct DescriptionRoutes: Sendable {
    static let openAPIPath = "/openapi.json"
    static let asyncAPIPath = "/asyncapi.json"

    private let openAPI: ByteBuffer
    private let asyncAPI: ByteBuffer

    /// `operations` are those of every route of the listener.
    init(operations: [APIOperation]) {
        openAPI = JSONBody.encode(OpenAPIDocument(operations: operations))
        asyncAPI = JSONBody.encode(AsyncAPIDocument(parameters: SocketOperations.all.flatMap(\.parameters)))
    }

    var routes: [Route] {
        [
            Self.document(Self.openAPIPath, StandardFields.json, openAPI),
            Self.document(Self.asyncAPIPath, StandardFields.json, asyncAPI),
        ]
    }

    private static func document(_ path: String, _ type: String, _ body: ByteBuffer) -> Route {
        let fields: HTTPFields = [.contentType: type, .cacheControl: "public, max-age=300"]
        return Route(.get, path) { _, _ in Response(status: .ok, headers: fields, body: .init(byteBuffer: body)) }
    }
}
