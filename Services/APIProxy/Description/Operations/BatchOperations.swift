import BookstrackContract
import HTTPTypes

/// The starts of batch enrichments and their results.
enum BatchOperations {
    private static let example = EnrichmentBatchRequest(books: [
        BookQuery(title: "Dune", author: "Frank Herbert"), BookQuery(isbn: "9780441172719"),
    ])

    static let all: [APIOperation] = [
        APIOperation(
            method: .post, paths: ["/v1/enrichment/batch", "/api/enrichment/batch"], id: "startBatch", group: .batches,
            summary: "Start a batch enrichment",
            notes:
                "Provide exactly one of `books`, `isbns`, `barcodes` and `workIds`. Repeating a start with the same `jobId` and "
                + "the same books returns the same job with one more token if the caller sends an earlier token of the job, "
                + "or uses the same address within 10 minutes of the first start; otherwise it returns 409 with the job's "
                + "status. With `X-Client-Version: ios-…` the `job_complete` frame also contains the rows of the results.",
            body: RequestBody(schema: .batchRequest, example: example),
            answers: [.envelope(202, .startedJob, "The job is on disk.")],
            failures: [.batchTooLarge, .jobExists, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: ["/api/enrichment/start"], id: "startBatchLegacy", group: .deprecated,
            summary: "Start a batch enrichment, in the shape of older clients",
            notes: "A `jobId` may have as few as 4 characters.",
            body: RequestBody(schema: .batchRequest, example: example),
            answers: [Answer(status: 200, meaning: "The job is on disk.", schema: .named(.legacyStartedJob))],
            failures: [.batchTooLarge, .jobExists, .serviceUnavailable], isDeprecated: true),
        APIOperation(
            method: .get, paths: ["/v1/enrichment/results/{jobId}", "/v1/jobs/{jobId}/results"], id: "readResults",
            group: .jobs, summary: "Read the results of a job",
            notes:
                "Results are kept for a day. Until the job ends, the response is 404 with the job's status in `details`.",
            parameters: [.jobId], answers: [.envelope(200, .enrichmentResults, "All rows.")],
            failures: [.notFound, .serviceUnavailable]),
    ]
}
