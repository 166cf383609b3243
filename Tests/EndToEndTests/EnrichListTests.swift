import Foundation
import SuiteFixture
import SuiteMethods
import Testing

@Suite("Book lists on the command line, end to end", .serialized)
struct EnrichListTests {
    private static func summary(_ run: SuiteFixture.Suite.CommandRun) throws -> [String: Any] {
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        return try #require(document?["summary"] as? [String: Any])
    }

    /// Waits until api-proxy has responded `times` times with `status` on `route`.
    private func answered(_ status: Int, _ route: String, times: Double, _ suite: SuiteFixture.Suite) async throws {
        let labels = ["route": route, "status": "\(status)"]
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let scrape = try await Exposition.scrape(suite, showing: [.apiProxy])
            if scrape["bookstrack_http_requests_total", labels] ?? 0 >= times { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("api-proxy did not respond \(times) times with \(status) on \(route)")
    }

    @Test("a list becomes one job, and commands accept the first eight characters of its identifier")
    func oneJob() async throws {
        try await SuiteFixture.Suite.run { suite in
            let run = try await suite.bookstrack("enrich", "9780441172719", "9780000000002", "--json")
            #expect(run.status == 1)
            let summary = try Self.summary(run)
            #expect(summary["found"] as? Int == 1)
            #expect(summary["notFound"] as? Int == 1)
            let jobs = try await suite.bookstrack("jobs", "--json")
            #expect(jobs.status == 0)
            let list = try JSONSerialization.jsonObject(with: Data(jobs.output.utf8)) as? [String: Any]
            let job = try #require((list?["jobs"] as? [[String: Any]])?.first)
            #expect((job["reasons"] as? [String: Int]) == ["notFound": 1])
            let name = String((job["jobId"] as? String ?? "").prefix(8))
            let results = try await suite.bookstrack("results", name, "--format", "csv")
            #expect(results.status == 0)
            #expect(results.output.contains("9780441172719"))
            let retry = try await suite.bookstrack("retry", name)
            #expect(retry.status == 0)
            #expect(retry.output.contains("1 book is being retried"))
            let again = try await suite.bookstrack("retry", name)
            #expect(again.status == 3)
            let cancel = try await suite.bookstrack("cancel", name)
            #expect(cancel.output.contains("already ended"))
            let unknown = try await suite.bookstrack("results", "4e97b11b")
            #expect(unknown.status == 66)
            #expect(unknown.errors.contains("there is no job 4e97b11b"))
        }
    }

    @Test(
        "enrich reports that progress-host is down, retries without using up the rate limit, and succeeds once progress-host is back"
    )
    func hostDown() async throws {
        // The limit is lower than the number of attempts.
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_RATE_LIMIT": "on", "BOOKSTRACK_RATE_LIMIT_STARTS_PER_MINUTE": "1"])
        try await SuiteFixture.Suite.run(options) { suite in
            await suite.host.end(SIGTERM)
            async let waiting = suite.bookstrack("enrich", "9780441172719")
            try await answered(503, "/v1/enrichment/batch", times: 2, suite)
            try await suite.host.start()
            let run = try await waiting
            #expect(run.errors.contains("progress-host is down; trying again"))
            #expect(!run.errors.contains("busy"))
            #expect(!run.errors.contains("imited"))
            #expect(run.status == 0)
        }
    }

    @Test("if no worker is running, the command reports this, and continues once a worker is back")
    func workerDown() async throws {
        try await SuiteFixture.Suite.run { suite in
            await suite.worker.end(SIGTERM)
            async let waiting = suite.bookstrack("enrich", "9780441172719")
            try await answered(200, "/v1/jobs/{jobId}", times: 1, suite)
            try await suite.worker.start()
            let run = try await waiting
            #expect(run.errors.contains("enrichment-worker is down; the books will be looked up once it is back."))
            #expect(run.status == 0)
        }
    }
}
