import BookstrackContract

/// The results of a batch enrichment (http-api.md "Results").
enum ResultsSchemas {
    static let enrichedMetadata = Schema.object([
        .required("work", .named(.work)),
        .optional("edition", .named(.edition), "The requested edition, else the best known one."),
        .required("authors", .list(of: .author), "In the work's order."),
    ])

    static let enrichedBook = Schema.object([
        .optional("title", .text, "As requested."),
        .optional("author", .text, "As requested."),
        .optional("isbn", .text, "As requested."),
        .optional("workId", .text, "As requested."),
        .required("success", .flag, "Whether `enriched` is present."),
        .optional("matchedBy", .choice(["isbn", "title", "workId"])),
        .optional("isbnRepair", .text, "What was repaired in the requested ISBN, in words."),
        .optional("enriched", .named(.enrichedMetadata)),
        .optional("error", .text, "Reason for the failure."),
        .optional("errorCode", .choice(of: ItemErrorCode.self)),
        .optional("retryable", .flag, "Whether a retry may succeed."),
        .optional("candidates", .list(of: .enrichedMetadata, atMost: 3), "Near misses, for review by a person."),
    ])

    static let results = Schema.object([
        .required("jobId", .jobId),
        .required("resultsRevision", .count, "Incremented when a later result changes a row."),
        .required("expiresAt", .time, "When the results are deleted."),
        .required("successCount", .count),
        .required("failureCount", .count),
        .required("enrichedBooks", .list(of: .enrichedBook), "One row per book, in the order requested."),
    ])
}
