import HTTPTypes

/// Health, and the descriptions themselves.
enum ServiceOperations {
    static let health: [APIOperation] = [
        APIOperation(
            method: .get, paths: ["/health"], id: "readHealth", group: .service,
            summary: "Name the service and its routes",
            answers: [Answer(status: 200, meaning: "The service answers.", schema: .named(.health))], isLimited: false),
        APIOperation(
            method: .get, paths: ["/health/live"], id: "readLiveness", group: .service,
            summary: "Tell that the process runs",
            answers: [Answer(status: 200, meaning: "It runs.", schema: .named(.liveness))], isLimited: false),
        APIOperation(
            method: .get, paths: ["/health/ready"], id: "readReadiness", group: .service,
            summary: "Tell how fit the service is",
            answers: [
                Answer(status: 200, meaning: "It serves, perhaps degraded.", schema: .named(.readiness)),
                Answer(status: 503, meaning: "It cannot serve now.", schema: .named(.readiness)),
            ], isLimited: false),
    ]

    static let descriptions: [APIOperation] = [
        APIOperation(
            method: .get, paths: [DescriptionRoutes.openAPIPath], id: "readOpenAPI", group: .service,
            summary: "Describe the HTTP API",
            answers: [Answer(status: 200, meaning: "This document (OpenAPI 3.1).", schema: .object([]))]),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.asyncAPIPath], id: "readAsyncAPI", group: .service,
            summary: "Describe the progress socket",
            answers: [Answer(status: 200, meaning: "An AsyncAPI 3.0 document.", schema: .object([]))]),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.pagePath], id: "readDocs", group: .service,
            summary: "Read about the API and try it",
            answers: [Answer(status: 200, meaning: "A page.", schema: .text, types: ["text/html"])]),
    ]
}
