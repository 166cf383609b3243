import ArgumentParser
import ServiceKit
import SuiteStorage

/// `bookstrack backup PATH`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the databases (services may be running).",
        discussion: """
            Creates the directory bookstrack-TIME in PATH, which is created if missing. The backup contains a copy of \
            jobs.sqlite from BOOKSTRACK_DATA_DIR as of one point in time, and a manifest that is written after the \
            copy has been checked. Only this account can read the backup. Covers are not included; they will be \
            fetched again.
            """)

    @Argument(help: "Directory to create the backup in.", completion: .directory)
    var path: String

    @Flag(help: "Include the cache of provider responses (cache.sqlite).")
    var withCache = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("The backup directory must not be empty.") }
    }

    func run() async throws {
        try await runVerb {
            let directories = try CommandSettings.load().directories
            let run = BackupRun(storage: directories.storage, databases: withCache ? SuiteDatabase.allCases : [.jobs])
            let backup = try run.make(in: path)
            let files = backup.manifest.files.map { "\($0.database.fileName) \(ByteCount.text($0.bytes))" }
            let table = TextTable(
                columns: [.init("Path"), .init("Database"), .init("Bytes", .figure), .init("SHA-256", key: "sha256")],
                rows: backup.manifest.files.map { [backup.path, $0.database.rawValue, "\($0.bytes)", $0.sha256] })
            try output.show(csv: table, document: Document(path: backup.path, manifest: backup.manifest)) { _ in
                backup.path + "\n"
            }
            StandardStreams.writeError("Backed up \(files.joined(separator: ", ")).\n")
            return .success
        }
    }

    private struct Document: Encodable {
        var path: String
        var manifest: BackupManifest
    }
}
