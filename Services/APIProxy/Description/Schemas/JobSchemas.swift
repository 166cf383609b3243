import BookstrackContract
import SuiteMethods

/// A job's state, its cancel, its retry and its token (http-api.md "Job state").
enum JobSchemas {
    private static let token = Schema.text(.init(length: 0...JobAccessBody.longestToken))

    /// Keys are the codes of items without a result.
    static let failureCounts = Schema.object(ItemErrorCode.allCases.map { .optional($0.rawValue, .count) })

    static let state = Schema.object([
        .required("jobId", .jobId),
        .required("pipeline", .choice(of: Pipeline.self)),
        .required("status", .choice(of: JobStatus.self)),
        .required("progress", .share),
        .required("processedCount", .count, "Processed items, with or without a result."),
        .required("totalCount", .count),
        .required("successCount", .count),
        .required("failureCount", .count),
        .optional("failureCounts", failureCounts, "The same by reason."),
        .optional(
            "laterRetries",
            .object([.required("count", .count), .required("nextAt", .time, "When the first of them is tried.")]),
            "Items without a result that are tried again after the job's end."),
        .optional("waitingFor", .choice([ServiceName.enrichmentWorker.rawValue]), "What the job cannot go on without."),
        .required("createdAt", .time),
        .optional("startedAt", .time),
        .optional("endedAt", .time),
        .optional("expiresAt", .time, "When the results are deleted."),
        .required("lastSeq", .count, "Number of the latest event."),
        .required("resultsRevision", .count),
        .required("links", .object([.required("results", .text), .required("websocket", .text)])),
    ])

    static let access = Schema.object([
        .optional("jobId", .jobId), .optional("token", token, "Unless it is in `Authorization`."),
    ])

    static let cancelRequest = Schema.object([
        .required("jobId", .jobId), .optional("token", token, "Unless it is in `Authorization`."),
    ])

    static let cancelOutcome = Schema.object([
        .required("jobId", .jobId),
        .required("status", .choice(of: JobStatus.self), "cancelled, or the state in which it had already ended."),
        .required("message", .text),
        .required(
            "cleanup",
            .object([
                .required("itemsDiscarded", .count, "Books that were not looked up."),
                .required("uploadsDeleted", .count),
                .required("r2ObjectsDeleted", .count, "Same as `uploadsDeleted`."),
                .required("kvCacheCleared", .flag, "Always false: results live with their job."),
            ])),
    ])

    static let retryOutcome = Schema.object([
        .required("jobId", .jobId), .required("status", .choice(of: JobStatus.self)),
        .required("retrying", .count, "Failed items that are being retried."),
    ])

    static let tokenRequest = Schema.object([
        .required("jobId", .jobId), .required("oldToken", token),
    ])

    static let refreshedToken = Schema.object([
        .required("jobId", .jobId), .required("token", .text), .required("newToken", .text, "Same as `token`."),
        .required("expiresAt", .time),
    ])
}
