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
                "Give exactly one of books, isbns (or barcodes) and workIds. Starting again with the same jobId and the same "
                + "books answers with the same job and one more token, if the caller shows an earlier token of the job or "
                + "comes from the same address within 10 minutes of the first start; otherwise with 409 and the job's status. "
                + "With X-Client-Version: ios-… the job_complete frame carries the rows of the results too.",
            body: RequestBody(schema: .batchRequest, example: example),
            answers: [.envelope(202, .startedJob, "The job is on disk.")],
            failures: [.batchTooLarge, .jobExists, .serviceUnavailable]),
        APIOperation(
            method: .post, paths: ["/api/enrichment/start"], id: "startBatchLegacy", group: .deprecated,
            summary: "Start a batch enrichment, in the shape of older clients",
            notes: "A jobId may have as few as 4 characters.",
            body: RequestBody(schema: .batchRequest, example: example),
            answers: [Answer(status: 200, meaning: "The job is on disk.", schema: .named(.legacyStartedJob))],
            failures: [.batchTooLarge, .jobExists, .serviceUnavailable], isDeprecated: true),
        APIOperation(
            method: .get, paths: ["/v1/enrichment/results/{jobId}", "/v1/jobs/{jobId}/results"], id: "readResults",
            group: .batches, summary: "Read the results of a job",
            notes: "They are kept for a day. Before the job's end the answer is 404 with the job's status in details.",
            parameters: [.jobId], answers: [.envelope(200, .enrichmentResults, "All rows.")],
            failures: [.notFound, .serviceUnavailable]),
    ]
}
