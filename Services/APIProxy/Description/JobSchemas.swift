import BookstrackContract
import ServiceKit
import SuiteMethods

/// Requests and responses of the routes for jobs of any kind (http-api.md "Job state").
enum JobSchemas {
    private static let token = Schema.text(.init(length: 0...JobAccessBody.maxTokenLength))

    /// Counts of items without a result, by error code.
    static let failureCounts = Schema.object(ItemErrorCode.allCases.map { .optional($0.rawValue, .count) })

    static let state = Schema.object([
        .required("jobId", .jobId),
        .required("pipeline", .choice(of: Pipeline.self)),
        .optional("source", .choice(of: JobSource.self), "What triggered the job."),
        .required("status", .choice(of: JobStatus.self)),
        .required("progress", .fraction),
        .required("processedCount", .count, "Processed items, with or without a result."),
        .required("totalCount", .count),
        .required("successCount", .count),
        .required("failureCount", .count),
        .optional("failureCounts", failureCounts, "Failures by reason."),
        .optional(
            "laterRetries",
            .object([.required("count", .count), .required("nextAt", .time, "When the first item is retried.")]),
            "Items without a result that will be retried."),
        .optional(
            "waitingFor", .choice([ServiceName.enrichmentWorker.rawValue]), "The service that the job is waiting for."),
        .required("createdAt", .time),
        .optional("startedAt", .time),
        .optional("endedAt", .time),
        .optional("expiresAt", .time, "When the results are deleted."),
        .required("lastSeq", .count, "Number of the latest event."),
        .optional("delivered", .count, "Number of the latest event acknowledged by the token's client."),
        .required("resultsRevision", .count),
        .optional("pollAfterMs", .count, "Recommended polling interval in milliseconds, until the job ends."),
        .required(
            "links", .object([.required("results", .text), .required("websocket", .text), .optional("events", .text)])),
    ])

    /// Results of a job of any kind.
    static let results = Schema.anyOf([
        .named(.enrichmentResults), .named(.importResults), .named(.scanResults),
    ])

    /// Results of an import or a scan, in the format that shipped apps read.
    static let shippedResults = Schema.anyOf([.named(.shippedImportResults), .named(.scanResults)])

    /// The distribution of one property over a job's books or their authors.
    static let distribution = Schema.object([
        .required("total", .count, "Number of books or authors counted."),
        .required("unknown", .count, "Number of books or authors with no known value."),
        .required("unknownShare", .fraction, "`unknown` divided by `total`; 0 if `total` is 0."),
        .required(
            "values", .list(of: .object([.required("value", .text), .required("count", .count)])),
            "Most frequent first; a book counts toward each of its genres."),
    ])

    /// Statistics on a job's books and their authors.
    static let insights = Schema.object(
        [
            .required("jobId", .jobId, "For an import, the job that looked up its books."),
            .required("resultsRevision", .count, "The results revision on which the statistics are based."),
            .required("books", .count),
            .required("found", .count, "Books with a result, counted by decade, language and genre."),
            .required(
                "authors", .count, "Authors of the books with a result, counted by gender, region and nationality."),
        ]
            + ["gender", "culturalRegion", "nationality", "decade", "language", "genre"].map {
                .required($0, .named(.distribution))
            })

    /// Jobs to watch on one connection.
    static let selectedJobs = Schema.list(
        of: .object([
            .required("jobId", .jobId), .optional("token", token),
            .optional("since", .count, "Number of the last event that the client has received."),
        ]), atMost: JobSelection.listLimit)

    static let access = Schema.object([
        .optional("jobId", .jobId), .optional("token", token, "May be sent in `Authorization` instead."),
    ])

    static let cancelRequest = Schema.object([
        .required("jobId", .jobId), .optional("token", token, "May be sent in `Authorization` instead."),
    ])

    static let cancelOutcome = Schema.object([
        .required("jobId", .jobId),
        .required(
            "status", .choice(of: JobStatus.self),
            "`cancelled`, `cancelling` if the cancellation of a large job takes longer, or the status with which the job had already ended."
        ),
        .required("message", .text),
        .required(
            "cleanup",
            .object([
                .required("itemsDiscarded", .count, "Books that were not looked up."),
                .required("uploadsDeleted", .count),
                .required("r2ObjectsDeleted", .count, "Same as `uploadsDeleted`."),
                .required("kvCacheCleared", .flag, "Always false: results are kept for as long as their job."),
            ])),
    ])

    static let retryOutcome = Schema.object([
        .required("jobId", .jobId), .required("status", .choice(of: JobStatus.self)),
        .required("retrying", .count, "Failed items, and failed photos of a scan, that are being retried."),
    ])

    static let tokenRequest = Schema.object([
        .required("jobId", .jobId), .required("oldToken", token),
    ])

    static let refreshedToken = Schema.object([
        .required("jobId", .jobId), .required("token", .text), .required("newToken", .text, "Same as `token`."),
        .required("expiresAt", .time),
    ])
}

/// Starting a batch enrichment (http-api.md "Starting a job").
enum BatchSchemas {
    /// The largest batch that can be configured; the effective limit may be lower.
    private static let maxBooks = SettingKey.batchLimit

