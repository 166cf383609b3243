import BookstrackContract
import HTTPTypes
import ServiceKit

/// The lookup of one book (http-api.md "One book").
enum BookOperations {
    private static let notes =
        "Provide exactly one of `isbn`, `title` and `barcode`; a blank member counts as absent. The lookup is a job "
        + "with one book. Repeating the request with the same `idempotencyKey` returns the same job; for a different "
        + "book, the response is 409."

    private static let failures: [APIErrorCode] = [
        .invalidISBN, .notFound, .jobExists, .providerError, .quotaExhausted, .serviceUnavailable, .providerTimeout,
    ]

    static let all: [APIOperation] = [
        operation(
            BookRoutes.path, "enrichBook", "Look up one book",
            "After 9 s without a result, the response is 202 with the job, which continues: watch it, or read its results later.",
            [
                .envelope(200, .bookEnrichment, "The book."),
                .envelope(202, .startedJob, "The lookup has not ended; the job continues."),
            ]),
        operation(
            BookRoutes.appPath, "enrichBookForApps", "Look up one book, in the format that shipped apps read",
            "The members of `data` are also at the top level. After 9 s without a result, the response is 503.",
            [.flatEnvelope(200, .bookEnrichment, "The book.")]),
    ]

    private static func operation(
        _ path: String, _ id: String, _ summary: String, _ furtherNotes: String, _ answers: [OperationAnswer]
    ) -> APIOperation {
        APIOperation(
            method: .post, paths: [path], id: id, group: .search, summary: summary, notes: "\(notes) \(furtherNotes)",
            body: RequestBody(schema: .bookRequest, example: BookEnrichmentRequest(isbn: "9780441172719")),
            answers: answers, failures: failures)
    }
}

/// The request for one book, and its response.
enum BookEnrichmentSchemas {
    private static let isbn = Schema.text(.init(length: 1...32))

    /// A body with exactly one of the members that identify the book; see ``BatchSchemas/request``.
    static let request = Schema.oneOf([.named(.bookByISBN), .named(.bookByTitle), .named(.bookByBarcode)])

    static let byISBN = book(.required("isbn", isbn, "In any format; damaged ISBNs are repaired where that is safe."))
    static let byTitle = book(
        .required("title", .text(.init(length: 1...500))), .optional("author", .text(.init(length: 0...300))))
    static let byBarcode = book(.required("barcode", isbn, "Same as `isbn`."))

    private static func book(_ members: Property...) -> Schema {
        .object(
            members + [
                .optional(
                    "preferProvider", .choice(of: DataProvider.self),
                    "Accepted, but has no effect on how the sources are merged."),
                .optional("idempotencyKey", .newJobId, "Your own idempotency key for the job."),
            ])
    }

    static let result = Schema.object([
        .optional("isbn", .text, "ISBN of the edition, otherwise the one requested; absent if neither is known."),
        .required("title", .text),
        .required("authors", .list(of: .text), "In the order of the work's authors."),
        .optional("publisher", .text),
        .optional("publishedDate", .text, "YYYY, YYYY-MM or YYYY-MM-DD."),
        .optional("pageCount", .integer),
        .optional("coverUrl", .text(.init(format: "uri"))),
        .optional("description", .text, "Plain text."),
        .required("provider", .choice(of: DataProvider.self), "The provider of the match."),
        .required("enrichedAt", .time, "When the lookup ended."),
        .required("work", .named(.work)),
        .optional("edition", .named(.edition), "The requested edition, otherwise the best one found."),
    ])
}
