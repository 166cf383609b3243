import BookstrackContract
import GRDB
import Observability
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Job searches")
struct JobSearchTests {
    private func id(_ number: Int) throws -> JobID { try #require(JobID("job-number-\(number)")) }

    private func lister(_ host: TestHost) -> JobLister { JobLister(pool: host.pool, clock: host.clock.engine) }

    private func page(
        _ host: TestHost, _ text: String, limit: Int = 20, _ change: (inout ListJobs.Parameters) -> Void = { _ in }
    ) async throws -> ListJobs.Result {
        var parameters = ListJobs.Parameters(limit: limit)
        parameters.search = text
        change(&parameters)
        return try await lister(host).page(parameters)
    }

    private func names(
        _ host: TestHost, _ text: String, _ change: (inout ListJobs.Parameters) -> Void = { _ in }
    ) async throws -> [String] {
        try await page(host, text, change).jobs.map(\.jobId.text)
    }

    /// Three jobs; only the first and the third contain titles with the word "Dune".
    private func host() throws -> TestHost {
        let host = try TestHost()
        try host.create(id(1), [BookQuery(title: "Dune"), BookQuery(title: "Emma")])
        try host.create(id(2), [BookQuery(title: "100 % true_story")], pipeline: .aiScan)
        try host.create(id(3), [BookQuery(title: "The Dune Encyclopedia"), BookQuery(title: "Dune Messiah")])
        return host
    }

    @Test("a search for a title finds each matching job once, newest first, ignoring case")
    func titles() async throws {
        let host = try host()
        #expect(try await names(host, "dune") == ["job-number-3", "job-number-1"])
        #expect(try await names(host, "EMMA") == ["job-number-1"])
        #expect(try await names(host, "dune x") == [])
    }

    @Test(
        "a search finds titles in composed and decomposed Unicode form, whichever form the search text has",
        arguments: ["caf\u{E9}", "cafe\u{301}"])
    func forms(text: String) async throws {
        let host = try host()
        try host.create(id(4), [BookQuery(title: "Le caf\u{E9} du coin")])
        try host.create(id(5), [BookQuery(title: "Cafe\u{301} Europa")])
        try host.create(id(6), [BookQuery(title: "Cafe Europa")])
        #expect(try await names(host, text) == ["job-number-5", "job-number-4"])
    }

    @Test("surrounding whitespace is ignored in a search, and whitespace alone finds every job")
    func spaces() async throws {
        let host = try host()
        #expect(try await names(host, " emma\n") == ["job-number-1"])
        #expect(try await names(host, "  ") == ["job-number-3", "job-number-2", "job-number-1"])
    }

    @Test("characters that are special in SQL patterns are matched literally", arguments: ["100 %", "true_", "%", "_"])
    func patterns(text: String) async throws {
        #expect(try await names(host(), text) == ["job-number-2"])
    }

    @Test("a job identifier's prefix or a complete request identifier finds its jobs, and titles are then not searched")
    func identifiers() async throws {
        let host = try host()
        let trace = TraceContext(traceparent: nil, requestID: "request-of-a-client")
        try Activity.$current.withValue(Activity(trace)) {
            _ = try host.create(id(4), [BookQuery(title: "job-number-1")])
        }
        #expect(try await names(host, "job-number-1") == ["job-number-1"])
        #expect(try await names(host, "request-of-a-client") == ["job-number-4"])
        #expect(try await names(host, "request-of-a") == [])
    }

    @Test("a job whose identifier is also that of its request is listed once")
    func sameIdentifier() async throws {
        let host = try host()
        let trace = TraceContext(traceparent: nil, requestID: "job-number-4")
        try Activity.$current.withValue(Activity(trace)) {
            _ = try host.create(id(4), [BookQuery(title: "Emma")])
        }
        #expect(try await names(host, "job-number-4") == ["job-number-4"])
    }

    @Test("a search returns only jobs that match its filters")
    func filters() async throws {
        let host = try host()
        #expect(try await names(host, "u") { $0.pipelines = [.aiScan] } == ["job-number-2"])
        #expect(try await names(host, "job-number") { $0.pipelines = [.aiScan] } == ["job-number-2"])
        #expect(try await names(host, "dune") { $0.statuses = [.completed] } == [])
        let now = host.clock.now().wall
        #expect(try await names(host, "dune") { $0.createdFrom = now + 1 } == [])
    }

    @Test("each page continues where the last one ended")
    func pages() async throws {
        let host = try TestHost()
        for number in 0..<7 { try host.create(id(number), [BookQuery(title: "Dune"), BookQuery(title: "Dune 2")]) }
        var found: [String] = []
        var cursor: ListJobs.Cursor?
        repeat {
            let page = try await page(host, "dune", limit: 3) { $0.cursor = cursor }
            found += page.jobs.map(\.jobId.text)
            #expect(page.partial == nil)
            cursor = page.next
        } while cursor != nil
        #expect(found == (0..<7).reversed().map { "job-number-\($0)" })
    }

    @Test(
        "a search that reaches its time limit returns a partial page, and the next page continues without repeating a job",
        arguments: [1, 2, 3, 5])
    func partial(chunk: Int) async throws {
        let host = try TestHost()
        for number in 0..<6 {
            let rare = number % 3 == 0 ? "Dune" : "Other"
            try host.create(id(number), [BookQuery(title: "A"), BookQuery(title: rare), BookQuery(title: "B")])
        }
        var found: [String] = []
        var cursor: ListJobs.Cursor?
        var calls = 0
        repeat {
            var parameters = ListJobs.Parameters(limit: 20)
            parameters.cursor = cursor
            let search = JobSearch(
                lister: lister(host), text: "dune", parameters: parameters, chunk: chunk, isOver: { true })
            let page = try await search.page()
            found += page.jobs.map(\.jobId.text)
            #expect((page.partial ?? false) == (page.next != nil))
            cursor = page.next
            calls += 1
        } while cursor != nil && calls < 100
        #expect(found == ["job-number-3", "job-number-0"])
        #expect(calls > 1)
    }

    @Test(
        "a search refuses a cursor that is outside the range of job numbers",
        arguments: [Int64.min, -1, 1 << 43, .max])
    func cursor(number: Int64) async throws {
        let host = try host()
        await #expect(throws: HostFailure.invalidRequest("the cursor is not valid for this list")) {
            try await page(host, "dune") { $0.cursor = ListJobs.Cursor(createdAt: 0, number: number) }
        }
        #expect(try await names(host, "dune") { $0.cursor = ListJobs.Cursor(createdAt: 0, number: 1 << 42) }.count == 2)
    }

    @Test("a search text that is too long is refused")
    func length() async throws {
        let host = try host()
        await #expect(throws: HostFailure.self) {
            try await page(host, String(repeating: "x", count: JobSearch.maxLength + 1))
        }
    }
}
