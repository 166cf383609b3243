import BookstrackContract

/// What surrounds `data` (contract §4, spec/02 "Envelope").
enum EnvelopeSchemas {
    static let metadata = Schema.object([
        .required("timestamp", .time),
        .optional("processingTime", .count, "Milliseconds."),
        .optional("provider", .text, "Where the answer came from, or \"none\"."),
        .optional("cached", .flag),
        .optional("stale", .flag, "True when the answer has expired and serves all the same."),
        .optional("providers", .list(of: .providerReport), "What each provider did, when one failed."),
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
                .required("message", .text, "A sentence for people."),
                .required("code", .choice(of: APIErrorCode.self), "The stable code."),
                .optional("details", .map(of: .anyOf([.text, .integer, .flag, .list(of: .text)]))),
                .required("retryable", .flag, "Whether the same request may succeed later."),
                .required("statusCode", .integer(400...599), "The HTTP status again."),
            ])),
    ])
}
