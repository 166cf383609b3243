import BookstrackContract
import Foundation
import GRDB
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Ownership and schema of the database")
struct OwnershipTests {
    @Test("a second owner is refused in words, and may come when the first is gone")
    func secondOwner() throws {
        let host = try TestHost()
        let refusal = #expect(throws: OwnerLock.Refusal.self) { try JobDatabase(directory: host.directory) }
        #expect(refusal?.description.contains("another progress-host owns this database") == true)
        try host.restart()
    }

    @Test("a database that needs a newer program is refused; one that an older program can read is opened")
    func newerSchema() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "host-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        func change(_ sql: String) throws {
            try JobDatabase(directory: directory).pool.write { try $0.execute(sql: sql) }
        }
        try change("PRAGMA user_version = 7")
        try change("UPDATE meta SET value = 3 WHERE key = 'min_reader'")
        let refusal = #expect(throws: JobSchema.Refusal.tooNew(minReader: 3)) { try JobDatabase(directory: directory) }
        #expect(refusal?.description == "jobs.sqlite needs at least schema version 3, this program reads 2")
    }

    @Test("a database of the version before is brought up to date, with what is in it")
    func olderSchema() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        try host.pool.write {
            try $0.execute(
                sql: "ALTER TABLE token DROP COLUMN ready; DROP INDEX item_later_job; PRAGMA user_version = 1")
        }
        try host.restart()
        #expect(try host.state(token: job.token).totalCount == 1)
        #expect(try host.pool.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == JobSchema.version)
    }

    @Test("the database is in WAL mode, gives pages back when asked, and passes its own check")
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

    @Test("a directory that is not there is an error that names it")
    func missingDirectory() {
        let refusal = #expect(throws: OwnerLock.Refusal.self) {
            try JobDatabase(directory: URL(filePath: "/nowhere/at/all"))
        }
        #expect(refusal?.description.contains("/nowhere/at/all") == true)
    }
}
