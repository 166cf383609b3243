import BookstrackContract
import HTTPTypes
import SuiteMethods

/// Every operation of the public listener except those of the console; a test compares it with the routes.
enum OperationCatalog {
    static let all =
        BatchOperations.all + BookOperations.all + SocketOperations.all + EventStreamOperations.all + JobOperations.all
        + ImportOperations.all + ScanOperations.all + SearchOperations.all
        + ReportOperations.all + ServiceOperations.health + ServiceOperations.descriptions + CoverOperations.all
        + LegacySearchOperations.all
}

/// Starting a batch enrichment and reading results.
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
            answers: [.envelope(202, .retryOutcome, "The failed books are being retried.")],
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
            summary: "Refresh a token in the last 30 minutes of its lifetime",
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

/// The searches (http-api.md "Routes").
enum SearchOperations {
    private static let failures: [APIErrorCode] = [
        .invalidQuery, .providerError, .quotaExhausted, .serviceUnavailable, .providerTimeout,
    ]

    private static let title = Schema.text(.init(length: 0...200))
    private static let author = Schema.text(.init(length: 0...300))

    private static let explain = Parameter.query(
        "explain", .flag, "Whether the response explains each work's rank in `matching`; false by default.")

    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: ["/v1/search/isbn"], id: "searchByISBN", group: .search,
            summary: "Find a book by its ISBN",
            parameters: [
                .query(
                    "isbn", "ISBN-10 or ISBN-13; hyphens and spaces are ignored.", isRequired: true,
                    example: "9780441172719")
            ],
            answers: [.envelope(200, .searchResults, "The book; empty lists if unknown.").cached],
            failures: failures + [.invalidISBN]),
        APIOperation(
            method: .get, paths: ["/v1/search/title"], id: "searchByTitle", group: .search,
            summary: "Find books by title",
            parameters: [
                .query(
                    "q", .text(.init(length: 2...200)), "At least two characters.", isRequired: true, example: "Dune"),
                explain,
            ],
            answers: [.envelope(200, .searchResults, "At most 20 works, best first.").cached], failures: failures),
        APIOperation(
            method: .get, paths: ["/v1/search/advanced"], id: "searchAdvanced", group: .search,
            summary: "Find books by title and author", notes: "Provide at least one of `title`, `author` and `isbn`.",
            parameters: [
                .query("title", title, "Part of the title.", example: "Dune"),
                .query("author", author, "Part of the author's name.", example: "Herbert"),
                .query("isbn", "An ISBN; takes precedence over title and author."),
                .query("maxResults", .integer(1...40), "Maximum number of works; at most 20 are returned."),
                explain,
            ],
            answers: [.envelope(200, .searchResults, "At most 20 works, best first.").cached],
            failures: failures + [.invalidISBN]),
        APIOperation(
            method: .get, paths: ["/v1/editions/search"], id: "searchEditions", group: .search,
            summary: "Find the editions of a work",
            parameters: [
                .query("workTitle", title, "Title of the work.", isRequired: true, example: "Dune"),
                .query("author", author, "Author of the work.", isRequired: true, example: "Frank Herbert"),
                .query("limit", .integer(1...50), "Maximum number of editions."),
            ],
            answers: [.envelope(200, .editionResults, "Most complete first.").cached], failures: failures + [.notFound]),
    ]
}

/// The deprecated searches (http-api.md "Deprecated searches").
enum LegacySearchOperations {
    private static let maxResults = Parameter.query("maxResults", .integer(1...40), "Maximum number of items.")

    static let all: [APIOperation] = [
        search(
            "/search/title", "legacySearchByTitle", "Find books by title",
            [.query("q", "Part of the title.", isRequired: true, example: "Dune"), maxResults]),
        search(
            "/search/isbn", "legacySearchByISBN", "Find a book by its ISBN",
            [
                .query("isbn", "The ISBN.", example: "9780441172719"),
                .query("q", "The ISBN, as an alternative to `isbn`."),
                maxResults,
            ],
            failures: [.invalidISBN]),
        search(
            "/search/author", "legacySearchByAuthor", "Find an author's books",
            [
                .query("q", "The author's name.", isRequired: true, example: "Frank Herbert"),
                .query("limit", .integer(1...100), "Maximum number of items."),
                .query("offset", .count, "Number of items to skip."),
                .query(
                    "sortBy", .choice(["publicationYear", "publicationYearAsc", "title", "popularity"]), "Sort order."),
            ]),
        search(
            "/search/advanced", "legacySearchAdvanced", "Find books by title and author",
            [
                .query("title", "Part of the title.", example: "Dune"), .query("bookTitle", "Same as `title`."),
                .query("author", "Part of the author's name."), .query("authorName", "Same as `author`."),
                .query("isbn", "The ISBN."), maxResults,
            ], failures: [.invalidISBN]),
    ]

