import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import TestSupport
import Testing

/// Bodies of the job methods. A process may communicate with one of the previous or next version, so no member may be
/// renamed.
@Suite("JSON of job methods")
struct JobMethodFormTests {
    private static let job = JobID("job-under-test")!

    @Test("jobs.create encodes the items, and an origin without its optional members")
    func create() throws {
        #expect(CreateJob.name == "jobs.create")
        let parameters = CreateJob.Parameters(
            jobId: Self.job, pipeline: .batchEnrichment, digest: "d",
            items: [BookQuery(title: "Dune", author: "Frank Herbert"), BookQuery(isbn: "9780441172719")])
        let text = WireForm.line(
            """
            {"jobId":"job-under-test","pipeline":"batch_enrichment","digest":"d",
            "items":[{"title":"Dune","author":"Frank Herbert"},{"isbn":"9780441172719"}],
            "origin":{"client":"peer","completionBooks":"none"}}
            """)
        #expect(try WireForm.of(parameters) == text)
        #expect(try WireForm.read(CreateJob.Parameters.self, text).items == parameters.items)
    }

    @Test("an origin encodes its token, priority, source and callback URL")
    func origin() throws {
        let origin = JobOrigin(
            client: "203.0.113.7", shownToken: "T", priority: .high, completionBooks: .enriched, source: .manual,
            callbackURL: "https://a.example/books")
        let text = WireForm.line(
            """
            {"client":"203.0.113.7","shownToken":"T","priority":"high","completionBooks":"enriched","source":"manual",
            "callbackURL":"https://a.example/books"}
            """)
        #expect(try WireForm.of(origin) == text)
        #expect(try WireForm.read(JobOrigin.self, text) == origin)
    }

