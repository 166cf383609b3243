import BookstrackContract
import SuiteMethods

/// The start of a batch enrichment (spec/02 "Routes").
enum BatchSchemas {
    /// The largest batch that can be configured; the limit in force is usually lower.
    private static let mostBooks = 10_000

    static let book = Schema.object([
        .optional("title", .text(.init(length: 0...500))), .optional("author", .text(.init(length: 0...300))),
        .optional("isbn", .text(.init(length: 0...32)), "As you have it; damage is repaired where that is safe."),
    ])

    static let request = Schema.object([
        .optional("jobId", .newJobId, "Your own identifier; the same one with the same books starts nothing twice."),
        .optional("books", .list(of: .book, atMost: mostBooks), "Give exactly one of books, isbns and workIds."),
        .optional("isbns", .list(of: .text(.init(length: 1...32)), atMost: mostBooks)),
        .optional("barcodes", .list(of: .text(.init(length: 1...32)), atMost: mostBooks), "The same as isbns."),
        .optional(
            "workIds", .list(of: .text(.init(length: 1...500)), atMost: mostBooks),
            "ISBNs, Open Library work keys or titles."),
        .optional(
            "priority", .choice(of: JobOrigin.Priority.self),
            "Which jobs' books go first; up to five books are high without asking, more are normal."),
        .optional(
            "token", .text,
            "A token of the job, when the start is repeated; an Authorization header does as well."),
    ])

    private static let startedMembers: [Property] = [
        .required("success", .flag, "Always true."),
        .required("jobId", .jobId),
        .required("token", .text, "The job's token, good for two hours."),
        .required("authToken", .text, "The same token."),
        .required("status", .choice(of: JobStatus.self)),
        .required("processedCount", .count, "Always 0."),
        .required("totalCount", .count, "Books in all."),
        .required("totalBooks", .count, "The same as totalCount."),
        .required("estimatedTime", .text, "A range in words, for example \"1-5s\"."),
        .required("estimatedDuration", .count, "Milliseconds."),
        .required("websocketUrl", .text, "Where to watch; add the token."),
        .required("resultsUrl", .text, "Where to read the results."),
    ]

    static let started = Schema.object(startedMembers)

    static let legacyStarted = Schema.object(
        startedMembers + [
            .required("data", .named(.startedJob)), .required("metadata", .named(.metadata)),
            .required("meta", .named(.metadata), "The same as metadata."),
        ])
}
