import Foundation
import GRDB
import SuiteStorage
import Testing

@testable import BookstrackCLI

@Suite(
    "Locking a database",
    .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0, "needs the sqlite3 program as another process"))
struct DatabaseLockTests {
    /// Locks held by one process do not exclude each other (fcntl(2)), so the other side is a separate process.
    @Test(
        "locking fails while another process has the database open in WAL mode, and succeeds after that process has ended"
    )
    func excludes() throws {
        let storage = try SampleStorage()
        let other = Process()
        let (input, output) = (Pipe(), Pipe())
        other.executableURL = URL(filePath: "/usr/bin/sqlite3")
        other.arguments = [storage.jobs]
        (other.standardInput, other.standardOutput) = (input, output)
        try other.run()
        defer { other.waitUntilExit() }
        input.fileHandleForWriting.write(Data("SELECT count(*) FROM job;\n".utf8))
        #expect(output.fileHandleForReading.availableData == Data("2\n".utf8))
        #expect(throws: DatabaseLock.Refusal.isOpenElsewhere(path: storage.jobs)) {
            try DatabaseLock(path: storage.jobs)
        }
        input.fileHandleForWriting.closeFile()
        other.waitUntilExit()
        _ = try DatabaseLock(path: storage.jobs)
    }
}
