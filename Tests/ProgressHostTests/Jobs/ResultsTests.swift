import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Results and their expiry")
struct ResultsTests {
    @Test("pages contain every row once, in input order, whatever the order of recording")
    func pages() async throws {
        let host = try TestHost()
        try host.create(books: 900)
        let worker = try TestWorker(host)
        let items = try worker.claim(perJob: 900) + (try worker.claim(perJob: 900))
        for chunk in items.reversed().chunks(of: 100) { try worker.record(chunk) }
        #expect(try await host.resultRows().map(\.title) == (0..<900).map { "Book \($0)" })
    }

    @Test("a page stays below 64 KiB, and a row that does not fit begins the next page")
    func pageSize() async throws {
        let host = try TestHost()
        try host.create(books: 6)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        let big = String(repeating: "x", count: 40_000)
        let rows = items.map { _ in ByteBuffer(string: "{\"success\":true,\"title\":\"\(big)\"}") }
        let work = RecordWork(
            outcomes: zip(items, rows).map {
                ItemOutcome(
                    key: $0.key, workClass: .bulk, errorCode: nil, title: "t", followUp: .none,
                    rowLength: $1.readableBytes)
            }, rows: rows)
        try host.perform { engine, turn in try engine.record(work, from: PeerID(), turn) }
        let page = try await host.results.page(of: TestHost.jobID, cursor: 0)
        #expect(page.next == 1)
        #expect(try await host.results.page(of: TestHost.jobID, cursor: 5).next == nil)
    }

    @Test("the page after the last row is empty", arguments: [3, 4, Int.max])
    func pageAfterLast(cursor: Int) async throws {
        let host = try TestHost()
        try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let page = try await host.results.page(of: TestHost.jobID, cursor: cursor)
        #expect(page == ResultsPage(next: nil, rows: .init()))
    }

    @Test("a negative cursor is refused", arguments: [-1, Int.min])
    func cursor(cursor: Int) async throws {
        let host = try TestHost()
        try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        await #expect(throws: HostFailure.invalidRequest("no such cursor")) {
            try await host.results.page(of: TestHost.jobID, cursor: cursor)
        }
    }

    @Test("before a job ends, its results are not ready, and the error contains the job's status")
    func notReady() async throws {
        let host = try TestHost()
        try host.create(books: 3)
        await #expect(throws: HostFailure.resultsNotReady(TestHost.jobID, .pending)) {
            try await host.results.opening(of: TestHost.jobID)
        }
        let details = try #require(HostFailure.resultsNotReady(TestHost.jobID, .pending).rpc.detail.details)
        #expect(try JSON(details.readableBytesView)["status"]?.text == "pending")
    }

    @Test(
        "24 h after a job's end, its results are no longer available, and the 404 error states how long they are kept")
    func expiry() async throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let head = try await host.results.opening(of: job.jobId).head
        #expect(head.expiresAt == "2025-11-16T20:00:00.000Z")
        #expect((head.successCount, head.failureCount, head.resultsRevision) == (1, 0, 1))
        // Expired results have not been swept yet.
        host.clock.move(by: .seconds(86_400))
        await #expect(throws: HostFailure.noResults(job.jobId, ttl: .seconds(86_400))) {
            try await host.results.opening(of: job.jobId)
        }
        #expect(throws: HostFailure.unauthorized) { try host.state(token: job.token) }
        let details = try JSON(
            try #require(HostFailure.noResults(job.jobId, ttl: .seconds(86_400)).rpc.detail.details).readableBytesView)
        #expect(details["ttl"]?.text == "24 hours")
        let short = try #require(HostFailure.noResults(job.jobId, ttl: .seconds(5_400)).rpc.detail.details)
        #expect(try JSON(short.readableBytesView)["ttl"]?.text == "90 minutes")
        #expect(details["resultsKey"]?.text == "job-results:\(job.jobId)")
    }

    @Test("the identifier of an expired job can be used again, even before the job has been swept")
    func reuse() throws {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        host.clock.move(by: .seconds(86_400))
        let again = try host.create(books: 2, digest: "other")
        #expect(again.status == .pending)
        #expect(again.totalCount == 2)
        #expect(try worker.claim().count == 2)
    }

    @Test("the sweeper removes expired jobs in small steps and frees their space")
    func sweeper() throws {
        var policy = HostPolicy()
        policy.rowsPerSweep = 100
        let host = try TestHost(policy)
        for job in 0..<3 {
            let title = String(repeating: "x", count: 1_000)
            try host.create(JobID("large-job-\(job)")!, Array(repeating: BookQuery(title: title), count: 400))
            let worker = try TestWorker(host)
            try worker.record(try worker.claim())
        }
        let before = try pages(host)
        host.clock.move(by: .seconds(86_400))
        host.group([])
        #expect(try count("removed_job", host) == 3)
        #expect(try count("item", host) == 1_100)
        host.advance(by: .seconds(60))
        for table in ["job", "item", "result", "event", "token", "removed_job"] {
            #expect(try count(table, host) == 0, "\(table)")
        }
        #expect(try pages(host) < before / 2)
        #expect(host.timerCount <= 5)
    }

    private func pages(_ host: TestHost) throws -> Int {
        try host.pool.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? -1 }
    }

    private func count(_ table: String, _ host: TestHost) throws -> Int {
        try host.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }
}

extension RandomAccessCollection {
    /// The elements in chunks of at most `size`.
    func chunks(of size: Int) -> [[Element]] {
        var chunks: [[Element]] = []
        var rest = self[...]
        while !rest.isEmpty {
            chunks.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return chunks
    }
}
