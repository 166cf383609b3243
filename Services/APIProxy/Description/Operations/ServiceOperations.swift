import HTTPTypes

/// Health, and the descriptions themselves.
enum ServiceOperations {
    static let health: [APIOperation] = [
        APIOperation(
            method: .get, paths: ["/health"], id: "readHealth", group: .service,
            summary: "Service info and routes",
            answers: [Answer(status: 200, meaning: "The service is running.", schema: .named(.health))],
            isLimited: false),
        APIOperation(
            method: .get, paths: ["/health/live"], id: "readLiveness", group: .service,
            summary: "Liveness",
            answers: [Answer(status: 200, meaning: "The process is running.", schema: .named(.liveness))],
            isLimited: false),
        APIOperation(
            method: .get, paths: ["/health/ready"], id: "readReadiness", group: .service,
            summary: "Readiness",
            answers: [
                Answer(status: 200, meaning: "Ready or degraded.", schema: .named(.readiness)),
                Answer(status: 503, meaning: "Not ready.", schema: .named(.readiness)),
            ], isLimited: false),
    ]

    static let descriptions: [APIOperation] = [
        APIOperation(
            method: .get, paths: [DescriptionRoutes.rootPath], id: "readRoot", group: .service,
            summary: "Addresses of the documentation",
            notes: "A browser (`Accept: text/html`) is redirected to the documentation.",
            answers: [
                .envelope(200, .serviceRoot, "The addresses."),
                Answer(status: 302, meaning: "The documentation, for browsers."),
            ]),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.openAPIPath], id: "readOpenAPI", group: .service,
            summary: "OpenAPI description of the HTTP API",
            answers: [Answer(status: 200, meaning: "This document (OpenAPI 3.1).", schema: .object([]))]),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.asyncAPIPath], id: "readAsyncAPI", group: .service,
            summary: "AsyncAPI description of the progress socket",
            answers: [Answer(status: 200, meaning: "An AsyncAPI 3.0 document.", schema: .object([]))]),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.pagePath], id: "readDocs", group: .service,
            summary: "API documentation to read and try out",
            answers: [Answer(status: 200, meaning: "An HTML page.", schema: .text, types: ["text/html"])]),
    ]
}
