import BookstrackContract

/// The results of a batch enrichment (spec/07).
enum ResultsSchemas {
    static let enrichedMetadata = Schema.object([
        .required("work", .named(.work)),
        .optional("edition", .named(.edition), "The edition asked for, else the best known one."),
        .required("authors", .list(of: .author), "In the work's order."),
    ])

    static let enrichedBook = Schema.object([
        .optional("title", .text, "As asked."),
        .optional("author", .text, "As asked."),
        .optional("isbn", .text, "As asked."),
        .optional("workId", .text, "As asked."),
        .required("success", .flag, "Whether enriched is present."),
        .optional("matchedBy", .choice(["isbn", "title", "workId"])),
        .optional("isbnRepair", .text, "What was repaired in the asked ISBN, in words."),
        .optional("enriched", .named(.enrichedMetadata)),
        .optional("error", .text, "Why there is nothing."),
        .optional("errorCode", .choice(of: ItemErrorCode.self)),
        .optional("retryable", .flag, "Whether a retry may succeed."),
        .optional("candidates", .list(of: .enrichedMetadata, atMost: 3), "Near misses, for a person to look at."),
    ])

    static let results = Schema.object([
        .required("jobId", .jobId),
        .required("resultsRevision", .count, "Rises when a later success or fact changed a row."),
        .required("expiresAt", .time, "When the results are removed."),
        .required("successCount", .count),
        .required("failureCount", .count),
        .required("enrichedBooks", .list(of: .enrichedBook), "One row per book, in the order asked."),
    ])
}
