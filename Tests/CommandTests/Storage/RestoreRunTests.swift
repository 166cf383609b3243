import Foundation
import GRDB
import NIOConcurrencyHelpers
import ServiceKit
import SuiteStorage
import Testing
import TestSupport

@testable import BookstrackCLI

@Suite("bookstrack restore")
struct RestoreRunTests {
    private static let time = Date(timeIntervalSince1970: 1_763_236_800)

    private func backup(_ storage: SampleStorage, _ databases: [SuiteDatabase] = [.jobs]) throws -> BackupFolder {
        try BackupRun(storage: storage.directory, databases: databases, clock: ManualClock(date: Self.time))
            .make(in: storage.directory + "/backups")
    }

    /// Restores 60 s after the backup.
    private func restore(
        _ backup: BackupFolder, to storage: String, stopWait: StopWait = StopWait(limit: .zero)
    ) async throws -> RestoreRun.Outcome {
        try await RestoreRun(
            backup: backup, storage: storage, progressInterval: .milliseconds(500), stopWait: stopWait,
            clock: ManualClock(date: Self.time.addingTimeInterval(60))
        ).restore()
    }

    @Test("a restore replaces the databases with those of the backup, and keeps the previous ones")
    func replaces() async throws {
        let storage = try SampleStorage(withCache: true)
        let made = try backup(storage, [.jobs, .cache])
        try await storage.owner().write { try $0.execute(sql: "DELETE FROM token") }
        let outcome = try await restore(made, to: storage.directory)
        #expect(outcome.restored == [.jobs, .cache])
        #expect(try SampleStorage.read(Int.self, "SELECT count(*) FROM token", at: storage.jobs) == 2)
        let aside = try #require(outcome.setAside)
        #expect(aside == storage.directory + "/replaced-20251115T200100.000Z")
        #expect(try SampleStorage.read(Int.self, "SELECT count(*) FROM token", at: aside + "/jobs.sqlite") == 0)
        #expect(Set(StorageCheck(storage: storage.directory, depth: .whole).findings().map(\.verdict)) == [.ok])
        let left = try FileManager.default.contentsOfDirectory(atPath: storage.directory).filter {
            $0.contains("restoring")
        }
        #expect(left == [])
    }

    @Test("a killed owner's log is merged into the previous database, not into the restored one")
    func killedOwner() async throws {
        let storage = try SampleStorage()
        let made = try backup(storage)
        let killed = try killedCopy(of: storage)
        defer { try? FileManager.default.removeItem(atPath: killed) }
        #expect(FileManager.default.fileExists(atPath: killed + "/jobs.sqlite-wal"))
        let outcome = try await restore(made, to: killed)
        #expect(try SampleStorage.read(Int.self, "SELECT count(*) FROM token", at: killed + "/jobs.sqlite") == 2)
        let aside = try #require(outcome.setAside)
        #expect(try SampleStorage.read(Int.self, "SELECT count(*) FROM token", at: aside + "/jobs.sqlite") == 0)
    }

    @Test("a restore also replaces a damaged database")
    func damagedPresent() async throws {
        let storage = try SampleStorage()
        let made = try backup(storage)
        try Data("this is not a database".utf8).write(to: URL(filePath: storage.jobs))
        let aside = try #require(try await restore(made, to: storage.directory).setAside)
        #expect(try SampleStorage.read(Int.self, "SELECT count(*) FROM token", at: storage.jobs) == 2)
        #expect(try String(contentsOfFile: aside + "/jobs.sqlite", encoding: .utf8) == "this is not a database")
    }

    @Test("a log that was not merged is kept beside the previous database, so its content is not lost")
    func keptLog() throws {
        let storage = try SampleStorage()
        let made = try backup(storage)
        let killed = try killedCopy(of: storage)
        defer { try? FileManager.default.removeItem(atPath: killed) }
        let exchange = DatabaseExchange(
            path: killed + "/jobs.sqlite", aside: killed + "/aside", owner: try StorageOwner(directory: killed))
        try exchange.stage(made.copy(of: .jobs)) { _ in }
        try exchange.exchange()
        let left = try FileManager.default.contentsOfDirectory(atPath: killed).sorted()
        #expect(left == ["aside", "jobs.sqlite"])
        #expect(try SampleStorage.read(Int.self, "SELECT count(*) FROM token", at: killed + "/jobs.sqlite") == 2)
        #expect(try SampleStorage.read(Int.self, "SELECT count(*) FROM token", at: killed + "/aside/jobs.sqlite") == 0)
    }

    @Test("a restore that was interrupted after it had removed the database, but not its log, can be repeated")
    func loneLog() async throws {
        let storage = try SampleStorage()
        let made = try backup(storage)
        let killed = try killedCopy(of: storage)
        defer { try? FileManager.default.removeItem(atPath: killed) }
        try FileManager.default.removeItem(atPath: killed + "/jobs.sqlite")
        let outcome = try await restore(made, to: killed)
        let aside = try #require(outcome.setAside)
        #expect(try FileManager.default.contentsOfDirectory(atPath: aside).contains("jobs.sqlite-wal"))
        #expect(!FileManager.default.fileExists(atPath: killed + "/jobs.sqlite-wal"))
        #expect(try SampleStorage.read(Int.self, "SELECT count(*) FROM token", at: killed + "/jobs.sqlite") == 2)
    }

