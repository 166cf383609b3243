import BookstrackContract
import GRDB
import JSONRPC
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("The host's figures for operators")
struct HostFigureTests {
    @Test("the figures count jobs by status, items by class, and leases, and list the jobs that ended last")
    func figures() throws {
        let host = try TestHost()
        let policy = host.policy
        try host.create(JobID("small-job-1")!, books: 2)
        try host.create(JobID("large-job-1")!, books: policy.interactiveLimit + 10)
        var figures = host.figures
        #expect((figures.pending, figures.processing) == (2, 0))
        #expect((figures.waitingInteractive, figures.waitingBulk) == (2, policy.interactiveLimit + 10))
        let worker = try TestWorker(host)
        let items = try worker.claim(limit: 2)
        figures = host.figures
        #expect((figures.leased, figures.workers, figures.waitingInteractive) == (2, 1, 0))
        #expect((figures.pending, figures.processing) == (1, 1))
        try worker.record(items)
        figures = host.figures
        let ended = try host.recentlyEnded()
        #expect(ended.map(\.jobId.text) == ["small-job-1"])
        #expect(ended.first?.status == .completed)
        #expect(ended.first?.processed == 2)
        #expect(figures.oldestOpen.map(\.jobId.text) == ["large-job-1"])
        #expect(figures.leased == 0)
    }

    @Test("a job whose end was not committed is not listed among the ended jobs")
    func undone() throws {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try host.pool.writeWithoutTransaction {
            try $0.execute(
                sql: """
                    CREATE TEMP TRIGGER refuse BEFORE UPDATE OF ended_at ON job BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
        }
        try? worker.record(items)
        #expect(try host.recentlyEnded().isEmpty)
        #expect(host.figures.oldestOpen.count == 1)
    }

    @Test("a retry that succeeds after the end of a job also changes the job's figures")
    func retried() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]])
        try worker.record(Array(items[1...]), error: .notFound)
        #expect(try host.recentlyEnded().map(\.failed) == [2])
        _ = try host.retry(token: job.token)
        try worker.record(try worker.claim())
        #expect(try host.recentlyEnded().map(\.failed) == [0])
        #expect(try host.recentlyEnded().map(\.processed) == [3])
    }

    /// A host with an ended job.
    private func hostWithEndedJob() throws -> TestHost {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        return host
    }

    /// Makes SQLite roll back when the engine reads an ended job.
    private func failReadingEndedJobs(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("fail", argumentCount: 0) { _ in
                    throw DatabaseError(resultCode: .SQLITE_IOERR)
                })
            try db.execute(
                sql: "CREATE TEMP VIEW job AS SELECT * FROM main.job WHERE CASE WHEN ended_at THEN fail() ELSE 1 END")
        }
    }

    @Test("while the ended jobs cannot be read, none are listed")
    func unreadable() throws {
        let host = try hostWithEndedJob()
        try host.pool.writeWithoutTransaction { try $0.execute(sql: "ALTER TABLE job RENAME TO hidden_job") }
        #expect(try host.recentlyEnded().isEmpty)
    }

    @Test("if SQLite rolls back because the ended jobs cannot be read, the whole group is undone")
    func rolledBack() throws {
        let host = try hostWithEndedJob()
        try failReadingEndedJobs(host.pool)
        let read = host.command(writes: false) { engine, turn in try engine.jobs.recentlyEnded(turn) }
        let write = host.command { _, turn in try turn.db.execute(sql: "INSERT INTO meta VALUES ('half', 'done')") }
        host.group([read.command, write.command])
        let half = try host.pool.read { db in
            try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'half'")
        }
        #expect(half == nil)
        #expect(throws: HostFailure.storage("the disk reports an I/O error")) { try write.answer.value() }
    }

    @Test("a job that is no longer stored is not listed among the ended jobs")
    func expired() throws {
        let host = try hostWithEndedJob()
        host.advance(by: host.policy.resultsTTL + .seconds(60))
        #expect(try host.recentlyEnded().isEmpty)
    }

    @Test("the lists of open and ended jobs contain at most ten jobs each, and no job twice")
    func bounded() throws {
        let host = try TestHost()
        for number in 10..<25 { try host.create(JobID("job-number-\(number)")!, books: 1) }
        #expect(host.figures.oldestOpen.count == 10)
        let worker = try TestWorker(host)
        try worker.recordOneByOne(try worker.claim())
        let ended = try host.recentlyEnded().map(\.jobId.text)
        #expect(ended.count == 10)
        #expect(Set(ended).count == 10)
    }

    @Test("the host reports its storage and its mailbox over its socket")
    func overSocket() async throws {
        let live = try LiveHost()
        try await live.listen()
        let (client, running) = try await live.connect()
        let status = try await client.call(ReadStatus.self, Nothing())
        #expect(status.service == .progressHost)
        #expect(status.readiness.status == .ready)
        let host = try #require(status.host)
        #expect(host.storage.refusal == nil)
        #expect(host.storage.databaseBytes > 0)
        #expect(host.mailbox.limit == 65_536)
        await client.shutdown()
        await running.value
        await live.stop()
    }

    @Test("the host reports its other figures even if SQLite rolls back because the ended jobs cannot be read")
    func overSocketWithoutEndedJobs() async throws {
        let live = try LiveHost()
        try await live.listen()
        let (client, running) = try await live.connect()
        let job = try await live.methods.engine.perform(durable: true) { engine, turn in
            try engine.create(
                TestHost.jobID, pipeline: .batchEnrichment, digest: "digest", items: [BookQuery(title: "Dune")],
                origin: JobOrigin(client: "c"), turn)
        }
        _ = try await live.methods.engine.perform(durable: true) { engine, turn in
            try engine.cancel(JobAccess(jobId: job.jobId, token: job.token), turn)
        }
        _ = try await live.methods.engine.perform(durable: true) { engine, turn in
            try engine.create(
                JobID("open-job-1")!, pipeline: .batchEnrichment, digest: "digest", items: [BookQuery(title: "Emma")],
                origin: JobOrigin(client: "c"), turn)
        }
        let before = try #require(try await client.call(ReadStatus.self, Nothing()).host)
        #expect(before.jobs.recentlyEnded.map(\.jobId) == [job.jobId])
        try failReadingEndedJobs(live.database.pool)
        let host = try #require(try await client.call(ReadStatus.self, Nothing()).host)
        #expect(host.jobs.recentlyEnded.isEmpty)
        #expect(host.jobs.oldestOpen.map(\.jobId.text) == ["open-job-1"])
        #expect(host.storage.databaseBytes > 0)
        #expect(host.mailbox.limit == 65_536)
        await client.shutdown()
        await running.value
        await live.stop()
    }
}
