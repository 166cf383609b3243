import ArgumentParser
import ServiceKit
import SuiteStorage

/// `bookstrack backup PATH`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the databases while the services run, or while they do not.",
        discussion: """
            Reads BOOKSTRACK_DATA_DIR, and makes a directory that only this account can read, with a copy of jobs.sqlite as it is at one \
            moment and a manifest. The copy is checked before the manifest is written. Covers are not kept: they are fetched again.
            """)

    @Argument(help: "The backup's directory; below it, named after the time, when there is a directory.")
    var path: String

    @Flag(help: "Keep the cache of providers' answers, too.")
    var withCache = false

    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("Name the backup's directory; it is empty.") }
    }

    func run() async throws {
        try await runVerb {
            let directories = try SuiteDirectories(Settings.load(arguments: []))
            let run = BackupRun(storage: directories.storage, databases: withCache ? SuiteDatabase.allCases : [.jobs])
            let backup = try run.make(at: path)
            let files = backup.manifest.files.map { "\($0.database.fileName) \(ByteCount.text($0.bytes))" }
            StandardStreams.writeOutput("\(backup.path)\n")
            StandardStreams.writeError("Backed up \(files.joined(separator: ", ")).\n")
            return .success
        }
    }
}