    private static func search(
        _ path: String, _ id: String, _ summary: String, _ parameters: [Parameter], failures: [APIErrorCode] = []
    ) -> APIOperation {
        APIOperation(
            method: .get, paths: [path], id: id, group: .deprecated, summary: summary,
            notes: "Responses have the format of Google Books, without an envelope.", parameters: parameters,
            answers: [
                OperationAnswer(status: 200, meaning: "The matching volumes.", schema: .named(.volumeList)).cached
            ],
            failures: failures + [
                .invalidQuery, .providerError, .quotaExhausted, .serviceUnavailable, .providerTimeout,
            ], isDeprecated: true)
    }
}

/// Cover images.
enum CoverOperations {
    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: [CoverRoutes.path], id: "readCover", group: .covers, summary: "Get a cover image",
            notes:
                "Only images on hosts that this API's responses link to. With `Accept: application/octet-stream`, the response has that type.",
            parameters: [
                .query(
                    "url", .text(.init(format: "uri")), "HTTPS URL of the cover.", isRequired: true,
                    example: "https://covers.openlibrary.org/b/id/13473958-L.jpg"),
                .query("size", .choice(CoverSize.allCases.map(\.rawValue)), "Size; medium by default."),
            ],
            answers: OperationAnswer(
                status: 200, meaning: "The image.", schema: .bytes,
                types: PictureType.allCases.map(\.rawValue) + [StandardFields.anyBytes]
            ).tagged,
            failures: [
                .invalidQuery, .forbidden, .notFound, .providerError, .quotaExhausted, .serviceUnavailable,
                .providerTimeout,
            ])
    ]
}

/// Health checks, the page for readers, and the API descriptions.
enum ServiceOperations {
    static let health: [APIOperation] = [
        APIOperation(
            method: .get, paths: ["/health"], id: "readHealth", group: .service,
            summary: "Service info and routes",
            answers: [OperationAnswer(status: 200, meaning: "The service is running.", schema: .named(.health))],
            isLimited: false),
        APIOperation(
            method: .get, paths: ["/health/live"], id: "readLiveness", group: .service,
            summary: "Liveness",
            answers: [OperationAnswer(status: 200, meaning: "The process is running.", schema: .named(.liveness))],
            isLimited: false),
        APIOperation(
            method: .get, paths: ["/health/ready"], id: "readReadiness", group: .service,
            summary: "Readiness",
            answers: [
                OperationAnswer(status: 200, meaning: "Ready or degraded.", schema: .named(.readiness)),
                OperationAnswer(status: 503, meaning: "Not ready.", schema: .named(.readiness)),
            ], isLimited: false),
    ]

    static let descriptions: [APIOperation] = [
        APIOperation(
            method: .get, paths: [ReaderPage.rootPath], id: "readPage", group: .service,
            summary: "A page for readers",
            notes: "For browsers (`Accept: text/html`). Other clients receive 404 with a `Link` to the documentation.",
            answers: [OperationAnswer(status: 200, meaning: "An HTML page.", schema: .text, types: ["text/html"])],
            failures: [.notFound], isLimited: false),
        APIOperation(
            method: .get, paths: [ReaderPage.filePath], id: "readPageFile", group: .service,
            summary: "A file used by the page for readers",
            parameters: [
                Parameter(
                    name: "version", place: .path, isRequired: true, schema: .text,
                    meaning: "The version that the page refers to; for any other version, the current file is returned."
                ),
                Parameter(
                    name: "file", place: .path, isRequired: true, schema: .text, meaning: "Name of the file."),
            ],
            answers: [
                OperationAnswer(
                    status: 200, meaning: "A style sheet or a script.", schema: .text,
                    types: ["text/css", "text/javascript"])
            ], failures: [.notFound], isLimited: false),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.openAPIPath], id: "readOpenAPI", group: .service,
            summary: "OpenAPI description of the HTTP API",
            answers: [OperationAnswer(status: 200, meaning: "This document (OpenAPI 3.1).", schema: .object([]))]),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.asyncAPIPath], id: "readAsyncAPI", group: .service,
            summary: "AsyncAPI description of the WebSockets",
            answers: [OperationAnswer(status: 200, meaning: "An AsyncAPI 3.0 document.", schema: .object([]))]),
        APIOperation(
            method: .get, paths: [DescriptionRoutes.pagePath], id: "readDocs", group: .service,
            summary: "Interactive API documentation",
            answers: [OperationAnswer(status: 200, meaning: "An HTML page.", schema: .text, types: ["text/html"])]),
    ]
}

