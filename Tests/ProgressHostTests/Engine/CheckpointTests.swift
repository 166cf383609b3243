import Foundation
import GRDB
import NIOConcurrencyHelpers
import Testing
@testable import ProgressHost

@Suite("When the log is checkpointed")
struct CheckpointPlanTests {
    private var plan = CheckpointPlan()
    private var now = ContinuousClock.now

    /// The step after a commit that comes a second after the previous one, which is longer than the pause between checkpoints.
    private mutating func committed(_ logPages: Int) -> CheckpointPlan.Step {
        now += .seconds(1)
        return plan.committed(logPages: logPages, at: now)
    }

    private mutating func beginsNow() -> Bool { plan.beginsNow(at: now) }

    @Test("a checkpoint begins when the log is long enough, and only one runs at a time")
    mutating func worthwhile() {
        #expect(committed(299) == .beginLater)
        #expect(committed(300) == .begin)
        #expect(committed(5_000) == .nothing)
        plan.ended(finishedPages: 1_000)
        #expect(committed(1_299) == .nothing)
        #expect(committed(1_300) == .begin)
    }

    @Test("there is a pause between two checkpoints, unless the log grows fast")
    mutating func pause() {
        #expect(committed(300) == .begin)
        plan.ended(finishedPages: 300)
        #expect(plan.committed(logPages: 4_299, at: now + .milliseconds(99)) == .beginLater)
        #expect(plan.committed(logPages: 4_300, at: now + .milliseconds(99)) == .begin)
        plan.ended(finishedPages: 4_300)
        #expect(plan.committed(logPages: 4_600, at: now + .milliseconds(198)) == .nothing)
        #expect(plan.committed(logPages: 4_600, at: now + .milliseconds(199)) == .begin)
    }

    @Test(
        "every commit is followed by a later checkpoint, unless an earlier one has moved its pages or the database is closed"
    )
    mutating func later() {
        #expect(committed(10) == .beginLater)
        #expect(committed(20) == .nothing)
        #expect(beginsNow())
        // The checkpoint that is running does not move the pages of later commits.
        #expect(committed(30) == .beginLater)
        plan.ended(finishedPages: 20)
        #expect(beginsNow())
        plan.ended(finishedPages: 30)
        #expect(!beginsNow())
        #expect(committed(40) == .beginLater)
        plan.finish()
        #expect(!beginsNow())
    }

    @Test("a commit to a restarted log is followed by a checkpoint even if the log is as long as before")
    mutating func restarted() {
        #expect(committed(5) == .beginLater)
        #expect(beginsNow())
        plan.ended(finishedPages: 5)
        #expect(committed(5) == .beginLater)
        #expect(beginsNow())
    }

    @Test("if the log restarts before a checkpoint reports its end, the next commit is followed by another checkpoint")
    mutating func restartedEarly() {
        #expect(committed(10) == .beginLater)
        #expect(beginsNow())
        #expect(committed(5) == .beginLater)
        plan.ended(finishedPages: 10)
        #expect(beginsNow())
    }

    @Test("the pages of a restarted log are counted from its start, and a failed checkpoint is retried")
    mutating func anew() {
        #expect(committed(3_000) == .begin)
        plan.ended(finishedPages: 3_000)
        #expect(committed(10) == .beginLater)
        #expect(committed(300) == .begin)
        plan.ended(finishedPages: nil)
        #expect(committed(301) == .begin)
    }

    @Test("the writer moves the rest of a long log itself if a parallel checkpoint has left few pages")
    mutating func long() {
        #expect(committed(16_000) == .begin)
        plan.ended(finishedPages: 16_000)
        #expect(committed(16_384) == .begin)
        #expect(committed(16_500) == .beginLater)
        plan.ended(finishedPages: 16_450)
        #expect(committed(16_520) == .help)
    }

    @Test("at the log's maximum length, the writer moves the rest itself, however many pages are left")
    mutating func longest() {
        #expect(committed(65_535) == .begin)
        #expect(committed(65_536) == .help)
    }
}

@Suite("Checkpoints on a connection of their own")
struct WALCheckpointerTests {
    @Test("commits reach the database file while it is open, and a clean stop leaves no log")
    func checkpoints() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "wal-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let database = try JobDatabase(directory: directory)
        try database.pool.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE filler(content BLOB)") }
        // Each write has enough pages for an immediate checkpoint, and fewer than the previous one, as in a restarted log.
        for mebibytes in [19, 18, 17] {
            try database.pool.writeWithoutTransaction { db in
                try db.execute(sql: "INSERT INTO filler VALUES (randomblob(\(mebibytes << 20)))")
            }
            database.checkpointer.settle()
        }
        let file = directory.appending(path: "jobs.sqlite")
        #expect(try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) > 53 << 20)
        #expect(try database.pool.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        try database.close()
        #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
        let again = try DatabaseQueue(path: file.path)
        #expect(try again.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM filler") } == 3)
    }

    @Test("while a long read keeps pages in the log, the log itself is synced")
    func longRead() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "wal-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "jobs.sqlite").path
        let first = try DatabaseQueue(path: path)
        try first.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE filler(content BLOB)")
        }
        try first.close()
        let syncs = NIOLockedValueBox(0)
        let checkpointer = WALCheckpointer(path: path) { syncs.withLockedValue { $0 += 1 } }
        var writing = GRDB.Configuration()
        writing.prepareDatabase { checkpointer.replaceAutomaticCheckpoints(of: $0) }
        let writer = try DatabaseQueue(path: path, configuration: writing)
        var reading = GRDB.Configuration()
        reading.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path, configuration: reading)
        try reader.inDatabase { try $0.execute(sql: "BEGIN; SELECT count(*) FROM filler") }
        // More pages than an immediate checkpoint needs.
        func write() throws {
            try writer.writeWithoutTransaction {
                try $0.execute(sql: "INSERT INTO filler VALUES (randomblob(17 << 20))")
            }
            checkpointer.settle()
        }
        try write()
        let during = syncs.withLockedValue(\.self)
        #expect(during > 0)
        try reader.inDatabase { try $0.execute(sql: "COMMIT") }
        try write()
        #expect(syncs.withLockedValue(\.self) == during)
        try reader.close()
        try writer.close()
        try checkpointer.finish()
    }
}
