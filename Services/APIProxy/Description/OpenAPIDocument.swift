import HTTPTypes

/// The description of the HTTP API (OpenAPI 3.1), served as `/openapi.json`.
struct OpenAPIDocument {
    var operations: [APIOperation]

    private struct Info: Encodable {
        var title = "BooksTrack API"
        var version = StandardFields.apiVersion
        var description =
            "Book metadata: searches, batch enrichment, imports, scans and live progress. "
            + "Most JSON responses are wrapped in an envelope: `success`, `data`, `metadata`, and `error` on failure."
    }

    private struct Server: Encodable { var url = "/" }

    private struct Tag: Encodable {
        var name: String
        var description: String
    }

    private struct SecurityScheme: Encodable {
        var type = "http"
        var scheme = "bearer"
        var description = "The token returned when the job was started."
    }
}

extension OpenAPIDocument: Encodable {
    private enum Key: String, CodingKey { case openapi, info, servers, tags, paths, components }
    private enum ComponentKey: String, CodingKey { case schemas, headers, securitySchemes }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("3.1.0", forKey: .openapi)
        try container.encode(Info(), forKey: .info)
        try container.encode([Server()], forKey: .servers)
        let groups = OperationGroup.allCases.filter { group in operations.contains { $0.group == group } }
        try container.encode(groups.map { Tag(name: $0.rawValue, description: $0.meaning) }, forKey: .tags)
        try encodePaths(container.nestedContainer(keyedBy: MemberName.self, forKey: .paths))
        var components = container.nestedContainer(keyedBy: ComponentKey.self, forKey: .components)
        try SchemaName.encode(
            SchemaName.reached(from: schemas),
            to: components.nestedContainer(keyedBy: MemberName.self, forKey: .schemas))
        var fields = components.nestedContainer(keyedBy: MemberName.self, forKey: .headers)
        for field in AnswerField.allCases { try fields.encode(field, forKey: MemberName(field.rawValue)) }
        try components.encode(["jobToken": SecurityScheme()], forKey: .securitySchemes)
    }

    /// Encodes one object per path, with one member per method.
    private func encodePaths(_ container: KeyedEncodingContainer<MemberName>) throws {
        var paths = container
        let described = operations.flatMap { operation in
            operation.paths.indices.map { APIOperation.Described(operation: operation, index: $0) }
        }
        for (path, ofPath) in Dictionary(grouping: described, by: { $0.operation.paths[$0.index] }) {
            var methods = paths.nestedContainer(keyedBy: MemberName.self, forKey: MemberName(path))
            for one in ofPath {
                try methods.encode(one, forKey: MemberName(one.operation.method.rawValue.lowercased()))
            }
        }
    }

    private var schemas: [Schema] {
        operations.flatMap { operation in
            operation.allAnswers.compactMap(\.schema) + operation.parameters.map(\.schema)
                + (operation.body.map { body in [body.schema, body.jsonSchema].compactMap(\.self).map { .named($0) } }
                    ?? [])
        }
    }
}

extension SchemaName {
    /// Encodes the `schemas` of a document's components.
    static func encode(_ names: Set<SchemaName>, to container: KeyedEncodingContainer<MemberName>) throws {
        var schemas = container
        for name in names { try schemas.encode(name.schema, forKey: MemberName(name.rawValue)) }
    }
}

/// Groups of operations (OpenAPI tags), in the order in which a newcomer needs them.
enum OperationGroup: String, CaseIterable {
    case batches = "Batches"
    case progress = "Progress socket"
    case jobs = "Jobs"
    case imports = "Imports"
    case scans = "Scans"
    case search = "Search"
    case service = "Service"
    case covers = "Covers"
    case deprecated = "Deprecated"

    /// The tag's description in the document.
    var meaning: String {
        switch self {
        case .search: "Look up books by ISBN, title or author."
        case .batches: "Enrich a list of books in the background."
        case .imports: "Import a library file from another app."
        case .scans: "Recognize the books in a photo of a shelf."
        case .jobs:
            "Read a job's results and state; cancel and retry it. Results and insights require only the `jobId`; most other requests require "
                + "the job's token."
        case .progress:
            "A job's live progress, over a WebSocket or as server-sent events; `/asyncapi.json` describes the messages."
        case .service: "Health, and the descriptions of this API."
        case .covers: "Cover images, fetched through this service."
        case .deprecated: "Kept for older clients until the date in the `Sunset` header field."
        }
    }
}

/// A JSON reference.
struct Reference: Encodable {
    var to: String

    private enum CodingKeys: String, CodingKey { case to = "$ref" }
}
