import BookstrackContract
import Foundation
import NIOHTTP1
import SuiteFixture
import SuiteMethods
import Testing
import WireClient

@Suite("Metrics, end to end", .serialized)
struct MetricsTests {
    @Test("a single scrape shows all three processes")
    func oneScrape() async throws {
        try await SuiteFixture.Suite.run { suite in
            let exposition = try await Exposition.scrape(suite)
            for service in ["api-proxy", "progress-host", "enrichment-worker"] {
                #expect(exposition["bookstrack_service_up", ["service": service]] == 1)
                #expect(exposition["bookstrack_ready", ["service": service]] == 1)
                let resident = try #require(exposition["process_resident_memory_bytes", ["service": service]])
                #expect(resident > 1_048_576)
            }
            #expect(Set(exposition.headings).count == exposition.headings.count)
            try exposition.keep(as: "idle")
        }
    }

    @Test("a process that does not respond is reported as down, without its metrics")
    func missingProcess() async throws {
        try await SuiteFixture.Suite.run { suite in
            await suite.worker.end()
            let exposition = try await Exposition.scrape(suite, showing: [.apiProxy, .progressHost])
            #expect(exposition["bookstrack_service_up", ["service": "enrichment-worker"]] == 0)
            #expect(exposition["bookstrack_service_up", ["service": "progress-host"]] == 1)
            #expect(exposition["process_open_fds", ["service": "enrichment-worker"]] == nil)
        }
    }

