import BookstrackContract
import TestSupport
import Testing

/// The exact text of frames other than those of photo batches and of the v1 dialect (websocket.md "Frames" and "Payloads"). Shipped apps decode
/// these members.
@Suite("JSON of frames")
struct FrameFormTests {
    private static let job = JobID("job-under-test")!

    private func expect<Payload: FramePayload>(
        _ payload: Payload, pipeline: Pipeline = .batchEnrichment, type: String, _ members: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let frame = ServerFrame(
            jobId: Self.job, pipeline: pipeline, timestamp: 1_700_000_000_000, seq: 17, payload: payload)
        let text = try WireForm.of(frame)
        let expected = WireForm.line(
            """
            {"type":"\(type)","jobId":"job-under-test","pipeline":"\(pipeline.rawValue)","timestamp":1700000000000,
            "version":"1.0.0","seq":17,"payload":{"type":"\(type)",
            \(members)}}
            """)
        #expect(text == expected, sourceLocation: sourceLocation)
        #expect(try WireForm.read(ServerFrame<Payload>.self, text) == frame, sourceLocation: sourceLocation)
    }

    @Test("job_started contains the number of items under the names that all generations of clients read")
    func started() throws {
        try expect(
            JobStartedPayload(totalCount: 10, estimatedDuration: 2_000, status: "Processing book 0 of 10"),
            type: "job_started",
            """
            "totalItems":10,"totalCount":10,"totalBooks":10,"estimatedDuration":2000,"status":"Processing book 0 of 10"
            """)
        try expect(
            JobStartedPayload(totalCount: 11, estimated: true, estimatedDuration: 1_000, status: "Reading"),
            pipeline: .csvImport, type: "job_started",
            """
            "totalItems":11,"estimated":true,"totalCount":11,"totalBooks":11,"estimatedDuration":1000,"status":"Reading"
            """)
    }

    @Test("job_progress is encoded with all of its members")
    func progress() throws {
        var failures = FailureCounts()
        failures[.notFound] = 1
        failures[.invalidISBN] = 1
        try expect(
            JobProgressPayload(
                counts: JobCounts(total: 10, succeeded: 3, failed: 2, failures: failures),
                status: "Processing book 5 of 10", currentTitle: "Dune",
                currentItemDetails: .init(isbn: "9780441172719", author: "Frank Herbert"),
                userMessage: "Finding details for Dune... 5 of 10 books complete", estimatedTimeRemaining: 12,
                keepAlive: true),
            type: "job_progress",
            """
            "progress":0.5,"percentage":50,"status":"Processing book 5 of 10","processedCount":5,"totalCount":10,
            "remaining":5,"booksProcessed":5,"totalBooks":10,"currentItem":"Dune","currentTitle":"Dune",
            "currentItemDetails":{"isbn":"9780441172719","author":"Frank Herbert"},
            "userMessage":"Finding details for Dune... 5 of 10 books complete","estimatedTimeRemaining":12,
            "successCount":3,"failureCount":2,"failureCounts":{"INVALID_ISBN":1,"NOT_FOUND":1},"keepAlive":true
            """)
    }

    @Test("optional members without a value are omitted from job_progress")
    func bareProgress() throws {
        try expect(
            JobProgressPayload(
                counts: JobCounts(total: 3), status: "Processing book 0 of 3", currentTitle: "",
                currentItemDetails: .init(isbn: nil, author: nil), userMessage: "m", estimatedTimeRemaining: nil),
            type: "job_progress",
            """
            "progress":0,"percentage":0,"status":"Processing book 0 of 3","processedCount":0,"totalCount":3,
            "remaining":3,"booksProcessed":0,"totalBooks":3,"currentItem":"","currentTitle":"","userMessage":"m",
            "successCount":0,"failureCount":0
            """)
    }

