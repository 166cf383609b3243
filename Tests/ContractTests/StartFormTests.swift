import BookstrackContract
import TestSupport
import Testing

/// Starts, tokens, states and ends of jobs as clients decode them (http-api.md "Starting a job" and "Job state").
@Suite("JSON of jobs, and the limits of a scan")
struct StartFormTests {
    private static let job = JobID("job-under-test")!

    @Test("a started batch matches the documented example")
    func startedJob() throws {
        let started = StartedJob(
            jobId: Self.job, token: "T", status: .pending, totalCount: 2, estimate: DurationEstimate(books: 2))
        let text = WireForm.line(
            """
            {"success":true,"jobId":"job-under-test","token":"T","authToken":"T","status":"pending",
            "processedCount":0,"totalCount":2,"totalBooks":2,"estimatedTime":"1-5s","estimatedDuration":2000,
            "websocketUrl":"/ws/progress?jobId=job-under-test",
            "resultsUrl":"/v1/enrichment/results/job-under-test","eventsUrl":"/v1/jobs/job-under-test/events",
            "sseUrl":"/api/v2/imports/job-under-test/stream"}
            """)
        #expect(try WireForm.of(started) == text)
        #expect(try WireForm.read(StartedJob.self, text) == started)
    }

    @Test("a started import contains the import routes and its linked job's token")
    func startedImport() throws {
        let started = StartedImport(
            jobId: Self.job, token: "T", status: .pending, filename: "library.csv", bytes: 1_024,
            estimate: .libraryFile, enrichment: .init(jobId: JobID("linked-job")!, token: "L"))
        let text = WireForm.line(
            """
            {"success":true,"jobId":"job-under-test","token":"T","authToken":"T","status":"pending",
            "filename":"library.csv","bytes":1024,"websocketUrl":"/ws/progress?jobId=job-under-test",
            "statusUrl":"/v1/csv/status/job-under-test","resultsUrl":"/v1/csv/results/job-under-test",
            "eventsUrl":"/v1/jobs/job-under-test/events","sseUrl":"/api/v2/imports/job-under-test/stream",
            "estimatedTime":"1-2s","estimatedDuration":1000,
            "enrichment":{"jobId":"linked-job","token":"L","websocketUrl":"/ws/progress?jobId=linked-job",
                "resultsUrl":"/v1/enrichment/results/linked-job"}}
            """)
        #expect(try WireForm.of(started) == text)
        #expect(try WireForm.read(StartedImport.self, text) == started)
    }

    @Test("a started scan lists its stages with the progress at which each of them ends")
    func startedScan() throws {
        let started = StartedScan(jobId: Self.job, token: "T")
        let text = WireForm.line(
            """
            {"jobId":"job-under-test","token":"T","authToken":"T","status":"started","websocketReady":true,
            "message":"Your photo was received. The books in it are being identified.","stages":[
            {"name":"Analyzing photo","typicalDuration":8,"progress":0.55},
            {"name":"Extracting books","typicalDuration":1,"progress":0.6},
            {"name":"Enriching metadata","typicalDuration":5,"progress":1}],"estimatedRange":[5,30],
            "websocketUrl":"/ws/progress?jobId=job-under-test","statusUrl":"/v1/jobs/job-under-test",
            "resultsUrl":"/v1/scan/results/job-under-test","eventsUrl":"/v1/jobs/job-under-test/events",
            "sseUrl":"/api/v2/imports/job-under-test/stream"}
            """)
        #expect(try WireForm.of(started) == text)
        #expect(try WireForm.read(StartedScan.self, text) == started)
    }

