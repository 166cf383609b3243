/// The answers of `/health*` (spec/02, spec/07 "Readiness").
enum HealthSchemas {
    private static let status = Schema.choice(["ready", "degraded", "unavailable"])

    static let health = Schema.object([
        .required("status", .choice(["ok"])), .required("worker", .text, "The service that answers."),
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
