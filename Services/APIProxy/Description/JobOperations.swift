import BookstrackContract
import HTTPTypes

/// Starting a batch enrichment, and reading results and insights.
enum BatchOperations {
    private static let example = EnrichmentBatchRequest(books: [
        BookQuery(title: "Dune", author: "Frank Herbert"), BookQuery(isbn: "9780441172719"),
    ])

    private static let resultsNotes =
        "Results are kept for a day by default, or longer while retries are pending. Until the job ends, the response is 404 with the job's "
        + "status in `details`."

    static let all: [APIOperation] = [
        APIOperation(
            method: .post, paths: ["/v1/enrichment/batch", "/api/enrichment/batch"], id: "startBatch", group: .batches,
            summary: "Start a batch enrichment",
            notes:
                "Provide exactly one of `books`, `isbns`, `barcodes` and `workIds`. Repeating the request with the same `jobId` and "
                + "the same books returns the same job with a new token if the caller sends an earlier token of the job, "
                + "or calls from the same address within 10 minutes of the first request; otherwise, it returns 409 "
                + "with the job's status. With `X-Client-Version: ios-…`, the `job_complete` frame also contains the "
                + "result rows.",
            body: RequestBody(schema: .batchRequest, example: example),
            answers: [.envelope(202, .startedJob, "The job is on disk.")],
            failures: [.batchTooLarge, .jobExists, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: ["/api/enrichment/start"], id: "startBatchLegacy", group: .deprecated,
            summary: "Start a batch enrichment, in the format of older clients",
            notes: "A `jobId` may have as few as 4 characters.",
            body: RequestBody(schema: .batchRequest, example: example),
            answers: [OperationAnswer(status: 200, meaning: "The job is on disk.", schema: .named(.legacyStartedJob))],
            failures: [.batchTooLarge, .jobExists, .serviceUnavailable], isDeprecated: true),
        APIOperation(
            method: .get, paths: ["/v1/enrichment/results/{jobId}"], id: "readResults",
            group: .jobs, summary: "Read the results of a batch enrichment", notes: resultsNotes,
            parameters: [.jobId], answers: OperationAnswer.envelope(200, .enrichmentResults, "All rows.").tagged,
            failures: [.notFound, .serviceUnavailable]),
        APIOperation(
            method: .get, paths: ["/v1/jobs/{jobId}/results"], id: "readJobResults",
            group: .jobs, summary: "Read the results of a job of any kind",
            notes:
                "\(resultsNotes) An import or a scan that failed or was cancelled has no results, unless "
                + "a retry has found a book in a photo of a failed scan.",
            parameters: [.jobId],
            answers: OperationAnswer.envelope(
                200, .jobResults, "All rows of a batch, the library of an import, or the books of a scan."
            ).tagged,
            failures: [.notFound, .serviceUnavailable]),
        APIOperation(
            method: .get, paths: [InsightsRoute.path], id: "readInsights", group: .jobs,
            summary: "Read statistics on a job's books and their authors",
            notes: "Requires only the `jobId`. Every distribution includes its share of unknown values.",
            parameters: [.jobId], answers: [.envelope(200, .insights, "The distributions.")],
            failures: [.notFound, .serviceUnavailable]),
    ]
}

/// Job state, cancellation, retry and token refresh.
enum JobOperations {
    private static let cancelWithoutToken =
        "The token may be omitted if the `jobId` is a version 4 UUID; if a token is sent, it must be valid."

    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: [JobStateRoute.path], id: "readJob", group: .jobs, summary: "Read a job's state",
            notes:
                "With `wait`, the response is sent when the next event occurs or the time is up; if the job has ended or `If-None-Match` "
                + "contains an older `ETag`, it is sent immediately. A client that sends the last `ETag` in `If-None-Match` receives 304 "
                + "while nothing has changed.",
            parameters: [
                .jobId,
                .query(
                    "wait", .integer(1...30),
                    "Seconds to wait for a change; a waiting request counts as an open connection."),
            ],
            answers: OperationAnswer.envelope(200, .jobState, "The job's state.").tagged,
            failures: [.unauthorized, .tokenExpired, .notFound, .tooManyConnections, .serviceUnavailable],
            needsToken: true),
        APIOperation(
            method: .delete, paths: ["/v1/jobs/{jobId}"], id: "cancelJob", group: .jobs, summary: "Cancel a job",
            notes: "Cancelling twice, or after the end, is harmless; the response reports the job's state.",
            parameters: [.jobId],
            answers: [.envelope(200, .cancelOutcome, "The job has ended or is being cancelled.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable], needsToken: true),
        APIOperation(
            method: .post, paths: ["/v1/jobs/{jobId}/retry"], id: "retryJob", group: .jobs,
            summary: "Retry a job's failed books",
            notes:
                "At most once a minute; a retry that comes sooner returns 429 with `Retry-After`. A retry creates no events; it may change "
                + "the results and `resultsRevision`. A book that a provider did not have is looked up again once the cached response has expired. "
                + "The body may be omitted if the token is in `Authorization`.",
            parameters: [.jobId],
            body: RequestBody(schema: .jobAccess, isRequired: false),
            answers: [.envelope(202, .retryOutcome, "The number of books and photos being retried.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .jobNotRetryable, .serviceUnavailable],
            needsToken: true),
        APIOperation(
            method: .post, paths: ["/api/enrichment/cancel", "/api/scan-bookshelf/cancel"], id: "cancelJobByBody",
            group: .jobs, summary: "Cancel the job given in the body", notes: cancelWithoutToken,
            body: RequestBody(schema: .cancelRequest),
            answers: [.envelope(200, .cancelOutcome, "The job has ended or is being cancelled.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: ["/v1/csv/cancel/{jobId}"], id: "cancelImport", group: .jobs,
            summary: "Cancel a job", notes: cancelWithoutToken, parameters: [.jobId],
            body: RequestBody(schema: .jobAccess, isRequired: false),
            answers: [.envelope(200, .cancelOutcome, "The job has ended or is being cancelled.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: ["/api/token/refresh", "/v1/token/refresh"], id: "refreshToken", group: .jobs,
            summary: "Refresh a token, by default in the last 30 minutes of its lifetime",
            notes:
                "While a socket is open, its token is extended automatically and need not be refreshed. After a refresh, the old token "
                + "remains valid for up to five more minutes.",
            body: RequestBody(schema: .tokenRequest),
            answers: [
                OperationAnswer(
                    status: 200, meaning: "The new token, without an envelope.", schema: .named(.refreshedToken))
            ],
            failures: [.unauthorized, .tokenExpired, .tokenRefreshTooEarly, .notFound, .serviceUnavailable]),
    ]
}