    static let book = Schema.object([
        .optional("title", .text(.init(length: 0...500))), .optional("author", .text(.init(length: 0...300))),
        .optional(
            "isbn", .text(.init(length: 0...32)), "In any format; damaged ISBNs are repaired where that is safe."),
        .optional(
            "workId", .text(.init(length: 0...500)), "An Open Library work key, used if there is no usable ISBN."),
        .optional("row", .count, "Your own number for the book; repeated in the results."),
    ])

    /// A body with exactly one of the lists. A body with two of them would match two schemas, which `oneOf` rejects.
    static let request = Schema.oneOf([
        .named(.booksBatch), .named(.isbnsBatch), .named(.barcodesBatch), .named(.workIdsBatch),
    ])

    static let ofBooks = batch(
        .required("books", .list(of: .book, atMost: maxBooks), "What is known about each book."))
    static let ofISBNs = batch(.required("isbns", isbns, "One ISBN per book."))
    static let ofBarcodes = batch(.required("barcodes", isbns, "Same as `isbns`."))
    static let ofWorkIds = batch(
        .required(
            "workIds", .list(of: .text(.init(length: 1...500)), atMost: maxBooks),
            "ISBNs, Open Library work keys or titles."))

    private static let isbns = Schema.list(of: .text(.init(length: 1...32)), atMost: maxBooks)

    private static func batch(_ rows: Property) -> Schema {
        .object([
            .optional(
                "jobId", .newJobId, "Your own identifier; repeating it with the same books returns the same job."),
            rows,
            .optional(
                "priority", .choice(of: JobOrigin.Priority.self),
                "By default, `high` for up to five books and `normal` for more."),
            .optional("source", .choice(of: JobSource.self), "What triggered the job; `api` by default."),
            .optional(
                "callbackUrl", .text(.init(length: 1...WebhookHosts.maxLength)),
                "A URL to call when the results have improved after the job's end; its host must be allowed."),
            .optional(
                "token", .text,
                "An earlier token of the job, if the request is repeated; may be sent in `Authorization` instead."),
        ])
    }

    /// Where to watch a job that was just started, and where to read its results.
    static let addresses: [Property] = [
        .required("websocketUrl", .text, "Path of the socket; add the token."),
        .required("eventsUrl", .text, "Path of the same frames as server-sent events; add the token."),
        .required("sseUrl", .text, "Path of server-sent events in the format that shipped apps read."),
        .required("resultsUrl", .text, "Path of the results."),
    ]

    private static let startedMembers: [Property] =
        [
            .required("success", .flag, "Always true."),
            .required("jobId", .jobId),
            .required("token", .text, "The job's token, valid for two hours by default."),
            .required("authToken", .text, "Same as `token`."),
            .required("status", .choice(of: JobStatus.self)),
            .required("processedCount", .count, "Always 0."),
            .required("totalCount", .count, "Total number of books."),
            .required("totalBooks", .count, "Same as `totalCount`."),
            .required("estimatedTime", .text, "A range as text, for example \"1-5s\"."),
            .required("estimatedDuration", .count, "Milliseconds."),
        ] + addresses

    static let started = Schema.object(startedMembers)

    static let legacyStarted = Schema.object(
        startedMembers + [
            .required("data", .named(.startedJob)), .required("metadata", .named(.metadata)),
            .required("meta", .named(.metadata), "Same as `metadata`."),
        ])
}

/// The results of a batch enrichment (http-api.md "Results").
enum ResultsSchemas {
    static let enrichedMetadata = Schema.object([
        .required("work", .named(.work)),
        .optional("edition", .named(.edition), "The requested edition, otherwise the best one found."),
        .required("authors", .list(of: .author), "In the order of the work's authors."),
    ])

    static let enrichedBook = Schema.object([
        .optional("title", .text, "As requested."),
        .optional("author", .text, "As requested."),
        .optional("isbn", .text, "As requested."),
        .optional("workId", .text, "As requested."),
        .optional("row", .count, "As requested; for an import, the row of its file."),
        .required("success", .flag, "Whether `enriched` is present."),
        .optional("matchedBy", .choice(["isbn", "title", "workId"])),
        .optional("isbnRepair", .text, "A description of what was repaired in the requested ISBN."),
        .optional("enriched", .named(.enrichedMetadata)),
        .optional("error", .text, "Reason for the failure."),
        .optional("errorCode", .choice(of: ItemErrorCode.self)),
        .optional("retryable", .flag, "Whether a retry may succeed."),
        .optional("candidates", .list(of: .enrichedMetadata, atMost: 3), "Near misses, for human review."),
    ])

    static let results = Schema.object([
        .required("jobId", .jobId),
        .required("resultsRevision", .count, "Increases when the job ends, and whenever a later result changes a row."),
        .required("expiresAt", .time, "When the results are deleted."),
        .required("successCount", .count),
        .required("failureCount", .count),
        .required("enrichedBooks", .list(of: .enrichedBook), "One row per book, in the order requested."),
    ])
}
