import BookstrackContract
import Foundation
import GRDB
import NIOCore
import SuiteMethods
import SuiteStorage
import Testing

@testable import ProgressHost

@Suite("Database ownership and schema")
struct OwnershipTests {
    @Test("a second owner is refused with a reason, and accepted after the first has stopped")
    func secondOwner() throws {
        let host = try TestHost()
        let refusal = #expect(throws: OwnerLock.Refusal.self) { try JobDatabase(directory: host.directory) }
        #expect(refusal?.description.contains("another process owns this database") == true)
        try host.restart()
    }

    @Test("a second owner is refused even if the lock file was removed")
    func removedLock() throws {
        let host = try TestHost()
        try FileManager.default.removeItem(at: host.directory.appending(path: OwnerLock.fileName))
        #expect(throws: OwnerLock.Refusal.self) { try JobDatabase(directory: host.directory) }
    }

    @Test("a file lock held by a process of the previous version keeps this version out")
    func versionBefore() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "host-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let descriptor = open(directory.appending(path: OwnerLock.fileName).path, O_RDWR | O_CREAT, 0o640)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: OwnerLock.Refusal.self) { try JobDatabase(directory: directory) }
    }

    @Test("no other user can read the database or its log, even if an earlier version left wider permissions")
    func rights() throws {
        func rights(_ host: TestHost) throws -> [Int?] {
            try ["", "-wal", "-shm"].map {
                let path = JobDatabase.path(in: host.directory) + $0
                return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
        }
        let host = try TestHost()
        try host.create(books: 1)
        #expect(try rights(host) == [0o600, 0o600, 0o600])
        for suffix in ["", "-wal", "-shm"] { chmod(JobDatabase.path(in: host.directory) + suffix, 0o666) }
        try host.restart()
        #expect(try rights(host) == [0o600, 0o600, 0o600])
    }

    @Test("a newer database is opened if this version can read it, and otherwise refused with a reason")
    func newerSchema() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "host-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        func change(_ sql: String) throws {
            try JobDatabase(directory: directory).pool.write { try $0.execute(sql: sql) }
        }
        let (own, later) = (JobSchema.version, JobSchema.version + 1)
        try change("PRAGMA user_version = \(later)")
        try change("UPDATE meta SET value = \(later) WHERE key = 'min_reader'")
        let refusal = #expect(throws: JobSchema.Refusal.tooNew(minReader: later)) {
            try JobDatabase(directory: directory)
        }
        #expect(
            refusal?.description == """
                jobs.sqlite needs at least schema version \(later), but this program supports \(own); start the newer version again, or \
                restore a backup that this one can read
                """)
    }

    @Test("a database from the first version is migrated without losing content")
    func olderSchema() throws {
        let host = try TestHost()
        let job = try host.create(books: 2)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(limit: 1))
        let before = try host.state(token: job.token)
        let rows = try host.pool.read { try Self.stored($0) }
        try host.pool.write { try Self.backToFirstVersion($0) }
        try host.restart()
        _ = try TestWorker(host)
        #expect(try host.state(token: job.token) == before)
        #expect(try host.pool.read { try Self.stored($0) } == rows)
        #expect(try host.pool.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == JobSchema.version)
        #expect(try host.pool.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    /// All results ordered by item, followed by all events in order.
    private static func stored(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT CAST(row AS TEXT) FROM item JOIN result ON result.id = item.result ORDER BY item.id")
            + Int64.fetchAll(db, sql: "SELECT number FROM job ORDER BY number").flatMap { job in
                try JobStore(db: db).events(job: job, after: 0, limit: 100)
                    .map { "\(job) \($0.seq) \(String(buffer: $0.frame))" }
            }
    }

    /// Moves the stored rows into the tables of the first version.
    private static func backToFirstVersion(_ db: Database) throws {
        let tables = ["job", "item", "result", "event", "token", "meta"]
        for table in tables { try db.execute(sql: "ALTER TABLE \(table) RENAME TO new_\(table)") }
        for index in try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        {
            try db.execute(sql: "DROP INDEX \(index)")
        }
        let added = [
            "removed_job", "import", "import_page", "scan", "photo", "spine", "improved_item", "webhook", "quality_day",
            "provider_day", "audit",
        ]
        for table in added {
            try db.execute(sql: "DROP TABLE \(table)")
        }
        try db.execute(sql: JobSchema.first)
        try db.execute(
            sql: """
                INSERT INTO item SELECT id, state, title, author, isbn, work_id, attempts, error_code, background_round,
                    not_before FROM new_item;
                INSERT INTO result SELECT new_item.id, row FROM new_result JOIN new_item ON new_item.result = new_result.id;
                INSERT INTO event SELECT job, seq, kind, frame FROM new_event
                    UNION ALL SELECT \(ItemNumber.jobSQL("new_item.id")), event_seq, 'progress', frame
                    FROM new_item JOIN new_result ON new_item.result = new_result.id WHERE event_seq IS NOT NULL;
                INSERT INTO job SELECT number, job_id, pipeline, status, digest, total, created_at, started_at, ended_at,
                    expires_at, deadline_at, (SELECT max(seq) FROM event WHERE job = number), recoverable_from,
                    (SELECT max(event_at) FROM new_item WHERE \(ItemNumber.jobSQL("new_item.id")) = number),
                    results_revision FROM new_job;
                INSERT INTO token SELECT number, job, hash, expires_at, superseded, revoked FROM new_token;
                INSERT INTO meta SELECT * FROM new_meta;
                UPDATE meta SET value = 1 WHERE key = 'min_reader';
                PRAGMA user_version = 1;
                """)
        for table in tables { try db.execute(sql: "DROP TABLE new_\(table)") }
    }

    @Test("rows that an older program leaves behind when it removes a job are deleted", arguments: [false, true])
    func leftovers(removalHadBegun: Bool) throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        try host.startImport()
        let file = try #require(try worker.claimFile())
        _ = try worker.deliver(["Dune"], page: 0, of: file)
        for scan in ["removed-scan", "kept-scan"] {
            try host.startScan(try #require(JobID(scan)))
            try worker.read(["Emma", "Ulysses"], of: try #require(try worker.claimPhotos()))
        }
        try host.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO webhook(job, id, results_revision, improved, due_at)
                    SELECT number, 'msg', 1, 1, 0 FROM job WHERE job_id = 'removed-scan'
                    """)
            try Self.removeJobsAsOlderProgram(db, except: "kept-scan", removalHadBegun: removalHadBegun)
        }
        try host.restart()
        host.advance(by: .seconds(60))
        let counts = try ["import", "import_page", "scan", "photo", "spine", "webhook", "removed_job"].map { table in
            try host.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
        }
        #expect(counts == [0, 0, 1, 1, 2, 0, 0])
    }

    /// Removes all jobs except `kept`, but not their rows in tables that the first version did not have.
    ///
    /// - Parameter removalHadBegun: Whether this version had already begun the removal, which the older program then finishes.
    private static func removeJobsAsOlderProgram(
        _ db: Database, except kept: String, removalHadBegun: Bool
    ) throws {
        let removed = "(SELECT number FROM job WHERE job_id <> '\(kept)')"
        let items = "FROM item WHERE \(ItemNumber.jobSQL("item.id")) IN \(removed)"
        let removedBefore = removalHadBegun ? ["import", "scan", "photo", "webhook"] : []
        for table in ["event", "token"] + removedBefore {
            try db.execute(sql: "DELETE FROM \(table) WHERE job IN \(removed)")
        }
        try db.execute(
            sql: """
                DELETE FROM result WHERE id IN (SELECT result \(items));
                DELETE \(items);
                DELETE FROM job WHERE number IN \(removed);
                """)
    }

    @Test("the database is in WAL mode, returns free pages on request, and passes SQLite's integrity check")
    func pragmas() throws {
        let host = try TestHost()
        try host.create(books: 10)
        func pragma(_ name: String) throws -> String? {
            try host.pool.read { try String.fetchOne($0, sql: "PRAGMA \(name)") }
        }
        #expect(try pragma("journal_mode") == "wal")
        #expect(try pragma("auto_vacuum") == "2")
        #expect(try pragma("integrity_check") == "ok")
    }

    @Test("the error for a missing directory contains its path")
    func missingDirectory() {
        let refusal = #expect(throws: OwnerLock.Refusal.self) {
            try JobDatabase(directory: URL(filePath: "/nowhere/at/all"))
        }
        #expect(refusal?.description.contains("/nowhere/at/all") == true)
    }
}
