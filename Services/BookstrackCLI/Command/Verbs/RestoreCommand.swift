import ArgumentParser
import ServiceKit
import SuiteMethods
import SuiteStorage

/// `bookstrack restore BACKUP`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the databases from a backup (services must be stopped).",
        discussion: """
            Checks the backup before replacing anything, and waits for services that are still stopping. The previous files are kept in the \
            directory replaced-TIME in BOOKSTRACK_DATA_DIR. Jobs that were open at the time of the backup continue from there; clients that saw \
            later updates are notified that these cannot be recovered.
            """)

    @Argument(help: "Directory of the backup.", completion: .directory)
    var backup: String

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @Option(help: ArgumentHelp("How long to wait for services that are stopping.", valueName: "seconds"))
    var wait = 15

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !backup.isEmpty else { throw ValidationError("The backup directory must not be empty.") }
        guard (0...3_600).contains(wait) else { throw ValidationError("--wait must be from 0 to 3600.") }
    }

    func run() async throws {
        try await runVerb {
            let command = try CommandSettings.load()
            let directories = command.directories
            // The services are stopped, so the settings with which they would start apply.
            let settings = (try? command.installed?.get()) ?? command.own
            let folder = try BackupFolder(openingAt: backup)
            let stopWait = StopWait(limit: .seconds(wait), note: StandardStreams.writeMessage)
            try await stopWait.wait { try Self.checkWorkers(directories) }
            let question =
                "Replace the databases in \(directories.storage) with the backup of \(folder.manifest.madeAtText)?"
            guard try yes || Confirmation().confirms(question) else {
                StandardStreams.writeError("Nothing was changed.\n")
                return .incomplete
            }
            let outcome = try await RestoreRun(
                backup: folder, storage: directories.storage, progressInterval: settings[.progressInterval],
                stopWait: stopWait
            ).restore()
            let table = TextTable(
                columns: [.init("Database"), .init("Made at"), .init("Set aside", .prose)],
                rows: outcome.restored.map { [$0.rawValue, folder.manifest.madeAtText, outcome.setAside ?? ""] })
            let document = Document(
                restored: outcome.restored, madeAt: folder.manifest.madeAtText, setAside: outcome.setAside)
            try output.show(csv: table, document: document) { _ in
                Self.text(outcome, of: folder, in: directories.storage)
            }
            return .success
        }
    }

    /// Checks that no worker is running: results that a running worker has already delivered would be missing from the restored database
    /// until the items' leases expire. progress-host itself is excluded by its lock.
    private static func checkWorkers(_ directories: SuiteDirectories) throws {
        for worker in directories.workers {
            let path = directories.socket(of: worker)
            guard UnixSocketProbe.look(at: path) == .listening else { continue }
            throw CommandFailure(
                .tryLater, "\(worker.name) is running (\(path)); stop the services, restore, and start them again")
        }
    }

    static func text(_ outcome: RestoreRun.Outcome, of backup: BackupFolder, in storage: String) -> String {
        let names = outcome.restored.map(\.fileName).joined(separator: " and ")
        let kept =
            outcome.setAside.map { "The previous files are in \($0); delete them once you no longer need them.\n" }
            ?? ""
        return
            "Restored \(names) in \(storage) as of \(backup.manifest.madeAtText).\n\(kept)Start the services again.\n"
    }

    private struct Document: Encodable {
        var restored: [SuiteDatabase]
        var madeAt: String
        var setAside: String?
    }
}
