import Foundation
import GRDB
import TestSupport
import Testing

@testable import ProgressHost

/// A database whose commits are checked by reading a copy of its files, made without closing it, as if the process had been killed.
private struct CopiedDatabase {
    let directory: URL
    let queue: DatabaseQueue

    /// - Parameter name: The file's name. Only for `jobs.sqlite` are writes to the log gathered into fewer calls.
    init(_ name: String, pages: Int = 5) throws {
        LogWrites.gather()
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { db in
            // The cache is so small that larger transactions write to the log before they end (sqlite.org/pragma.html#pragma_cache_size).
            try db.execute(
                sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = \(pages)")
        }
        queue = try DatabaseQueue(
            path: directory.appendingPathComponent(name).path, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE row(id INTEGER PRIMARY KEY, content BLOB NOT NULL)") }
    }

    /// Executes statements in one transaction; returns the number of write calls that this thread made (proc(5), `io`).
    func write(_ body: @escaping (Database) throws -> Database.TransactionCompletion) throws -> Int {
        try queue.writeWithoutTransaction { db in
            let before = Self.writingCalls()
            try db.inTransaction { try body(db) }
            return Self.writingCalls() - before
        }
    }

    private static func writingCalls() -> Int {
        let text = (try? String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("syscw:") }
        return line.flatMap { Int($0.dropFirst(7)) } ?? 0
    }

    /// The rows in a copy of the files, by identifier. SQLite's own file access reads them and recovers the log.
    func copiedRows() throws -> [Int: Data] {
        let copy = directory.appendingPathComponent("copy.sqlite").path
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: copy + suffix)
            guard suffix != "-shm" else { continue }
            try? FileManager.default.copyItem(atPath: queue.path + suffix, toPath: copy + suffix)
        }
        return try DatabaseQueue(path: copy).read { db in
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
            let rows = try Row.fetchAll(db, sql: "SELECT id, content FROM row")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Int, $0[1] as Data) })
        }
    }

    func end() throws {
        try queue.close()
        try FileManager.default.removeItem(at: directory)
    }
}

@Suite("Writes to the log of jobs.sqlite", .timeLimit(.minutes(1)))
struct LogWriteTests {
    private static func insert(_ count: Int, bytes: Int = 3_000, into db: Database) throws {
        for _ in 0..<count {
            try db.execute(sql: "INSERT INTO row(content) VALUES (zeroblob(?))", arguments: [bytes])
        }
    }

    private static func count(_ reader: DatabaseQueue) throws -> Int? {
        try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM row") }
    }

    @Test("a transaction of many pages needs at most a tenth of the write calls that SQLite itself makes")
    func calls() throws {
        let gathered = try CopiedDatabase("jobs.sqlite", pages: 500)
        let plain = try CopiedDatabase("plain.sqlite", pages: 500)
        let calls = try [gathered, plain].map { database in
            try database.write { db in
                try Self.insert(20, into: db)
                return .commit
            }
        }
        #expect(calls[0] > 0)
        #expect(calls[0] * 10 <= calls[1])
        for database in [gathered, plain] { try database.end() }
    }

    @Test("after a kill, the database contains all committed rows and no others", arguments: 0..<6)
    func durability(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let database = try CopiedDatabase("jobs.sqlite")
        let committed = CommittedRows()
        for _ in 0..<40 {
            let steps = (0..<Int.random(in: 1...6, using: &random)).map { _ in Step(&random) }
            let commits = Int.random(in: 0..<4, using: &random) > 0
            _ = try database.write { db in
                for step in steps { try step.perform(in: db) }
                if commits { committed.rows = try Step.rows(db) }
                return commits ? .commit : .rollback
            }
            #expect(try database.copiedRows() == committed.rows)
            if Int.random(in: 0..<10, using: &random) == 0 {
                let modes: [Database.CheckpointMode] = [.passive, .restart, .truncate]
                let mode = modes[Int.random(in: modes.indices, using: &random)]
                _ = try database.queue.writeWithoutTransaction { try $0.checkpoint(mode) }
                #expect(try database.copiedRows() == committed.rows)
            }
        }
        try database.end()
    }

    @Test("a reader sees each transaction immediately after its commit, and none before")
    func readers() throws {
        let database = try CopiedDatabase("jobs.sqlite")
        let reader = try DatabaseQueue(path: database.queue.path)
        for count in 1...30 {
            _ = try database.write { db in
                try Self.insert(count, into: db)
                #expect(try Self.count(reader) == count * (count - 1) / 2)
                return .commit
            }
            #expect(try Self.count(reader) == count * (count + 1) / 2)
        }
        try reader.close()
        try database.end()
    }
}

/// The rows of the last commit; a class, so that closures can change them.
private final class CommittedRows {
    var rows: [Int: Data] = [:]
}

/// One step of a transaction. No step is a savepoint, because progress-host uses none: after the rollback of a savepoint in a transaction that
/// outgrew its cache, SQLite 3.40 itself can leave a log that is not recovered completely.
private enum Step {
    case insert(count: Int, bytes: Int)
    case update(every: Int)
    case delete(every: Int)

    init(_ random: inout SeededGenerator) {
        let count = Int.random(in: 1...20, using: &random)
        self =
            switch Int.random(in: 0..<3, using: &random) {
            case 0: .insert(count: count, bytes: Int.random(in: 1...3_000, using: &random))
            case 1: .update(every: count)
            default: .delete(every: count + 1)
            }
    }

    func perform(in db: Database) throws {
        switch self {
        case .insert(let count, let bytes):
            for _ in 0..<count {
                try db.execute(sql: "INSERT INTO row(content) VALUES (randomblob(?))", arguments: [bytes])
            }
        case .update(let every):
            try db.execute(sql: "UPDATE row SET content = randomblob(500) WHERE id % ? = 0", arguments: [every])
        case .delete(let every):
            try db.execute(sql: "DELETE FROM row WHERE id % ? = 0", arguments: [every])
        }
    }

    static func rows(_ db: Database) throws -> [Int: Data] {
        let rows = try Row.fetchAll(db, sql: "SELECT id, content FROM row")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Int, $0[1] as Data) })
    }
}
