import BookstrackContract
import GRDB
import Logging
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Claims among many due items")
struct LaterScaleTests {
    /// A host that found this many due follow-ups when it started.
    private func host(due: Int, jobs: Int) throws -> TestHost {
        let host = try TestHost()
        try host.pool.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :jobs)
                    INSERT INTO job(
                        number, job_id, pipeline, status, digest, total, created_at, ended_at, expires_at, deadline_at, client)
                    SELECT i, 'ended-job-' || i, 'batch_enrichment', 'completed', '', :due / :jobs, :now, :now,
                        :now + 86400000, :now + 86400000, 'client-' || (i % 7) FROM n
                    """, arguments: ["jobs": jobs, "due": due, "now": host.clock.now().wall])
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < :due - 1)
                    INSERT INTO item(id, state, title, not_before)
                    SELECT (i % :jobs + 1) * 1048576 + i / :jobs, 1, 'Book', :now FROM n
                    """, arguments: ["due": due, "jobs": jobs, "now": host.clock.now().wall])
        }
        try host.restart()
        host.advance(by: .seconds(1))
        return host
    }

    /// The number of SQLite instructions for claiming 100 follow-ups.
    private func instructions(_ host: TestHost, _ worker: TestWorker) throws -> Int {
        try host.instructions {
            let items = try worker.claim(limit: 100, perJob: 100)
            #expect(items.count == 100)
        }
    }

    @Test("a claim costs about the same with 100 000 due items as with 1 000")
    func flat() throws {
        let few = try host(due: 1_000, jobs: 100)
        let many = try host(due: 100_000, jobs: 1_000)
        let (fewWorker, manyWorker) = (try TestWorker(few), try TestWorker(many))
        for _ in 0..<3 {
            let (small, large) = (try instructions(few, fewWorker), try instructions(many, manyWorker))
            #expect(abs(large - small) * 10 < small)
        }
    }

    @Test("an idle host does not write to the database, even if many items are due")
    func idle() throws {
        let host = try host(due: 10_000, jobs: 100)
        let before = host.pool.writeWithoutTransaction { $0.totalChangesCount }
        host.advance(by: .seconds(10))
        #expect(host.pool.writeWithoutTransaction { $0.totalChangesCount } == before)
        #expect(host.dueJobs(in: .followUp) == 100)
    }
}
