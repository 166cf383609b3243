import BookstrackContract
import HTTPTypes
import SuiteMethods

/// Every operation of the public listener except those of the console; a test compares it with the routes.
enum OperationCatalog {
    static let all =
        BatchOperations.all + BookOperations.all + SocketOperations.all + EventStreamOperations.all + JobOperations.all
        + ImportOperations.all + ScanOperations.all + SearchOperations.all
        + ReportOperations.all + ServiceOperations.health + ServiceOperations.descriptions + CoverOperations.all
        + LegacySearchOperations.all
}

/// Cover images.
enum CoverOperations {
    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: [CoverRoutes.path], id: "readCover", group: .covers, summary: "Get a cover image",
            notes:
                "Only images on hosts that this API's responses link to. With `Accept: application/octet-stream`, the response has that type.",
            parameters: [
                .query(
                    "url", .text(.init(format: "uri")), "HTTPS URL of the cover.", isRequired: true,
                    example: "https://covers.openlibrary.org/b/id/13473958-L.jpg"),
                .query("size", .choice(CoverSize.allCases.map(\.rawValue)), "Size; medium by default."),
            ],
            answers: OperationAnswer(
                status: 200, meaning: "The image.", schema: .bytes,
                types: PictureType.allCases.map(\.rawValue) + [StandardFields.anyBytes]
            ).tagged,
            failures: [
                .invalidQuery, .forbidden, .notFound, .providerError, .quotaExhausted, .serviceUnavailable,
                .providerTimeout,
            ])
    ]
}

/// Health checks, the page for readers, and the API descriptions.
enum ServiceOperations {
    static let health: [APIOperation] = [
        APIOperation(
            method: .get, paths: ["/health"], id: "readHealth", group: .service,
            summary: "Service info and routes",
            answers: [OperationAnswer(status: 200, meaning: "The service is running.", schema: .named(.health))],
            isLimited: false),
        APIOperation(
            method: .get, paths: ["/health/live"], id: "readLiveness", group: .service,
            summary: "Liveness",
            answers: [OperationAnswer(status: 200, meaning: "The process is running.", schema: .named(.liveness))],
            isLimited: false),
        APIOperation(
            method: .get, paths: ["/health/ready"], id: "readReadiness", group: .service,
            summary: "Readiness",
            answers: [
                OperationAnswer(status: 200, meaning: "Ready or degraded.", schema: .named(.readiness)),
                OperationAnswer(status: 503, meaning: "Not ready.", schema: .named(.readiness)),
            ], isLimited: false),
    ]

    static let descriptions: [APIOperation] = [
        APIOperation(
            method: .get, paths: [ReaderPage.rootPath], id: "readPage", group: .service,
            summary: "A page for readers",
            notes: "For browsers (`Accept: text/html`). Other clients receive 404 with a `Link` to the documentation.",
            answers: [OperationAnswer(status: 200, meaning: "An HTML page.", schema: .text, types: ["text/html"])],
            failures: [.notFound], isLimited: false),
        APIOperation(
            method: .get, paths: [ReaderPage.filePath], id: "readPageFile", group: .service,
            summary: "A file used by the page for readers",
            parameters: [
                Parameter(
                    name: "version", place: .path, isRequired: true, schema: .text,
                    meaning: "The version that the page refers to; for any other version, the current file is returned."
                ),
                Parameter(
                    name: "file", place: .path, isRequired: true, schema: .text, meaning: "Name of the file."),
            ],
            answers: [
                OperationAnswer(
                    status: 200, meaning: "A style sheet or a script.", schema: .text,
                    types: ["text/css", "text/javascript"])
            ], failures: [.notFound], isLimited: false),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.openAPIPath], id: "readOpenAPI", group: .service,
            summary: "OpenAPI description of the HTTP API",
            answers: [OperationAnswer(status: 200, meaning: "This document (OpenAPI 3.1).", schema: .object([]))]),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.asyncAPIPath], id: "readAsyncAPI", group: .service,
            summary: "AsyncAPI description of the WebSockets",
            answers: [OperationAnswer(status: 200, meaning: "An AsyncAPI 3.0 document.", schema: .object([]))]),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.pagePath], id: "readDocs", group: .service,
            summary: "Interactive API documentation",
            answers: [OperationAnswer(status: 200, meaning: "An HTML page.", schema: .text, types: ["text/html"])]),
    ]
}