    @Test("after a job, the metrics of jobs, sockets, requests, calls and providers are consistent")
    func figuresOfJob() async throws {
        let options = SuiteFixture.Suite.Options(settings: ["BOOKSTRACK_GOOGLE_BOOKS_DAILY_BUDGET": "1000"])
        try await SuiteFixture.Suite.run(options) { suite in
            let books =
                try SampleBooks.isbns().map { BookQuery(isbn: $0) } + [BookQuery(isbn: "9780000000002"), BookQuery()]
            let job = try await suite.api.start(EnrichmentBatchRequest(books: books))
            var watcher = Watcher(suite, job)
            try await watcher.watch()
            let results = try await suite.api.results(of: job.jobId)
            _ = try? await suite.http.send(HTTPCall(.GET, "/no/such/path"))
            _ = try? await ProgressSocket.connect(
                to: suite.address, path: "/ws/progress?jobId=\(job.jobId)&token=wrong")
            var scrape = try await Exposition.scrape(suite)
            // A socket that the client has closed counts until api-proxy notices.
            let deadline = ContinuousClock.now + .seconds(20)
            while scrape["bookstrack_sockets_open", [:]] != 0, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(100))
                scrape = try await Exposition.scrape(suite)
            }
            jobFigures(scrape, items: books.count, results)
            socketFigures(scrape, watcher)
            requestFigures(scrape)
            expectConsistentCalls(scrape)
            providerFigures(scrape, items: books.count)
            try scrape.keep(as: "job")
        }
    }

    private func jobFigures(_ scrape: Exposition, items: Int, _ results: EnrichmentResults) {
        #expect(scrape["bookstrack_jobs_created_total", ["pipeline": "batch_enrichment"]] == 1)
        #expect(scrape["bookstrack_job_duration_seconds_count", ["status": "completed"]] == 1)
        #expect(scrape["bookstrack_jobs_open", [:]] == 0)
        #expect(scrape["bookstrack_items_open", [:]] == 0)
        #expect(scrape["bookstrack_items_total", [:]] == Double(items))
        #expect(scrape["bookstrack_items_total", ["outcome": "succeeded"]] == Double(results.successCount))
        #expect(scrape["bookstrack_items_total", ["outcome": "failed"]] == Double(results.failureCount))
        #expect(scrape["bookstrack_item_failures_total", [:]] == Double(results.failureCount))
        let invalid = results.enrichedBooks.count { $0.errorCode == .invalidISBN }
        #expect(scrape["bookstrack_item_failures_total", ["code": "INVALID_ISBN"]] == Double(invalid))
        #expect(scrape["bookstrack_item_duration_seconds_count", [:]] == Double(items))
        #expect(scrape["bookstrack_item_lease_duration_seconds_count", [:]] == Double(items))
        #expect(scrape["bookstrack_events_total", ["kind": "started"]] == 1)
        #expect(scrape["bookstrack_events_total", ["kind": "completed"]] == 1)
        #expect(scrape["bookstrack_storage_refusing", [:]] == 0)
        #expect((scrape["bookstrack_sqlite_commit_duration_seconds_count", ["synchronous": "full"]] ?? 0) >= 2)
        #expect((scrape["bookstrack_database_bytes", ["database": "jobs", "file": "main"]] ?? 0) > 0)
    }

    private func socketFigures(_ scrape: Exposition, _ watcher: Watcher) {
        #expect(scrape["bookstrack_sockets_opened_total", [:]] == 1)
        #expect(scrape["bookstrack_sockets_open", [:]] == 0)
        #expect(scrape["bookstrack_socket_refusals_total", ["reason": "UNAUTHORIZED"]] == 1)
        #expect(scrape["bookstrack_socket_closes_total", ["code": "1000", "by": "server"]] == 1)
        #expect(scrape["bookstrack_socket_closes_total", [:]] == 1)
        #expect(scrape["bookstrack_socket_frames_total", ["outcome": "dropped"]] == 0)
        let delivered = scrape["bookstrack_deliveries_total", [:]]
        #expect(scrape["bookstrack_socket_frames_total", ["outcome": "sent"]] == delivered)
        #expect(delivered == Double(watcher.connections.reduce(0) { $0 + $1.frames.count }))
    }

    private func requestFigures(_ scrape: Exposition) {
        let start = ["route": "/v1/enrichment/batch", "method": "POST", "status": "202"]
        #expect(scrape["bookstrack_http_requests_total", start] == 1)
        let timed = ["route": "/v1/enrichment/batch", "method": "POST", "class": "success"]
        #expect(scrape["bookstrack_http_request_duration_seconds_count", timed] == 1)
        #expect(scrape["bookstrack_http_requests_total", ["route": "unknown", "status": "404"]] == 1)
        #expect((scrape["bookstrack_http_requests_total", ["route": "/v1/enrichment/results/{jobId}"]] ?? 0) >= 1)
    }

    private func providerFigures(_ scrape: Exposition, items: Int) {
        #expect((scrape["bookstrack_provider_calls_total", ["provider": "openlibrary", "outcome": "ok"]] ?? 0) >= 1)
        #expect(
            scrape["bookstrack_provider_calls_total", [:]]
                == scrape["bookstrack_provider_call_duration_seconds_count", [:]])
        #expect(scrape["bookstrack_provider_breaker_state", ["state": "open"]] == 0)
        #expect((scrape["bookstrack_provider_cache_requests_total", ["result": "miss"]] ?? 0) >= 1)
        #expect((scrape["bookstrack_lookup_duration_seconds_count", [:]] ?? 0) >= Double(items))
        #expect(scrape["bookstrack_workers_attached", [:]] == 1)
        let left = scrape["bookstrack_provider_budget_remaining", ["provider": "google-books"]] ?? 0
        #expect((1..<1_000).contains(left))
    }

    /// Checks the metrics of RPC calls, which are measured only once, by the process that handles them.
    private func expectConsistentCalls(_ scrape: Exposition) {
        let created = ["service": "progress-host", "method": "jobs.create", "outcome": "succeeded"]
        #expect(scrape["bookstrack_rpc_request_duration_seconds_count", created] == 1)
        #expect((scrape["bookstrack_rpc_request_duration_seconds_count", ["method": "work.record"]] ?? 0) >= 1)
        #expect(scrape["bookstrack_rpc_request_duration_seconds_count", ["outcome": "failed"]] ?? 0 == 0)
        #expect((scrape["bookstrack_rpc_connections_open", ["service": "progress-host"]] ?? 0) >= 2)
    }
}
