import BookstrackContract

/// Payload schemas of the progress socket's frames (websocket.md "Payloads").
enum FrameSchemas {
    static func payload(_ type: FrameType, _ members: [Property]) -> Schema {
        .object([.required("type", .choice([type.rawValue]))] + members)
    }

    static let jobStarted = payload(
        .jobStarted,
        [
            .required("totalItems", .count),
            .optional("estimated", .flag, "True if `totalItems` is an estimate (imports only)."),
            .required("totalCount", .count, "Same as `totalItems`."),
            .required("totalBooks", .count, "Same as `totalItems`."),
            .required("estimatedDuration", .count, "Milliseconds."), .required("status", .text),
        ])

    static let jobProgress = payload(
        .jobProgress,
        [
            .required("progress", .fraction),
            .required("percentage", .integer(0...100), "The progress in percent, rounded down."),
            .required("status", .text, "Short and neutral, for example \"Processing book 5 of 10\"."),
            .required("processedCount", .count), .required("totalCount", .count),
            .required("remaining", .count, "`totalCount` minus `processedCount`."),
            .required("booksProcessed", .count, "Same as `processedCount`."),
            .required("totalBooks", .count, "Same as `totalCount`."),
            .required(
                "currentItem", .text,
                "Title of the most recently finished book, or empty; for an import, the name of the file."),
            .required("currentTitle", .text, "Same as `currentItem`."),
            .optional("currentItemDetails", .object([.optional("isbn", .text), .optional("author", .text)])),
            .required("userMessage", .text, "Human-readable message."),
            .optional("estimatedTimeRemaining", .count, "Seconds."),
            .required("successCount", .count), .required("failureCount", .count),
            .optional("failureCounts", JobSchemas.failureCounts, "Failures by reason."),
            .optional("keepAlive", .flag, "True for a frame that only keeps the connection alive."),
        ])

    static let jobComplete = payload(
        .jobComplete,
        [
            .required("pipeline", .choice(of: Pipeline.self)),
            .required("resultsUrl", .text, "Path of the results."),
            .required("expiresAt", .time, "When the results are deleted."),
            .required(
                "result",
                .object([
                    .required("totalBooks", .count), .required("successCount", .count),
                    .required("failureCount", .count),
                ])),
            .required("totalProcessed", .count), .required("successCount", .count), .required("failureCount", .count),
            .optional("failureCounts", JobSchemas.failureCounts, "Failures by reason."),
            .required("duration", .count, "Milliseconds."),
            .required(
                "summary",
                .object([
                    .required("totalProcessed", .count), .required("successCount", .count),
                    .required("failureCount", .count), .required("duration", .count),
                    .required("resourceId", .text, "job-results:<jobId>"), .required("text", .text),
                    .optional(
                        "totalDetected", .anyOf([.count, .choice(["n/a"])]),
                        "Number of books in a scan; n/a for other pipelines."),
                    .optional("approved", .count, "Books in a scan that need no review."),
                    .optional("needsReview", .count, "Books in a scan that need review."),
                ])),
            .required("userMessage", .text),
            .optional(
                "enrichedBooks", .list(of: .enrichedBook),
                "The result rows, for jobs started with X-Client-Version: ios-…; shortened or empty beyond "
                    + "900 KiB."),
            .optional("booksCount", .count, "Books in an import."),
            .optional(
                "successRate", .text,
                "Share of an import's rows that became a book or were merged into one, for example \"98/100\"."),
            .optional(
                "enrichment",
                .object([
                    .required("jobId", .jobId), .required("websocketUrl", .text), .required("resultsUrl", .text),
                ]), "An import's linked enrichment, without its token."),
            .optional(
                "books",
                .list(
                    of: .object([
                        .required("title", .text), .required("author", .text), .optional("isbn", .text),
                    ])),
                "Books of an import started through a shipped app's route; shortened or empty beyond 900 KiB."),
            .optional(
                "errors",
                .list(of: .object([.required("title", .text), .required("error", .text)])),
                "Rows that could not become books, for an import started through a shipped app's route."),
            .optional("totalDetected", .count, "Books in a scan."),
            .optional("approved", .count, "Books in a scan that need no review."),
            .optional("needsReview", .count, "Books in a scan that need review."),
            .optional("total_detected", .count, "Same as `totalDetected`."),
            .optional("needs_review", .count, "Same as `needsReview`."),
            .optional("results_url", .text, "Same as `resultsUrl`, for scans."),
            .optional(
                "metadata",
                .object([.required("modelUsed", .text), .required("processingTime", .count, "Milliseconds.")]),
                "How a scan's photos were read."),
        ])

