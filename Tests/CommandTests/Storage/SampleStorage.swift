import Foundation
import GRDB
import SuiteStorage

@testable import BookstrackCLI

/// A data directory with an ended and an open job, as left by progress-host.
final class SampleStorage {
    let directory: String
    var jobs: String { directory + "/" + SuiteDatabase.jobs.fileName }
    var cache: String { directory + "/" + SuiteDatabase.cache.fileName }

    init(withCache: Bool = false) throws {
        directory = FileManager.default.temporaryDirectory.path + "/storage-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let queue = try DatabasePool(path: jobs)
        try queue.write { db in
            try JobSchema.migrate(db)
            try Self.insertJob(1, id: "ended-job", items: 2, ended: true, db)
            try Self.insertJob(2, id: "open-job", items: 40, ended: false, db)
        }
        try queue.close()
        guard withCache else { return }
        let cache = try DatabasePool(path: cache)
        try cache.write { try CacheSchema.migrate($0) }
        try cache.close()
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// A connection like the owner's.
    func owner() throws -> DatabasePool { try DatabasePool(path: jobs) }

    /// Reads one value from a database file.
    static func read<Value: DatabaseValueConvertible>(_ type: Value.Type, _ sql: String, at path: String) throws
        -> Value?
    {
        let queue = try StoredDatabase(path: path).open()
        return try queue.unsafeRead { try Value.fetchOne($0, sql: sql) }
    }

    private static func insertJob(_ number: Int64, id: String, items: Int, ended: Bool, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO job(number, job_id, pipeline, status, digest, total, created_at, started_at, ended_at, expires_at, deadline_at)
                VALUES (?, ?, 'batch_enrichment', ?, 'd', ?, 1, 2, ?, ?, 9)
                """,
            arguments: [number, id, ended ? "completed" : "processing", items, ended ? 3 : nil, ended ? 8 : nil])
        for index in 0..<items {
            let item = ItemNumber(job: number, index: index).rawValue
            if ended { try db.execute(sql: "INSERT INTO result(id, row) VALUES (?, '{}')", arguments: [item]) }
            try db.execute(
                sql: "INSERT INTO item(id, state, title, result) VALUES (?, ?, 'Dune', ?)",
                arguments: [item, ended ? 1 : 0, ended ? item : nil])
        }
        let kinds = ["started", "progress"] + (ended ? ["completed"] : [])
        for index in kinds.indices {
            try db.execute(
                sql: "INSERT INTO event(job, seq, at, kind, frame) VALUES (?, ?, 2, ?, '{}')",
                arguments: [number, index + 1, kinds[index]])
        }
        try db.execute(sql: "INSERT INTO token(job, hash, expires_at) VALUES (?, 'h', 9)", arguments: [number])
    }
}