    @Test("an origin from the previous version, without source and webhook, can be decoded")
    func olderOrigin() throws {
        #expect(
            try WireForm.read(JobOrigin.self, #"{"client":"c","completionBooks":"imported"}"#)
                == JobOrigin(client: "c", completionBooks: .imported))
        #expect(
            try WireForm.requiredMembers(of: JobOrigin.self, in: WireForm.of(JobOrigin(client: "c", source: .api)))
                == ["client", "completionBooks"])
    }

    @Test("the response to a job start contains the job's identifier, token, status and number of items")
    func created() throws {
        #expect(
            try WireForm.of(CreatedJob(jobId: Self.job, token: "T", status: .pending, totalCount: 2))
                == #"{"jobId":"job-under-test","token":"T","status":"pending","totalCount":2}"#)
    }

    @Test("a large batch is submitted as a draft with three methods")
    func draft() throws {
        #expect(BeginDraft.name == "jobs.draft")
        #expect(
            try WireForm.of(
                BeginDraft.Parameters(jobId: Self.job, pipeline: .batchEnrichment, digest: "d", totalCount: 9_000))
                == WireForm.line(
                    """
                    {"jobId":"job-under-test","pipeline":"batch_enrichment","digest":"d","totalCount":9000,
                    "origin":{"client":"peer","completionBooks":"none"}}
                    """))
        #expect(try WireForm.of(BeginDraft.Result(draftId: 7)) == #"{"draftId":7}"#)
        #expect(AppendToDraft.name == "jobs.draftItems")
        #expect(
            try WireForm.of(AppendToDraft.Parameters(draftId: 7, items: [BookQuery(workId: "w", row: 2)]))
                == #"{"draftId":7,"items":[{"workId":"w","row":2}]}"#)
        #expect(SubmitDraft.name == "jobs.submit")
        #expect(try WireForm.of(SubmitDraft.Parameters(draftId: 7)) == #"{"draftId":7}"#)
    }

    @Test("methods that take a token omit it if the client sent none")
    func access() throws {
        #expect(try WireForm.of(JobAccess(jobId: Self.job, token: "T")) == #"{"jobId":"job-under-test","token":"T"}"#)
        #expect(try WireForm.of(JobAccess(jobId: Self.job, token: nil)) == #"{"jobId":"job-under-test"}"#)
        #expect(ReadJobState.name == "jobs.state")
        #expect(CancelJob.name == "jobs.cancel")
        #expect(RetryJob.name == "jobs.retry")
        #expect(RefreshToken.name == "tokens.refresh")
    }

    @Test("jobs.progress returns the job's pipeline, status, progress and counts")
    func progress() throws {
        #expect(ReadJobProgress.name == "jobs.progress")
        let result = ReadJobProgress.Result(
            jobId: Self.job, pipeline: .csvImport, status: .processing, progress: 0.5, processedCount: 5, totalCount: 10
        )
        let text = WireForm.line(
            """
            {"jobId":"job-under-test","pipeline":"csv_import","status":"processing","progress":0.5,
            "processedCount":5,"totalCount":10}
            """)
        #expect(try WireForm.of(result) == text)
        #expect(try WireForm.read(ReadJobProgress.Result.self, text) == result)
    }

    @Test("jobs.list encodes its filters and a cursor")
    func list() throws {
        #expect(ListJobs.name == "jobs.list")
        #expect(ListJobs.maxPageSize == 200)
        #expect(try WireForm.of(ListJobs.Parameters()) == #"{"statuses":[],"pipelines":[],"limit":20}"#)
        var parameters = ListJobs.Parameters(limit: 50)
        (parameters.statuses, parameters.pipelines) = ([.failed, .cancelled], [.aiScan])
        (parameters.createdFrom, parameters.createdBefore, parameters.prefix) = (1, 2, "job")
        parameters.cursor = .init(createdAt: 3, number: 4)
        let text = WireForm.line(
            """
            {"statuses":["failed","cancelled"],"pipelines":["ai_scan"],"createdFrom":1,"createdBefore":2,
            "prefix":"job","limit":50,"cursor":{"createdAt":3,"number":4}}
            """)
        #expect(try WireForm.of(parameters) == text)
        #expect(try WireForm.read(ListJobs.Parameters.self, text).cursor == parameters.cursor)
    }

    @Test("a listed job from the previous version is decoded without a source")
    func listed() throws {
        let text = WireForm.line(
            """
            {"jobId":"job-under-test","pipeline":"batch_enrichment","status":"completed",
            "counts":{"total":2,"succeeded":1,"failed":1,"skipped":0,"failures":{"NOT_FOUND":1}},"createdAt":1,
            "startedAt":2,"endedAt":3,"expiresAt":4}
            """)
        let job = try WireForm.read(ListedJob.self, text)
        #expect(job.source == nil)
        #expect(job.counts.failures[.notFound] == 1)
        #expect(try WireForm.of(job) == text)
        #expect(
            try WireForm.requiredMembers(of: ListedJob.self, in: text) == [
                "counts", "createdAt", "jobId", "pipeline", "status",
            ])
    }

    @Test("a page of jobs contains the cursor of the next page, and the last page contains none")
    func page() throws {
        #expect(
            try WireForm.of(ListJobs.Result(jobs: [], next: .init(createdAt: 3, number: 4)))
                == #"{"jobs":[],"next":{"createdAt":3,"number":4}}"#)
        #expect(try WireForm.of(ListJobs.Result(jobs: [], next: nil)) == #"{"jobs":[]}"#)
    }

    @Test("a request for results contains the job's identifier, and a request for a page also contains the cursor")
    func results() throws {
        #expect(ReadResults.name == "jobs.results")
        #expect(try WireForm.of(ReadResults.Parameters(jobId: Self.job)) == #"{"jobId":"job-under-test"}"#)
        #expect(ReadResultsPage.name == "jobs.resultsPage")
        #expect(
            try WireForm.of(ReadResultsPage.Parameters(jobId: Self.job, cursor: 25))
                == #"{"jobId":"job-under-test","cursor":25}"#)
    }

    @Test("the head of the results precedes the first page")
    func resultsHead() throws {
        let results = ReadResults(
            head: .init(jobId: Self.job, resultsRevision: 2, expiresAt: "e", successCount: 1, failureCount: 0),
            page: ResultsPage(next: 25, rows: .init(string: #"{"title":"Dune"}"#)))
        #expect(
            String(buffer: try results.raw())
                == WireForm.line(
                    """
                    {"head":{"jobId":"job-under-test","pipeline":"batch_enrichment","resultsRevision":2,"expiresAt":"e",
                    "successCount":1,"failureCount":0},"page":[25,{"title":"Dune"}]}
                    """))
        #expect(String(buffer: ResultsPage(next: nil, rows: .init()).raw) == "[-1]")
    }

    @Test("the form of the documented v1 methods does not change")
    func documented() throws {
        #expect(PushProgress.name == "pushProgress")
        #expect(PushProgress.proxyName == "pushJobProgress")
        let push = try WireForm.read(PushProgress.Parameters.self, #"{"jobId":"job-under-test","status":"s"}"#)
        #expect(push.text == "s")
        let both = try WireForm.read(
            PushProgress.Parameters.self, #"{"jobId":"job-under-test","currentStatus":"c","status":"s"}"#)
        #expect(both.text == "c")
        #expect(CloseConnection.name == "closeConnection")
        #expect(CloseConnection.proxyName == "closeJobConnection")
        let close = try WireForm.read(CloseConnection.Parameters.self, #"{"jobId":"job-under-test"}"#)
        #expect(close.reason == nil)
        #expect(EnrichBatch.name == "enrichBatch")
        let batch = try WireForm.read(
            EnrichBatch.Parameters.self, #"{"jobId":"job-under-test","workIds":["w"],"options":{"fast":true}}"#)
        #expect(batch.workIds == ["w"])
    }
}
