/// The answers of `/health*` (http-api.md "Readiness").
enum HealthSchemas {
    static let root = Schema.object([
        .required("service", .text), .required("version", .text, "Version of the contract."),
        .required("documentation", .text, "Path of the documentation, for people."),
        .required("openapi", .text, "Path of the OpenAPI document."),
        .required("asyncapi", .text, "Path of the AsyncAPI document."), .required("health", .text),
    ])

    private static let status = Schema.choice(["ready", "degraded", "unavailable"])

    static let health = Schema.object([
        .required("status", .choice(["ok"])), .required("worker", .text, "Name of the service."),
        .required("version", .text), .required("endpoints", .list(of: .text)),
    ])

    static let liveness = Schema.object([.required("status", .choice(["live"]))])

    static let readiness = Schema.object([
        .required("status", status),
        .optional(
            "dependencies",
            .list(
                of: .object([
                    .required("name", .text), .required("status", status), .required("reason", .text),
                ])), "On the admin listener only."),
    ])
}