    static let jobError = payload(
        .error,
        [
            .required("code", .choice(of: FrameErrorCode.self)), .required("message", .text),
            .required("userMessage", .text),
            .required("retryable", .flag, "Whether starting the job again may succeed; false for scans."),
            .required(
                "affectedItems", .list(of: .text, atMost: 10),
                "Titles of rows without a result; an identifier for a row without a title."),
            .required(
                "details",
                .object([
                    .required("successCount", .count), .required("failureCount", .count),
                    .optional("provider", .choice(of: DataProvider.self)),
                    .optional("lineNumber", .count, "Line at which reading the file stopped, counted from 1."),
                    .optional("fileName", .text), .optional("fileSize", .count, "Bytes."),
                    .optional("imageSize", .count, "Bytes."),
                    .optional("statusCode", .count, "HTTP status of a provider's error response; never sent."),
                    .optional("rows", .count, "Number of rows in the file, if there are too many."),
                    .optional("limit", .count, "Maximum number of rows in a file."),
                ])),
            .required(
                "error",
                .object([
                    .required(
                        "code",
                        .choice(
                            Set(
                                FrameErrorCode.allCases.map(\.legacyCode)
                                    + ImportFault.Code.allCases.map(\.rawValue)
                            ).sorted())),
                    .required("message", .text),
                ])),
        ])

    static let resultsUpdated = payload(
        .resultsUpdated,
        [
            .required("resultsRevision", .count),
            .required("improved", .count, "Number of rows improved in this round."),
            .required("message", .text, "Human-readable message."),
        ])

    static let readyAck = payload(.readyAck, [.required("timestamp", .timestamp)])

    static let ping = payload(.ping, [.required("timestamp", .timestamp)])

    static let pong = payload(
        .pong,
        [
            .required("timestamp", .timestamp),
            .optional("clientTime", .integer, "The client's own time, echoed."),
            .optional("latency", .integer, "Milliseconds; may be negative if the clocks differ."),
        ])

    static let reconnected = payload(
        .reconnected,
        [
            .required("progress", .fraction), .required("status", .choice(of: JobStatus.self)),
            .required("processedCount", .count), .required("processed_count", .count),
            .required("totalCount", .count), .required("total_count", .count),
            .required("lastUpdate", .timestamp), .required("last_update", .timestamp),
            .required("message", .text),
            .required("recovered", .flag, "Whether all events after the requested `since` follow."),
        ])

    static let v1Frame = Schema.object([
        .required("type", .choice(["progress", "complete"])), .required("jobId", .jobId),
        .required("timestamp", .timestamp),
        .required(
            "data",
            .object([
                .required("progress", .fraction), .required("status", .text), .required("currentStatus", .text),
                .required("processedItems", .count), .required("totalItems", .count),
                .optional("currentWorkId", .text), .optional("error", .text), .optional("keepAlive", .flag),
                .optional("successCount", .count), .optional("failedCount", .count),
                .optional(
                    "enrichedWorks",
                    .list(
                        of: .object([
                            .optional("isbn", .text), .required("title", .text), .optional("coverUrl", .text),
                            .required("genres", .list(of: .text)), .optional("description", .text),
                        ]))),
                .optional(
                    "result",
                    .object([
                        .required("totalDetected", .count), .required("approved", .count),
                        .required("needsReview", .count), .required("books", .list(of: .scannedBook)),
                        .required("metadata", ScanSchemas.reading),
                    ]), "The books of a scan."),
            ])),
    ])
}
