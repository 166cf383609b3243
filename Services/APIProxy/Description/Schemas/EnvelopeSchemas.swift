import BookstrackContract

/// What surrounds `data` (http-api.md "Envelope").
enum EnvelopeSchemas {
    static let metadata = Schema.object([
        .required("timestamp", .time),
        .optional("processingTime", .count, "Milliseconds."),
        .optional("provider", .text, "Source of the response, or \"none\"."),
        .optional("cached", .flag),
        .optional("stale", .flag, "True if an expired response is served."),
        .optional("providers", .list(of: .providerReport), "Outcome of each provider, if one failed."),
    ])

    static let providerReport = Schema.object([
        .required("provider", .choice(of: DataProvider.self)),
        .required("outcome", .choice(["ok", "not_found", "timeout", "error", "quota_exhausted"])),
        .required("durationMs", .count),
    ])

    static let failure = Schema.object([
        .required("success", .flag, "Always false."),
        .required("data", .null),
        .required("metadata", .named(.metadata)),
        .required(
            "error",
            .object([
                .required("message", .text, "Human-readable message."),
                .required("code", .choice(of: APIErrorCode.self), "The stable code."),
                .optional("details", .map(of: .anyOf([.text, .integer, .flag, .list(of: .text)]))),
                .required("retryable", .flag, "Whether the same request may succeed later."),
                .required("statusCode", .integer(400...599), "Same as the HTTP status."),
            ])),
    ])
}