    /// A data directory left by a killed owner; only the write-ahead log contains the deletion of all tokens.
    private func killedCopy(of storage: SampleStorage) throws -> String {
        let owner = try storage.owner()
        try owner.write { try $0.execute(sql: "DELETE FROM token") }
        let killed = storage.directory + "-killed"
        try FileManager.default.createDirectory(atPath: killed, withIntermediateDirectories: true)
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: storage.jobs + suffix, toPath: "\(killed)/jobs.sqlite\(suffix)")
        }
        return killed
    }

    @Test(
        "open jobs' sequence numbers skip those that may have been sent since the backup, and the next start counts as unclean"
    )
    func sequences() async throws {
        let storage = try SampleStorage()
        try await storage.owner().write { try OpeningMark.write("a boot", $0) }
        _ = try await restore(try backup(storage), to: storage.directory)
        func seq(_ job: String) throws -> Int? {
            try SampleStorage.read(
                Int.self, "SELECT \(JobSequence.lastSQL) FROM job WHERE job_id = '\(job)'", at: storage.jobs)
        }
        #expect(try seq("ended-job") == 3)
        #expect(try seq("open-job") == 2 + 60_000 / 500 + 40)
        let mark = try await StoredDatabase(path: storage.jobs).open().unsafeRead { try OpeningMark.read($0) }
        #expect(mark == OpeningMark.restored)
    }

    @Test("nothing is restored while a service owns the data")
    func owned() async throws {
        let storage = try SampleStorage()
        let made = try backup(storage)
        var lock: OwnerLock? = try OwnerLock(directory: storage.directory)
        let owned = await #expect(throws: CommandFailure.self) { try await restore(made, to: storage.directory) }
        #expect(owned?.status == .tryLater)
        #expect(owned?.message.contains("stop the services") == true)
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try await restore(made, to: storage.directory)
    }

    @Test("if the data cannot be locked, a restore states the system's reason")
    func unlockable() async throws {
        let storage = try SampleStorage()
        let made = try backup(storage)
        let lock = storage.directory + "/" + OwnerLock.fileName
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        await #expect(throws: CommandFailure(.cannotWrite, "cannot open \(lock): Is a directory")) {
            try await restore(made, to: storage.directory)
        }
    }

    @Test("a file system that cannot lock files is not mistaken for another process that holds the lock")
    func lockErrors() {
        #expect("\(OwnerLock.Refusal(locking: "/d", errno: ENOLCK))" == "cannot lock /d: No locks available")
        #expect("\(OwnerLock.Refusal(locking: "/d", errno: EWOULDBLOCK))".contains("another process owns"))
        #expect(
            DatabaseLock.Refusal(locking: "/d", errno: ENOLCK) == .failed(call: "lock", path: "/d", errno: ENOLCK))
        for code in [EACCES, EAGAIN] {
            #expect(DatabaseLock.Refusal(locking: "/d", errno: code) == .isOpenElsewhere(path: "/d"))
        }
    }

    @Test("a restore waits for a service that is still stopping, and announces this once")
    func stopping() async throws {
        let storage = try SampleStorage()
        let made = try backup(storage)
        let lock = NIOLockedValueBox<OwnerLock?>(try OwnerLock(directory: storage.directory))
        let notes = NIOLockedValueBox<[String]>([])
        let pauses = NIOLockedValueBox(0)
        let stopWait = StopWait(
            pause: { _ in
                let count = pauses.withLockedValue {
                    $0 += 1
                    return $0
                }
                if count == 3 { lock.withLockedValue { $0 = nil } }
            }, note: { note in notes.withLockedValue { $0.append(note) } })
        let outcome = try await restore(made, to: storage.directory, stopWait: stopWait)
        #expect(outcome.restored == [.jobs])
        #expect(pauses.withLockedValue { $0 } == 3)
        #expect(notes.withLockedValue { $0 }.map { $0.contains("Waiting up to 15 s") } == [true])
    }

    @Test("a restore waits at most 15 s for a service that keeps running")
    func running() async throws {
        let storage = try SampleStorage()
        let made = try backup(storage)
        let lock = try OwnerLock(directory: storage.directory)
        let waited = NIOLockedValueBox(Duration.zero)
        let stopWait = StopWait(pause: { pause in waited.withLockedValue { $0 += pause } })
        let failure = await #expect(throws: CommandFailure.self) {
            try await restore(made, to: storage.directory, stopWait: stopWait)
        }
        #expect(failure?.status == .tryLater)
        #expect(waited.withLockedValue { $0 } == .seconds(15))
        withExtendedLifetime(lock) {}
    }

    @Test("a backup that this program cannot read is rejected, and nothing is changed")
    func newer() async throws {
        let storage = try SampleStorage()
        try await storage.owner().write { db in
            try db.execute(sql: "PRAGMA user_version = 90; UPDATE meta SET value = 90 WHERE key = 'min_reader'")
        }
        let made = try backup(storage)
        let failure = await #expect(throws: CommandFailure.self) { try await restore(made, to: storage.directory) }
        #expect(failure?.status == .badInput)
        #expect(failure?.message.contains("readable by version 90 or later") == true)
        let names = try FileManager.default.contentsOfDirectory(atPath: storage.directory)
        #expect(!names.contains { $0.hasPrefix("replaced") })
    }

    @Test("a backup from a later version is restored if this program can read it")
    func laterButReadable() async throws {
        let storage = try SampleStorage()
        try await storage.owner().write {
            try $0.execute(sql: "PRAGMA user_version = 90; ALTER TABLE job ADD COLUMN later TEXT")
        }
        _ = try await restore(try backup(storage), to: storage.directory)
        #expect(try SampleStorage.read(Int.self, "PRAGMA user_version", at: storage.jobs) == 90)
    }

    @Test("a restore creates a missing data directory")
    func emptyServer() async throws {
        let storage = try SampleStorage()
        let made = try backup(storage)
        let place = storage.directory + "/other/data"
        let outcome = try await restore(made, to: place)
        #expect(outcome.setAside == nil)
        #expect(try SampleStorage.read(Int.self, "SELECT count(*) FROM job", at: place + "/jobs.sqlite") == 2)
    }
}
