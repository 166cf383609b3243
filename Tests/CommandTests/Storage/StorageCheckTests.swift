import Foundation
import GRDB
import ServiceKit
import SuiteStorage
import Testing

@testable import BookstrackCLI

@Suite("bookstrack check")
struct StorageCheckTests {
    private func report(_ storage: SampleStorage) -> FindingReport {
        FindingReport(findings: StorageCheck(storage: storage.directory, depth: .whole).findings())
    }

    @Test("intact databases are reported as intact while their owner is running and after it has stopped")
    func whole() throws {
        let storage = try SampleStorage(withCache: true)
        #expect(report(storage).status == .success)
        let owner = try storage.owner()
        try owner.write { try $0.execute(sql: "DELETE FROM token WHERE job = 1") }
        let report = report(storage)
        #expect(report.status == .success)
        #expect(
            report.text(OutputStyle(width: 100, colors: false)).hasSuffix(
                "\(report.findings.count) ok, 0 warnings, 0 problems\n"))
    }

    @Test(
        "violated constraints between rows are reported",
        arguments: [
            ("UPDATE job SET ended_at = NULL WHERE number = 1", "a job has an end and an expiry"),
            ("DELETE FROM item WHERE id = 2 * 1048576 + 39", "a job has all of its items"),
            ("UPDATE item SET state = 0 WHERE id = 1048577", "every item of an ended job has an outcome"),
            ("DELETE FROM result WHERE id = 1048577", "every item that succeeded has a result"),
            ("INSERT INTO result(id, row) VALUES (7, '{}')", "every result belongs to exactly one item"),
            ("INSERT INTO item(id) VALUES (9 * 1048576)", "every item belongs to a job"),
            ("UPDATE event SET seq = 7 WHERE job = 1 AND seq = 3", "are numbered without gaps"),
            (
                "UPDATE event SET kind = 'progress' WHERE job = 1 AND seq = 3",
                "the last event of a job is terminal"
            ),
            (
                "INSERT INTO event(job, seq, at, kind, frame) VALUES (9, 1, 1, 'started', '')",
                "every event belongs to a job"
            ),
            ("INSERT INTO token(job, hash, expires_at) VALUES (9, 'h', 1)", "every token belongs to a job"),
            ("INSERT INTO removed_job(number) VALUES (1)", "a job that is being removed no longer exists"),
        ])
    func broken(sql: String, statement: String) throws {
        let storage = try SampleStorage()
        try storage.owner().write { try $0.execute(sql: sql) }
        let report = report(storage)
        #expect(report.status == .incomplete)
        #expect(
            report.findings.contains {
                $0.verdict == .problem && $0.statement.hasPrefix("violated: ") && $0.statement.contains(statement)
            })
    }

    @Test("many violations are counted, and a few are listed")
    func many() throws {
        let storage = try SampleStorage()
        try storage.owner().write { db in
            for job in 10...20 {
                try db.execute(sql: "INSERT INTO token(job, hash, expires_at) VALUES (\(job), 'h', 1)")
            }
        }
        let violation = report(storage).findings.first { $0.verdict == .problem }
        #expect(violation?.statement.hasSuffix("(token 3, token 4, token 5 and 8 more)") == true)
    }

    @Test("a database from a later version is a problem only if this program cannot read it", arguments: [2, 90])
    func later(minReader: Int) throws {
        let storage = try SampleStorage()
        try storage.owner().write { db in
            try db.execute(
                sql: "PRAGMA user_version = 90; UPDATE meta SET value = \(minReader) WHERE key = 'min_reader'")
        }
        #expect((report(storage).status == .success) == (minReader <= JobSchema.version))
    }

    @Test("a damaged database and a database of another application are reported as problems")
    func damaged() throws {
        let storage = try SampleStorage(withCache: true)
        try Data("this is not a database".utf8).write(to: URL(filePath: storage.jobs))
        let stranger = try DatabaseQueue(path: storage.directory + "/other.sqlite")
        try stranger.write { try $0.execute(sql: "CREATE TABLE t(x)") }
        try stranger.close()
        try FileManager.default.removeItem(atPath: storage.cache)
        try FileManager.default.moveItem(atPath: storage.directory + "/other.sqlite", toPath: storage.cache)
        let problems = report(storage).findings.filter { $0.verdict == .problem }
        #expect(problems.map(\.subject) == ["jobs.sqlite", "cache.sqlite"])
        #expect(problems[1].advice?.contains("remove the file") == true)
    }

    @Test("damage that makes the schema unreadable is reported as a problem, with the advice to restore a backup")
    func unreadableSchema() throws {
        let storage = try SampleStorage()
        let file = try #require(FileHandle(forUpdatingAtPath: storage.jobs))
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 30 * 4096))
        try file.close()
        let problem = report(storage).findings.first { $0.verdict == .problem }
        #expect(problem?.statement.contains("is damaged: ") == true)
        #expect(problem?.advice?.contains("bookstrack restore") == true)
    }

    @Test("a directory in place of a database is reported as a directory")
    func directory() throws {
        let storage = try SampleStorage()
        try FileManager.default.createDirectory(atPath: storage.cache, withIntermediateDirectories: false)
        let report = report(storage)
        #expect(report.status == .incomplete)
        #expect(
            report.text(OutputStyle(width: 400, colors: false)).contains(
                "\(storage.cache) is not a database: it is a directory"))
    }

    @Test("a missing data directory is a problem, and one without databases is a warning")
    func missing() throws {
        let storage = try SampleStorage()
        let nowhere = StorageCheck(storage: storage.directory + "/nowhere", depth: .quick)
        #expect(nowhere.findings().map(\.verdict) == [.problem])
        try FileManager.default.removeItem(atPath: storage.jobs)
        #expect(report(storage).findings.map(\.verdict) == [.warning, .ok])
    }
}
