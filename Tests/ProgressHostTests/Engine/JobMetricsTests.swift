import BookstrackContract
import GRDB
import Observability
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("progress-host metrics")
struct JobMetricsTests {
    @Test("every item is counted once, with its outcome and its duration")
    func items() throws {
        let host = try TestHost()
        try host.create(books: 4)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        #expect(host.number("bookstrack_items_open") == 4)
        #expect(host.number("bookstrack_items_leased") == 4)
        host.advance(by: .seconds(3))
        try worker.record(Array(items[0..<2]))
        try worker.record(Array(items[0..<2]))
        try worker.record([items[2]], error: .notFound)
        #expect(host.number("bookstrack_items_total", "succeeded") == 2)
        #expect(host.number("bookstrack_items_total", "failed") == 1)
        #expect(host.number("bookstrack_item_failures_total", "NOT_FOUND") == 1)
        #expect(host.number("bookstrack_items_open") == 1)
        #expect(host.number("bookstrack_jobs_open", "processing") == 1)
        try worker.record([items[3]])
        #expect(host.number("bookstrack_jobs_open") == 0)
        #expect(host.number("bookstrack_items_open") == 0)
        #expect(host.spread("bookstrack_job_duration_seconds") == (1, 3))
        #expect(host.spread("bookstrack_item_duration_seconds") == (4, 12))
        #expect(host.spread("bookstrack_item_lease_duration_seconds") == (4, 12))
    }

    @Test("a failed attempt that will be retried does not count as an outcome")
    func retries() throws {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(), error: .providerTimeout)
        #expect(host.number("bookstrack_item_retries_total") == 1)
        #expect(host.number("bookstrack_items_total") == 0)
        #expect(host.number("bookstrack_items_open") == 1)
    }

    @Test("items of a cancelled job that were never attempted count as skipped")
    func cancelled() throws {
        let host = try TestHost()
        let job = try host.create(books: 5)
        try host.perform(durable: true) { engine, turn in
            _ = try engine.cancel(JobAccess(jobId: job.jobId, token: job.token), turn)
        }
        #expect(host.number("bookstrack_items_total", "skipped") == 5)
        #expect(host.number("bookstrack_items_open") == 0)
        #expect(host.number("bookstrack_jobs_open") == 0)
        #expect(host.number("bookstrack_events_total", "cancelled") == 1)
    }

    @Test("accepted jobs are counted by source, which defaults to their pipeline's source")
    func sources() throws {
        let host = try TestHost()
        try host.create(books: 1)
        try host.create(JobID("of-a-sync")!, books: 1, origin: JobOrigin(client: "c", source: .sync))
        #expect(host.number("bookstrack_jobs_created_total", "sync") == 1)
        #expect(host.number("bookstrack_jobs_created_total", "api") == 1)
        #expect(host.number("bookstrack_jobs_created_total") == 2)
    }

    @Test("a turn whose transaction fails counts only as a failure")
    func failedTurn() throws {
        let host = try TestHost()
        try host.create(books: 2)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try host.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
        #expect(throws: HostFailure.self) { try worker.record([items[0]]) }
        #expect(throws: HostFailure.self) { try host.create(JobID("other-job")!, books: 7) }
        #expect(host.number("bookstrack_items_total") == 0)
        #expect(host.number("bookstrack_jobs_created_total") == 1)
        #expect(host.number("bookstrack_engine_failures_total").map { $0 >= 1 } == true)
        try host.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 0") }
        host.advance(by: .seconds(2))
        try worker.record([items[0]])
        #expect(host.number("bookstrack_items_total") == 1)
        #expect(host.number("bookstrack_items_open") == 1)
    }

    @Test("after a restart, gauges of open work are restored and counters start at zero")
    func restart() throws {
        let host = try TestHost()
        try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record([try worker.claim()[0]])
        try host.restart()
        #expect(host.number("bookstrack_items_open") == 2)
        #expect(host.number("bookstrack_jobs_open", "processing") == 1)
        #expect(host.number("bookstrack_items_total") == 0)
        #expect(host.number("bookstrack_jobs_created_total") == 0)
    }
}
