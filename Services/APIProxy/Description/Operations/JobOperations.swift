import BookstrackContract
import HTTPTypes

/// A job's state, cancel, retry and token.
enum JobOperations {
    private static let cancelWithoutToken =
        "The token may be omitted if the `jobId` is a version 4 UUID; a token that is sent must be valid."

    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: ["/v1/jobs/{jobId}"], id: "readJob", group: .jobs, summary: "Read a job's state",
            parameters: [.jobId], answers: [.envelope(200, .jobState, "The job's state.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable], needsToken: true),
        APIOperation(
            method: .delete, paths: ["/v1/jobs/{jobId}"], id: "cancelJob", group: .jobs, summary: "Cancel a job",
            notes: "Cancelling twice, or after the end, is harmless; the response says so.", parameters: [.jobId],
            answers: [.envelope(200, .cancelOutcome, "The job has ended.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable], needsToken: true),
        APIOperation(
            method: .post, paths: ["/v1/jobs/{jobId}/retry"], id: "retryJob", group: .jobs,
            summary: "Retry a job's failed books",
            notes:
                "At most once a minute; earlier retries get 429 with `Retry-After`. There are no new events; the results and "
                + "`resultsRevision` change. A book that a provider does not have is looked up again once that answer has expired. "
                + "The body may be omitted if the token is in `Authorization`.",
            parameters: [.jobId],
            body: RequestBody(schema: .jobAccess, isRequired: false),
            answers: [.envelope(202, .retryOutcome, "The retryable books are being retried.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable], needsToken: true),
        APIOperation(
            method: .post, paths: ["/api/enrichment/cancel", "/api/scan-bookshelf/cancel"], id: "cancelJobByBody",
            group: .jobs, summary: "Cancel the job named in the body", notes: cancelWithoutToken,
            body: RequestBody(schema: .cancelRequest),
            answers: [.envelope(200, .cancelOutcome, "The job has ended.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: ["/v1/csv/cancel/{jobId}"], id: "cancelImport", group: .jobs,
            summary: "Cancel a job", notes: cancelWithoutToken, parameters: [.jobId],
            body: RequestBody(schema: .jobAccess, isRequired: false),
            answers: [.envelope(200, .cancelOutcome, "The job has ended.")],
            failures: [.unauthorized, .tokenExpired, .notFound, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: ["/api/token/refresh", "/v1/token/refresh"], id: "refreshToken", group: .jobs,
            summary: "Refresh a token (last 30 min)",
            notes:
                "The token of an open socket stays valid by itself. The old token remains valid for five more minutes.",
            body: RequestBody(schema: .tokenRequest),
            answers: [
                Answer(status: 200, meaning: "The new token, without an envelope.", schema: .named(.refreshedToken))
            ],
            failures: [.unauthorized, .tokenExpired, .tokenRefreshTooEarly, .notFound, .serviceUnavailable]),
    ]
}
