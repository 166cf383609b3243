import Foundation
import GRDB
import Testing

@testable import ProgressHost

@Suite("Checkpoints beside the engine")
struct WALCheckpointerTests {
    @Test("commits reach the database while it is open, and a clean end leaves no log")
    func checkpoints() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "wal-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let database = try JobDatabase(directory: directory)
        try database.pool.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE filler(content BLOB)") }
        // Each has so many pages that a checkpoint is worth it at once, and fewer than the one before, as a log has that begins anew.
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
}
