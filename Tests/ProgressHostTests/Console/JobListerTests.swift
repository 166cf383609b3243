import BookstrackContract
import GRDB
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Job lists")
struct JobListerTests {
    private func lister(_ host: TestHost) -> JobLister { JobLister(pool: host.pool, clock: host.clock.engine) }

    private func id(_ number: Int) throws -> JobID { try #require(JobID("job-number-\(number)")) }

    private func names(
        _ host: TestHost, limit: Int = 20, _ change: (inout ListJobs.Parameters) -> Void = { _ in }
    ) async throws -> [String] {
        var parameters = ListJobs.Parameters(limit: limit)
        change(&parameters)
        return try await lister(host).page(parameters).jobs.map(\.jobId.text)
    }

    @Test("pages list every job once, newest first, even if many were created at the same moment")
    func pages() async throws {
        let host = try TestHost()
        for number in 0..<7 {
            try host.create(id(number), books: 1, pipeline: number == 3 ? .csvImport : .batchEnrichment)
            if number % 3 == 2 { host.advance(by: .seconds(1)) }
        }
        var parameters = ListJobs.Parameters(limit: 2)
        var found: [String] = []
        repeat {
            let page = try await lister(host).page(parameters)
            found += page.jobs.map(\.jobId.text)
            parameters.cursor = page.next
        } while parameters.cursor != nil
        #expect(found == (0..<7).reversed().map { "job-number-\($0)" })
    }

    @Test("jobs are filtered by state, pipeline, age and identifier prefix")
    func filters() async throws {
        let host = try TestHost()
        let start = host.clock.now().wall
        try host.create(id(1), books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        host.advance(by: .seconds(60))
        try host.create(id(2), books: 1, pipeline: .csvImport)
        #expect(try await names(host) == ["job-number-2", "job-number-1"])
        #expect(try await names(host) { $0.statuses = [.completed, .failed] } == ["job-number-1"])
        #expect(try await names(host) { $0.pipelines = [.csvImport] } == ["job-number-2"])
        #expect(try await names(host) { $0.createdFrom = start + 1 } == ["job-number-2"])
        #expect(try await names(host) { $0.createdBefore = start + 1 } == ["job-number-1"])
        #expect(try await names(host) { $0.prefix = "job-numb" }.count == 2)
        #expect(try await names(host) { $0.prefix = "job-number-2" } == ["job-number-2"])
        #expect(try await names(host) { $0.prefix = "job-number-3" } == [])
    }

    @Test("no row of a failed import is listed as found, however much of the file was read")
    func failedImport() async throws {
        let host = try TestHost()
        try host.startImport()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        try worker.tell(500, of: step)
        try worker.fail(step, ImportFault(.csvParseError, "The file has no column Foo."))
        let job = try await lister(host).page(ListJobs.Parameters(limit: 1)).jobs.first
        #expect(job?.status == .failed)
        #expect(job?.counts.succeeded == 0)
        #expect(job?.counts.total == 100)
    }

    @Test("a listed job has its failure counts by reason, and a job whose results have expired is not listed")
    func counts() async throws {
        var policy = HostPolicy()
        policy.resultsTTL = .seconds(100)
        let host = try TestHost(policy)
        try host.create(id(1), books: 3)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]])
        try worker.record(Array(items[1...]), error: .notFound)
        let job = try #require(try await lister(host).page(.init()).jobs.first)
        #expect(job.counts.succeeded == 1)
        #expect(job.counts.failures[.notFound] == 2)
        #expect(job.endedAt != nil)
        host.clock.move(to: host.clock.now().uptime + .seconds(101))
        #expect(try await names(host) == [])
    }

    @Test("a page length outside the limits is refused", arguments: [0, -1, ListJobs.maxPageSize + 1])
    func length(limit: Int) async throws {
        let host = try TestHost()
        await #expect(throws: HostFailure.self) { try await lister(host).page(.init(limit: limit)) }
    }

    @Test(
        "reading a page searches the index once per pipeline and state, and never scans the job table",
        arguments: [([], []), ([Pipeline.csvImport], [JobStatus.failed]), ([], [.pending, .processing])])
    func plan(pipelines: [Pipeline], statuses: [JobStatus]) async throws {
        let host = try TestHost()
        let statement = JobLister.statement(pipelines, statuses)
        let plan = try await host.pool.read { db in
            try String.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + statement,
                arguments: ["from": 0, "before": 9, "at": 9, "number": 9, "now": 0, "limit": 21],
                adapter: SuffixRowAdapter(fromIndex: 3))
        }
        let searches = plan.filter {
            $0.contains("job_listing (pipeline=? AND status=? AND created_at>? AND created_at<?)")
        }
        let lists = [pipelines.count, Pipeline.allCases.count].first { $0 > 0 } ?? 0
        let states = [statuses.count, JobStatus.allCases.count].first { $0 > 0 } ?? 0
        #expect(searches.count == lists * states)
        #expect(!plan.contains { $0.contains("SCAN job") })
    }
}