    @Test(
        "a batch's job_complete has n/a for detected books, so apps do not mistake it for a scan's completion"
    )
    func complete() throws {
        try expect(
            JobCompletePayload(
                jobId: Self.job, pipeline: .batchEnrichment, counts: JobCounts(total: 10, succeeded: 9, failed: 1),
                durationMilliseconds: 4_200, expiresAt: "2025-11-16T20:00:00.000Z", userMessage: "Added 9 books."),
            type: "job_complete",
            """
            "pipeline":"batch_enrichment","resultsUrl":"/v1/enrichment/results/job-under-test",
            "expiresAt":"2025-11-16T20:00:00.000Z","result":{"totalBooks":10,"successCount":9,"failureCount":1},
            "totalProcessed":10,"successCount":9,"failureCount":1,"duration":4200,
            "summary":{"totalProcessed":10,"successCount":9,"failureCount":1,"duration":4200,
                "resourceId":"job-results:job-under-test","text":"Added 9 books.","totalDetected":"n/a"},
            "userMessage":"Added 9 books."
            """)
    }

    @Test("an import's job_complete contains the paths of the linked enrichment, the books and the errors")
    func completeImport() throws {
        var payload = JobCompletePayload(
            jobId: Self.job, pipeline: .csvImport, counts: JobCounts(total: 100, succeeded: 98, failed: 2),
            durationMilliseconds: 310, expiresAt: "e", userMessage: "m")
        payload.booksCount = 97
        payload.successRate = "98/100"
        payload.enrichment = .init(jobId: JobID("linked-job")!)
        payload.books = [.init(title: "Emma", author: "Jane Austen", isbn: nil)]
        payload.errors = [.init(title: "", error: "The row has no title.")]
        try expect(
            payload, pipeline: .csvImport, type: "job_complete",
            """
            "pipeline":"csv_import","resultsUrl":"/v1/csv/results/job-under-test","expiresAt":"e",
            "result":{"totalBooks":100,"successCount":98,"failureCount":2},"totalProcessed":100,"successCount":98,
            "failureCount":2,"duration":310,
            "summary":{"totalProcessed":100,"successCount":98,"failureCount":2,"duration":310,
                "resourceId":"job-results:job-under-test","text":"m","totalDetected":"n/a"},
            "userMessage":"m","booksCount":97,"successRate":"98/100",
            "enrichment":{"jobId":"linked-job","websocketUrl":"/ws/progress?jobId=linked-job",
                "resultsUrl":"/v1/enrichment/results/linked-job"},
            "books":[{"title":"Emma","author":"Jane Austen"}],
            "errors":[{"title":"","error":"The row has no title."}]
            """)
    }

    @Test("a scan's job_complete contains the number of books under both spellings")
    func completeScan() throws {
        var payload = JobCompletePayload(
            jobId: Self.job, pipeline: .aiScan, counts: JobCounts(total: 7, succeeded: 7),
            durationMilliseconds: 9_000, expiresAt: "e", userMessage: "m")
        payload.addScan(detected: 7, approved: 5, modelUsed: "gemini-2.5-flash")
        try expect(
            payload, pipeline: .aiScan, type: "job_complete",
            """
            "pipeline":"ai_scan","resultsUrl":"/v1/scan/results/job-under-test","expiresAt":"e",
            "result":{"totalBooks":7,"successCount":7,"failureCount":0},"totalProcessed":7,"successCount":7,
            "failureCount":0,"duration":9000,
            "summary":{"totalProcessed":7,"successCount":7,"failureCount":0,"duration":9000,
                "resourceId":"job-results:job-under-test","text":"m","totalDetected":7,"approved":5,"needsReview":2},
            "userMessage":"m","totalDetected":7,"approved":5,"needsReview":2,"total_detected":7,"needs_review":2,
            "results_url":"/v1/scan/results/job-under-test",
            "metadata":{"modelUsed":"gemini-2.5-flash","processingTime":9000}
            """)
    }

