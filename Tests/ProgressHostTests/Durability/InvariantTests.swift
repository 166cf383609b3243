import BookstrackContract
import GRDB
import SuiteMethods
import SuiteStorage
import Testing

@testable import ProgressHost

@Suite("Invariants of jobs.sqlite")
struct InvariantTests {
    @Test("the invariants hold throughout the lives of jobs, and after an unclean and a clean stop")
    func everyState() throws {
        let host = try TestHost(jitter: 0)
        try host.create(JobID("pending-job")!, books: 3)
        let cancelled = try host.create(JobID("cancelled-job")!, books: 60)
        let failed = try host.create(JobID("failed-job")!, books: 2)
        #expect(try host.violations() == [])
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.recordOneByOne(items.filter { $0.key.jobId == cancelled.jobId }.prefix(30).map { $0 })
        #expect(try host.violations() == [])
        try host.restart(boot: "second boot")
        #expect(try host.violations() == [])
        _ = try host.perform { engine, turn in
            try engine.cancel(JobAccess(jobId: cancelled.jobId, token: cancelled.token), turn)
        }
        let next = try TestWorker(host)
        try next.record(try next.claim().filter { $0.key.jobId == failed.jobId }, error: .notFound)
        #expect(try host.violations() == [])
        host.advance(by: .seconds(3 * 86_400))
        #expect(try host.violations() == [])
        try host.restart(cleanly: true)
        #expect(try host.violations() == [])
    }

    @Test("after a clean stop, an older program that cannot read the events of items does not reuse their numbers")
    func olderProgram() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record([try worker.claim()[0]])
        host.advance(by: .seconds(2))
        let (last, updated) = (try host.state(token: job.token).lastSeq, try host.lastUpdate())
        try host.restart(cleanly: true)
        #expect(try host.lastUpdate() == updated)
        // Programs before schema version 11 continue after the highest number in `seq_floor` and `event`. They first raise it, unless the mark is
        // missing or is the ID of the current boot.
        let (mark, floor) = try host.pool.read { db in
            (
                try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'open_since_boot'"),
                try Int.fetchOne(db, sql: "SELECT seq_floor FROM job")
            )
        }
        #expect(mark != nil)
        #expect(mark != "first boot")
        #expect(floor == last)
        #expect(try host.state(token: job.token).lastSeq == last)
    }

    @Test("without a clean stop, an older program that cannot read the events of items is at most 256 numbers behind")
    func olderProgramAfterKill() throws {
        var policy = HostPolicy()
        policy.progressInterval = .zero
        let host = try TestHost(policy)
        let job = try host.create(books: 700)
        let worker = try TestWorker(host)
        while case let items = try worker.claim(limit: 100), !items.isEmpty { try worker.record(items) }
        let last = try host.state(token: job.token).lastSeq
        #expect(last > 600)
        let visible = try host.pool.read { db in
            try Int.fetchOne(
                db, sql: "SELECT max(seq) FROM event WHERE kind = 'progress'")
        }
        #expect(try #require(visible) > last - 257)
        #expect(try host.violations() == [])
    }

    @Test("a restored database is treated as uncleanly stopped exactly once, even during the same boot of the machine")
    func restored() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record([try worker.claim()[0]])
        let before = try host.state(token: job.token).lastSeq
        try host.pool.write { try OpeningMark.write(OpeningMark.restored, $0) }
        try host.restart()
        #expect(try host.state(token: job.token).lastSeq == before + 1_000)
        try host.restart()
        #expect(try host.state(token: job.token).lastSeq == before + 1_000)
    }
}

extension TestHost {
    /// The time of the newest event of its job.
    fileprivate func lastUpdate() throws -> Int64? {
        try perform { engine, turn in try engine.jobs.row(TestHost.jobID, turn)?.lastUpdate }
    }
}
