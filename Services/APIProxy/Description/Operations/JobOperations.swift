import BookstrackContract
import HTTPTypes

/// A job's state, cancel, retry and token.
enum JobOperations {
    private static let cancelWithoutToken =
        "The token may be left out when the jobId is a UUID of version 4; one that is sent must be right."

    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: ["/v1/jobs/{jobId}"], id: "readJob", group: .jobs, summary: "Read a job's state",
            parameters: [.jobId], answers: [.envelope(200, .jobState, "Where the job stands.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable], needsToken: true),
        APIOperation(
            method: .delete, paths: ["/v1/jobs/{jobId}"], id: "cancelJob", group: .jobs, summary: "Cancel a job",
            notes: "Cancelling twice, or after the end, is harmless and says so.", parameters: [.jobId],
            answers: [.envelope(200, .cancelOutcome, "The job is over.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable], needsToken: true),
        APIOperation(
            method: .post, paths: ["/v1/jobs/{jobId}/retry"], id: "retryJob", group: .jobs,
            summary: "Try a job's failed books again",
            notes:
                "Once a minute; earlier ones are answered 429 with Retry-After. There are no new events; results and "
                + "resultsRevision change. A book that a provider does not have is asked about again when that answer has expired.",
            parameters: [.jobId],
            body: RequestBody(schema: .jobAccess, isRequired: false),
            answers: [.envelope(202, .retryOutcome, "The retryable books are tried again.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable], needsToken: true),
        APIOperation(
            method: .post, paths: ["/api/enrichment/cancel", "/api/scan-bookshelf/cancel"], id: "cancelJobByBody",
            group: .jobs, summary: "Cancel the job that the body names", notes: cancelWithoutToken,
            body: RequestBody(schema: .cancelRequest),
            answers: [.envelope(200, .cancelOutcome, "The job is over.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: ["/v1/csv/cancel/{jobId}"], id: "cancelImport", group: .jobs,
            summary: "Cancel a job", notes: cancelWithoutToken, parameters: [.jobId],
            body: RequestBody(schema: .jobAccess, isRequired: false),
            answers: [.envelope(200, .cancelOutcome, "The job is over.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: ["/api/token/refresh", "/v1/token/refresh"], id: "refreshToken", group: .jobs,
            summary: "Exchange a token in the last half hour of its life",
            notes:
                "While a socket is open its token stays alive by itself. The old token is good for five more minutes.",
            body: RequestBody(schema: .tokenRequest),
            answers: [Answer(status: 200, meaning: "The new token; not enveloped.", schema: .named(.refreshedToken))],
            failures: [.unauthorized, .tokenExpired, .tokenRefreshTooEarly, .notFound, .serviceUnavailable]),
    ]
}