    @Test("error lists at most ten affected items and contains the code that older apps read")
    func error() throws {
        var details = JobErrorPayload.Details(successCount: 0, failureCount: 12, provider: .googleBooks)
        details.statusCode = 503
        try expect(
            JobErrorPayload(
                code: .enrichmentFailed, message: "no provider", userMessage: "Please try again.", retryable: true,
                affectedItems: (1...12).map { "B\($0)" }, details: details),
            type: "error",
            """
            "code":"E_ENRICHMENT_FAILED","message":"no provider","userMessage":"Please try again.","retryable":true,
            "affectedItems":["B1","B2","B3","B4","B5","B6","B7","B8","B9","B10"],
            "details":{"successCount":0,"failureCount":12,"provider":"google-books","statusCode":503},
            "error":{"code":"PROCESSING_FAILED","message":"no provider"}
            """)
    }

    @Test("an import's error contains the file, the line, the limit and its own inner code")
    func importError() throws {
        var details = JobErrorPayload.Details(successCount: 0, failureCount: 0)
        (details.lineNumber, details.fileName, details.fileSize) = (3, "library.csv", 1_024)
        (details.rows, details.limit) = (20_001, 20_000)
        try expect(
            JobErrorPayload(
                code: .csvProcessingFailed, message: "too many rows", userMessage: "u", retryable: false,
                affectedItems: [], details: details, inner: "BATCH_TOO_LARGE"),
            pipeline: .csvImport, type: "error",
            """
            "code":"E_CSV_PROCESSING_FAILED","message":"too many rows","userMessage":"u","retryable":false,
            "affectedItems":[],"details":{"successCount":0,"failureCount":0,"lineNumber":3,"fileName":"library.csv",
            "fileSize":1024,"rows":20001,"limit":20000},
            "error":{"code":"BATCH_TOO_LARGE","message":"too many rows"}
            """)
    }

    @Test("reconnected contains every count in camel case and in snake case")
    func reconnected() throws {
        try expect(
            ReconnectedPayload(
                status: .cancelling, counts: JobCounts(total: 8, succeeded: 1, failed: 1), lastUpdate: 5,
                message: "Welcome back", recovered: true),
            type: "reconnected",
            """
            "progress":0.25,"status":"cancelling","processedCount":2,"processed_count":2,"totalCount":8,"total_count":8,
            "lastUpdate":5,"last_update":5,"message":"Welcome back","recovered":true
            """)
    }

    @Test("ready_ack, ping, pong and results_updated have their documented form")
    func small() throws {
        try expect(ReadyAckPayload(timestamp: 5), type: "ready_ack", #""timestamp":5"#)
        try expect(PingPayload(timestamp: 5), type: "ping", #""timestamp":5"#)
        try expect(PongPayload(timestamp: 5, clientTime: nil), type: "pong", #""timestamp":5"#)
        try expect(
            PongPayload(timestamp: 50, clientTime: 8), type: "pong", #""timestamp":50,"clientTime":8,"latency":42"#)
        try expect(
            ResultsUpdatedPayload(resultsRevision: 4, improved: 3), type: "results_updated",
            #""resultsRevision":4,"improved":3,"message":"We found more metadata for 3 books.""#)
        try expect(
            ResultsUpdatedPayload(resultsRevision: 5, improved: 1), type: "results_updated",
            #""resultsRevision":5,"improved":1,"message":"We found more metadata for 1 book.""#)
    }

    @Test("a client clock ahead of the server's yields a negative latency, and an impossible time yields no latency")
    func latency() {
        #expect(PongPayload(timestamp: 5, clientTime: 8).latency == -3)
        #expect(PongPayload(timestamp: 5, clientTime: .min).latency == nil)
        #expect(PongPayload(timestamp: 5, clientTime: .min).clientTime == .min)
        #expect(PongPayload(timestamp: -5, clientTime: .max).latency == nil)
    }
}