/// The HTTP requests that open WebSockets.
enum SocketOperations {
    static let followMeaning =
        "Stay open for up to an hour after the end of the job, to receive `results_updated` frames."

    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: [UpgradeRequest.path], id: "watchJob", group: .progress,
            summary: "Watch a job over a WebSocket",
            notes:
                "The token may also be sent in `Authorization`, or as `bookstrack-auth.<token>` in `Sec-WebSocket-Protocol`.",
            parameters: [
                .query("jobId", .jobId, "The job.", isRequired: true),
                .query("token", "The job's token."),
                .query("reconnect", .choice(["true", "false"]), "Whether the client was connected before."),
                .query("since", .count, "Number of the last event that the client has received."),
                .query("follow", .choice(["results"]), followMeaning),
                .query("protocol", .choice(["1"]), "Use the flat frames of the v1 dialect."),
            ],
            answers: [OperationAnswer(status: 101, meaning: "The connection is now a WebSocket.")],
            failures: [
                .unauthorized, .tokenExpired, .forbidden, .upgradeRequired, .tooManyConnections, .serviceUnavailable,
            ], isLimited: false),
        APIOperation(
            method: .get, paths: [JobsSocket.path], id: "watchJobs", group: .progress,
            summary: "Watch several jobs over one WebSocket",
            notes:
                "The client sends `{\"type\":\"watch\",\"jobs\":[{\"jobId\",\"token\",\"since\"}]}` within five seconds, and further `watch` and "
                + "`unwatch` messages at any later time. `/asyncapi.json` describes the messages.",
            answers: [OperationAnswer(status: 101, meaning: "The connection is now a WebSocket.")],
            failures: [.forbidden, .upgradeRequired, .tooManyConnections, .serviceUnavailable], isLimited: false),
    ]
}

/// Streams of server-sent events.
enum EventStreamOperations {
    private static let parameters: [Parameter] = [
        .jobId, .query("token", "The job's token, unless it is in `Authorization`."),
        .query("since", .count, "Number of the last event that the client has received."),
    ]
    private static let follow = Parameter.query("follow", .choice(["results"]), SocketOperations.followMeaning)

    private static func answers(_ position: AnswerField) -> [OperationAnswer] {
        [
            OperationAnswer(
                status: 200, meaning: "The events.", schema: .text, types: ["text/event-stream"], fields: [position]),
            OperationAnswer(status: 204, meaning: "Each job has ended, and the client has received its last event."),
        ]
    }

    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: [EventStreamRoutes.path], id: "streamJob", group: .progress,
            summary: "Watch a job through server-sent events",
            notes:
                "The WebSocket frames: `id` is the frame's `seq`, `event` is its type (`job_error` for `error`), and `data` is the frame. "
                + "The header field `Last-Event-ID` takes precedence over `since`. Without either, the stream starts with the current state. A comment "
                + "is sent every 15 s. The stream ends after the terminal event; a request that sends its number returns 204, after which "
                + "`EventSource` does not reconnect.",
            parameters: parameters + [follow], answers: answers(.lastEventID),
            failures: [.unauthorized, .tokenExpired, .forbidden, .tooManyConnections, .serviceUnavailable],
            needsToken: true),
        APIOperation(
            method: .get, paths: [EventStreamRoutes.combinedPath], id: "streamJobs", group: .progress,
            summary: "Watch several jobs through server-sent events",
            notes:
                "The frames of all jobs on one stream; `id` is `ID=SEQ,ID=SEQ`, the number of each job's last event. The event "
                + "`watch_refused` reports a job that may not be watched, and `unwatched` one that has ended or whose token was revoked. The "
                + "stream ends after the last `unwatched`. A request that sends the number of every job's last event returns 204.",
            parameters: [
                .query(
                    "job", .list(of: .text, atMost: JobSelection.queryLimit), "`ID:TOKEN`, 1 to 20 times.",
                    isRequired: true),
                .query(
                    "since", "`ID=SEQ,ID=SEQ`: the number of the last event that the client has received for each job."),
            ], answers: answers(.lastEventIDs),
            failures: [.unauthorized, .tokenExpired, .notFound, .forbidden, .tooManyConnections, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: [EventStreamRoutes.combinedPath], id: "streamListedJobs", group: .progress,
            summary: "Watch up to 100 jobs through server-sent events",
            notes: "The same stream for jobs listed in the body, which keeps tokens out of URLs.",
            body: RequestBody(schema: .jobSelection), answers: answers(.lastEventIDs),
            failures: [.unauthorized, .tokenExpired, .notFound, .forbidden, .tooManyConnections, .serviceUnavailable]),
        APIOperation(
            method: .get, paths: [EventStreamRoutes.appPath], id: "streamJobForApps", group: .progress,
            summary: "Watch a job through server-sent events, in the format that shipped apps read",
            notes:
                "Works for all kinds of jobs. The token may be omitted if the `jobId` is a version 4 UUID; if a token is sent, it must be valid. "
                + "After five minutes without an event, the stream ends with the event `timeout`.",
            parameters: parameters, answers: answers(.lastEventID),
            failures: [.unauthorized, .tokenExpired, .notFound, .forbidden, .tooManyConnections, .serviceUnavailable]),
    ]
}
