import BookstrackContract
import SuiteMethods

/// The start of a batch enrichment (http-api.md "Routes").
enum BatchSchemas {
    /// The largest batch that can be configured; the limit in force is usually lower.
    private static let mostBooks = 10_000

    static let book = Schema.object([
        .optional("title", .text(.init(length: 0...500))), .optional("author", .text(.init(length: 0...300))),
        .optional("isbn", .text(.init(length: 0...32)), "As is; damage is repaired where that is safe."),
    ])

    /// Exactly one of the lists: a body with two of them fits two shapes, and therefore none.
    static let request = Schema.oneOf([
        .named(.booksBatch), .named(.isbnsBatch), .named(.barcodesBatch), .named(.workIdsBatch),
    ])

    static let ofBooks = batch(
        .required("books", .list(of: .book, atMost: mostBooks), "Title, author and ISBN of each."))
    static let ofISBNs = batch(.required("isbns", isbns, "One book each."))
    static let ofBarcodes = batch(.required("barcodes", isbns, "Same as `isbns`."))
    static let ofWorkIds = batch(
        .required(
            "workIds", .list(of: .text(.init(length: 1...500)), atMost: mostBooks),
            "ISBNs, Open Library work keys or titles."))

    private static let isbns = Schema.list(of: .text(.init(length: 1...32)), atMost: mostBooks)

    private static func batch(_ rows: Property) -> Schema {
        .object([
            .optional(
                "jobId", .newJobId, "Your own identifier; repeating it with the same books starts nothing twice."),
            rows,
            .optional(
                "priority", .choice(of: JobOrigin.Priority.self),
                "Which jobs go first; by default `high` for up to five books, else `normal`."),
            .optional(
                "token", .text, "A token of the job, when repeating a start; an Authorization header works too."),
        ])
    }

    private static let startedMembers: [Property] = [
        .required("success", .flag, "Always true."),
        .required("jobId", .jobId),
        .required("token", .text, "The job's token, valid for two hours."),
        .required("authToken", .text, "Same as `token`."),
        .required("status", .choice(of: JobStatus.self)),
        .required("processedCount", .count, "Always 0."),
        .required("totalCount", .count, "Total number of books."),
        .required("totalBooks", .count, "Same as `totalCount`."),
        .required("estimatedTime", .text, "A range in words, for example \"1-5s\"."),
        .required("estimatedDuration", .count, "Milliseconds."),
        .required("websocketUrl", .text, "Address of the socket; add the token."),
        .required("resultsUrl", .text, "Address of the results."),
    ]

    static let started = Schema.object(startedMembers)

    static let legacyStarted = Schema.object(
        startedMembers + [
            .required("data", .named(.startedJob)), .required("metadata", .named(.metadata)),
            .required("meta", .named(.metadata), "Same as `metadata`."),
        ])
}
