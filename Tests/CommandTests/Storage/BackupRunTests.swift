import ArgumentParser
import Foundation
import GRDB
import ServiceKit
import SuiteStorage
import Testing
import TestSupport

@testable import BookstrackCLI

@Suite("Making and checking backups")
struct BackupRunTests {
    private static let time = Date(timeIntervalSince1970: 1_763_236_800)

    private func run(_ storage: SampleStorage, _ databases: [SuiteDatabase] = [.jobs]) -> BackupRun {
        BackupRun(storage: storage.directory, databases: databases, clock: ManualClock(date: Self.time))
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a backup of a database that its owner has open contains all committed changes, in a single file")
    func consistent() throws {
        let storage = try SampleStorage()
        let owner = try storage.owner()
        try owner.write { try $0.execute(sql: "UPDATE meta SET value = value; DELETE FROM token WHERE job = 1") }
        let backup = try run(storage).make(in: storage.directory + "/backups")
        try owner.write { try $0.execute(sql: "DELETE FROM token") }
        let copy = backup.copy(of: .jobs)
        #expect(try SampleStorage.read(Int.self, "SELECT count(*) FROM token", at: copy) == 1)
        #expect(try SampleStorage.read(String.self, "PRAGMA integrity_check", at: copy) == "ok")
        #expect(try SampleStorage.read(String.self, "PRAGMA journal_mode", at: copy) == "delete")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: backup.path).sorted() == [
                "jobs.sqlite", "manifest.json",
            ])
    }

    @Test(
        "only an error that occurs while the copy is written is blamed on the copy",
        arguments: [
            (ResultCode.SQLITE_FULL, true), (.SQLITE_IOERR_WRITE, true), (.SQLITE_IOERR_FSYNC, true),
            (.SQLITE_IOERR_READ, false), (.SQLITE_IOERR_SHMMAP, false), (.SQLITE_CORRUPT, false),
        ])
    func culprit(code: ResultCode, isOfCopy: Bool) {
        #expect(BackupRun.isOfWriting(DatabaseError(resultCode: code)) == isOfCopy)
    }

    @Test("a write between two steps of the copy does not restart the copy")
    func steps() throws {
        let storage = try SampleStorage()
        let owner = try storage.owner()
        try owner.write { db in
            for _ in 0..<200 { try db.execute(sql: "INSERT INTO result(row) VALUES (randomblob(4000))") }
        }
        let target = try DatabaseQueue()
        var remaining: [Int] = []
        try StoredDatabase(path: storage.jobs).open().unsafeRead { source in
            try source.inTransaction(.deferred) {
                let before = try Int.fetchOne(source, sql: "SELECT count(*) FROM result")
                try target.writeWithoutTransaction { target in
                    try source.backup(to: target, pagesPerStep: 16) { progress in
                        remaining.append(progress.remainingPageCount)
                        try owner.write { try $0.execute(sql: "INSERT INTO result(row) VALUES (randomblob(4000))") }
                    }
                }
                #expect(try target.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM result") } == before)
                return .commit
            }
        }
        #expect(remaining.count > 10)
        #expect(remaining == remaining.sorted(by: >))
    }

    @Test("only its owner can read a backup, and its manifest describes it")
    func manifest() throws {
        let storage = try SampleStorage(withCache: true)
        let made = try run(storage, [.jobs, .cache]).make(in: storage.directory + "/backups")
        #expect(try mode(made.path) == 0o700)
        for name in ["jobs.sqlite", "cache.sqlite", "manifest.json"] {
            #expect(try mode("\(made.path)/\(name)") == 0o600)
        }
        let read = try BackupFolder(openingAt: made.path)
        #expect(read.manifest == made.manifest)
        #expect(read.manifest.madeAtText == "2025-11-15T20:00:00.000Z")
        #expect(read.manifest.files.map(\.database) == [.jobs, .cache])
        #expect(read.manifest.files.map(\.schema.version) == [JobSchema.version, CacheSchema.version])
        #expect(Set(BackupCheck(backup: read, depth: .whole).findings().map(\.verdict)) == [.ok])
    }

    @Test("every run makes a backup named after the current time, and creates the backup directory if it is missing")
    func everyDay() throws {
        let storage = try SampleStorage()
        let place = storage.directory + "/var/backups"
        let first = try run(storage).make(in: place)
        #expect(first.path == place + "/bookstrack-20251115T200000.000Z")
        let nextDay = BackupRun(
            storage: storage.directory, databases: [.jobs],
            clock: ManualClock(date: Self.time.addingTimeInterval(86_400)))
        let second = try nextDay.make(in: place + "/")
        #expect(second.path == place + "/bookstrack-20251116T200000.000Z")
        #expect(try BackupFolder(openingAt: first.path).manifest == first.manifest)
        #expect(try mode(place) == 0o700)
    }

    @Test("if the directory of the backups is given instead of a backup, the message names the newest complete one")
    func placeOfBackups() throws {
        let storage = try SampleStorage()
        let place = storage.directory + "/backups"
        let made = try run(storage).make(in: place)
        for name in ["bookstrack-20241115T200000.000Z/manifest.json", "bookstrack-20261115T200000.000Z/jobs.sqlite"] {
            let file = URL(filePath: "\(place)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        #expect(
            throws: CommandFailure(
                .badInput, "\(place) contains backups but is not one itself; the newest one is \(made.path)")
        ) { try BackupFolder(openingAt: place) }
    }

    @Test("a backup is never overwritten, and a file is not used as a backup directory")
    func refusals() throws {
        let storage = try SampleStorage()
        _ = try run(storage).make(in: storage.directory)
        for place in [storage.directory, storage.jobs, "/proc/backups"] {
            let failure = #expect(throws: CommandFailure.self) { try run(storage).make(in: place) }
            #expect(failure?.status == .cannotWrite)
        }
    }

    @Test("an interrupted backup is not treated as a backup")
    func interrupted() throws {
        let storage = try SampleStorage()
        let made = try run(storage).make(in: storage.directory + "/backups")
        try FileManager.default.removeItem(atPath: made.path + "/manifest.json")
        let failure = #expect(throws: CommandFailure.self) { try BackupFolder(openingAt: made.path) }
        #expect(failure?.status == .badInput)
        #expect(failure?.message.contains("is not a complete backup") == true)
    }

    @Test("a file is rejected as a backup, and the message explains that a directory is expected")
    func file() throws {
        let storage = try SampleStorage()
        let failure = #expect(throws: CommandFailure.self) { try BackupFolder(openingAt: storage.jobs) }
        #expect(failure?.status == .badInput)
        #expect(failure?.message.contains("is a file; give the directory of a backup") == true)
    }

    @Test("a backup in a later format is rejected, and the message states which version made it")
    func laterForm() throws {
        let storage = try SampleStorage()
        let made = try run(storage).make(in: storage.directory + "/backups")
        let manifest = #"{"format": 2, "suiteVersion": "9.1.0", "volumes": []}"#
        try Data(manifest.utf8).write(to: URL(filePath: made.path + "/manifest.json"))
        let failure = #expect(throws: CommandFailure.self) { try BackupFolder(openingAt: made.path) }
        #expect(failure?.status == .badInput)
        #expect(failure?.message.contains("made by bookstrack 9.1.0") == true)
    }

    @Test("a backup of a missing or damaged database fails and leaves nothing behind")
    func failures() throws {
        let storage = try SampleStorage()
        let place = storage.directory + "/backups"
        let missing = #expect(throws: CommandFailure.self) { try run(storage, [.jobs, .cache]).make(in: place) }
        #expect(missing?.status == .noInput)
        #expect(missing?.message.contains("cache.sqlite") == true)
        try Data(repeating: 7, count: 8_192).write(to: URL(filePath: storage.jobs))
        let damaged = #expect(throws: CommandFailure.self) { try run(storage).make(in: place) }
        #expect(damaged?.status == .badInput)
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    @Test("a failed backup also removes the parents of the backup directory that it has created, but no others")
    func createdParents() throws {
        let storage = try SampleStorage()
        try Data(repeating: 7, count: 8_192).write(to: URL(filePath: storage.jobs))
        let kept = storage.directory + "/mnt"
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: false)
        #expect(throws: CommandFailure.self) { try run(storage).make(in: kept + "/var/backups/daily") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept) == [])
        let tooLong = String(repeating: "d", count: 300)
        #expect(throws: CommandFailure.self) { try run(storage).make(in: "\(kept)/var/\(tooLong)") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept) == [])
    }

    @Test(
        "if a directory is in place of a database, a backup fails with an error that names it, and leaves nothing behind"
    )
    func directory() throws {
        let storage = try SampleStorage()
        try FileManager.default.createDirectory(atPath: storage.cache, withIntermediateDirectories: false)
        let place = storage.directory + "/backups"
        #expect(throws: CommandFailure(.badInput, "\(storage.cache) is not a database: it is a directory")) {
            try run(storage, [.cache]).make(in: place)
        }
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    @Test("backup, restore and check reject an empty path as a usage error")
    func emptyPath() {
        let verbs: [any ParsableCommand.Type] = [BackupCommand.self, RestoreCommand.self, CheckCommand.self]
        for verb in verbs {
            do {
                _ = try verb.parse([""])
                Issue.record("\(verb) accepts an empty path")
            } catch {
                #expect(verb.exitCode(for: error).rawValue == ExitStatus.usage.rawValue)
            }
        }
    }

    @Test("checking a backup finds a changed byte and a missing file")
    func changed() throws {
        let storage = try SampleStorage()
        let made = try run(storage).make(in: storage.directory + "/backups")
        let handle = try #require(FileHandle(forUpdatingAtPath: made.copy(of: .jobs)))
        try handle.seek(toOffset: 5_000)
        try handle.write(contentsOf: Data([0xFF]))
        try handle.close()
        func verdicts() -> [Finding.Verdict] { BackupCheck(backup: made, depth: .quick).findings().map(\.verdict) }
        #expect(verdicts() == [.ok, .problem])
        try FileManager.default.removeItem(atPath: made.copy(of: .jobs))
        #expect(verdicts() == [.ok, .problem])
    }
}