    @Test("a started photo batch contains its number of photos")
    func startedBatchScan() throws {
        #expect(
            try WireForm.of(StartedBatchScan(jobId: Self.job, token: "T", totalPhotos: 5))
                == WireForm.line(
                    """
                    {"jobId":"job-under-test","token":"T","authToken":"T","totalPhotos":5,"status":"processing",
                    "websocketUrl":"/ws/progress?jobId=job-under-test","statusUrl":"/v1/jobs/job-under-test",
                    "resultsUrl":"/v1/scan/results/job-under-test","eventsUrl":"/v1/jobs/job-under-test/events",
                    "sseUrl":"/api/v2/imports/job-under-test/stream"}
                    """))
    }

    @Test("a batch may contain at most five photos of 10 MiB each")
    func scanLimits() {
        #expect(ScanLimit.photos == 5)
        #expect(ScanLimit.photoBytes == 10_485_760)
    }

    @Test("the path of a scan's photo contains its index")
    func photoPath() {
        #expect(APIPath.scanPhoto(Self.job, 4) == "/v1/scan/photos/job-under-test/4")
    }

    @Test("a start request is decoded with each of its lists and optional members")
    func request() throws {
        let request = try WireForm.read(
            EnrichmentBatchRequest.self,
            """
            {"jobId":"my-job-1","priority":"low","source":"sync","callbackUrl":"https://a.example/books","token":"T",
            "books":[{"title":"Dune","author":"Frank Herbert","isbn":"0441172717"},{}]}
            """)
        #expect(request.jobId == JobID("my-job-1"))
        #expect(request.priority == .low)
        #expect(request.source == .sync)
        #expect(request.callbackUrl == "https://a.example/books")
        #expect(request.token == "T")
        #expect(
            request.books == [BookQuery(title: "Dune", author: "Frank Herbert", isbn: "0441172717"), BookQuery()])
        #expect(request.isbns == nil)
        let other = try WireForm.read(
            EnrichmentBatchRequest.self, #"{"isbns":["a"],"barcodes":["b"],"workIds":["c"]}"#)
        #expect(other.isbns == ["a"])
        #expect(other.barcodes == ["b"])
        #expect(other.workIds == ["c"])
    }

    @Test(
        "a start request that is not an object or has an invalid member is rejected",
        arguments: [
            #"{"priority":"urgent"}"#, #"{"source":"phone"}"#, #"{"jobId":"x"}"#, #"{"jobId":5}"#,
            #"{"books":{}}"#, #"{"books":[{"title":5}]}"#, #"{"isbns":[5]}"#, "[]", #""books""#,
        ])
    func refusedRequest(json: String) {
        #expect(throws: DecodingError.self) { try WireForm.read(EnrichmentBatchRequest.self, json) }
    }

    @Test("a new token is sent under the names that both generations of apps read")
    func refreshed() throws {
        #expect(
            try WireForm.of(TokenRefreshed(jobId: Self.job, token: "N", expiresAt: "2025-11-15T22:00:00.000Z"))
                == WireForm.line(
                    """
                    {"jobId":"job-under-test","token":"N","newToken":"N","expiresAt":"2025-11-15T22:00:00.000Z"}
                    """))
        let request = try WireForm.read(TokenRefreshRequest.self, #"{"jobId":"job-under-test","oldToken":"O"}"#)
        #expect(request.oldToken == "O")
    }

    @Test("the state of a job that has not started contains no time other than its creation time")
    func freshState() throws {
        let state = JobState(
            jobId: Self.job, pipeline: .batchEnrichment, totalCount: 2, createdAt: "2025-11-15T20:00:00.000Z")
        #expect(
            try WireForm.of(state)
                == WireForm.line(
                    """
                    {"jobId":"job-under-test","pipeline":"batch_enrichment","status":"pending","progress":0,
                    "processedCount":0,"totalCount":2,"successCount":0,"failureCount":0,
                    "createdAt":"2025-11-15T20:00:00.000Z","lastSeq":0,"resultsRevision":0,
                    "links":{"results":"/v1/enrichment/results/job-under-test",
                    "websocket":"/ws/progress?jobId=job-under-test","events":"/v1/jobs/job-under-test/events"}}
                    """))
    }

    @Test("a job's state has every member under its documented name")
    func fullState() throws {
        var state = JobState(jobId: Self.job, pipeline: .csvImport, totalCount: 2, createdAt: "c")
        var failures = FailureCounts()
        failures[.providerTimeout] = 1
        (state.source, state.status, state.progress) = (.import, .processing, 0.5)
        (state.processedCount, state.successCount, state.failureCount) = (1, 0, 1)
        (state.failureCounts, state.laterRetries) = (failures, .init(count: 1, nextAt: "n"))
        (state.waitingFor, state.startedAt, state.endedAt, state.expiresAt) = ("google-books", "s", "e", "x")
        (state.lastSeq, state.delivered, state.resultsRevision, state.pollAfterMs) = (3, 2, 1, 1_000)
        let text = WireForm.line(
            """
            {"jobId":"job-under-test","pipeline":"csv_import","source":"import","status":"processing","progress":0.5,
            "processedCount":1,"totalCount":2,"successCount":0,"failureCount":1,
            "failureCounts":{"PROVIDER_TIMEOUT":1},"laterRetries":{"count":1,"nextAt":"n"},
            "waitingFor":"google-books","createdAt":"c","startedAt":"s","endedAt":"e","expiresAt":"x","lastSeq":3,
            "delivered":2,"resultsRevision":1,"pollAfterMs":1000,
            "links":{"results":"/v1/csv/results/job-under-test","websocket":"/ws/progress?jobId=job-under-test",
            "events":"/v1/jobs/job-under-test/events"}}
            """)
        #expect(try WireForm.of(state) == text)
        #expect(try WireForm.read(JobState.self, text) == state)
    }

    @Test("the responses to a cancellation and a retry match the documented examples")
    func outcomes() throws {
        #expect(
            try WireForm.of(
                CancelOutcome(
                    jobId: Self.job, status: .cancelled, message: "Job cancelled",
                    cleanup: .init(itemsDiscarded: 12, uploadsDeleted: 0)))
                == WireForm.line(
                    """
                    {"jobId":"job-under-test","status":"cancelled","message":"Job cancelled",
                    "cleanup":{"itemsDiscarded":12,"uploadsDeleted":0,"r2ObjectsDeleted":0,"kvCacheCleared":false}}
                    """))
        #expect(CancelOutcome.Cleanup(itemsDiscarded: 0, uploadsDeleted: 2).r2ObjectsDeleted == 2)
        #expect(
            try WireForm.of(RetryOutcome(jobId: Self.job, status: .completed, retrying: 3))
                == #"{"jobId":"job-under-test","status":"completed","retrying":3}"#)
    }
}
