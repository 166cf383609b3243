import ArgumentParser
import ServiceKit
import SuiteMethods
import SuiteStorage

/// `bookstrack restore BACKUP`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts a backup in the place of the databases; the services must be stopped.",
        discussion: """
            The backup is checked first. The files that are there are kept in a directory replaced-TIME of BOOKSTRACK_DATA_DIR. Jobs that \
            were open in the backup go on from there; clients that saw more are told so when they connect.
            """)

    @Argument(help: "The backup's directory.")
    var backup: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    func validate() throws {
        guard !backup.isEmpty else { throw ValidationError("Name the backup's directory; it is empty.") }
    }

    func run() async throws {
        try await runVerb {
            let settings = try Settings.load(arguments: [])
            let directories = try SuiteDirectories(settings)
            let folder = try BackupFolder(openingAt: backup)
            try Self.checkWorkers(directories)
            let question =
                "Replace the databases in \(directories.storage) by those of \(folder.manifest.madeAtText)?"
            guard try yes || Confirmation().confirms(question) else {
                StandardStreams.writeError("Nothing was changed.\n")
                return .incomplete
            }
            let outcome = try RestoreRun(
                backup: folder, storage: directories.storage, progressInterval: settings[.progressInterval]
            ).restore()
            StandardStreams.writeOutput(Self.text(outcome, of: folder, in: directories.storage))
            return .success
        }
    }

    /// A worker that runs on holds items as they were: what it has delivered already, the restored database would miss until its leases end.
    /// progress-host itself is kept out by its lock.
    private static func checkWorkers(_ directories: SuiteDirectories) throws {
        for worker in directories.workers {
            let path = directories.socket(of: worker)
            guard UnixSocketProbe.look(at: path) == .listening else { continue }
            throw CommandFailure(
                .tryLater, "\(worker.name) runs (\(path)); stop the services, restore, and start them again")
        }
    }

    static func text(_ outcome: RestoreRun.Outcome, of backup: BackupFolder, in storage: String) -> String {
        let names = outcome.restored.map(\.fileName).joined(separator: " and ")
        let kept = outcome.setAside.map { "What was there is in \($0); remove it when nobody misses it.\n" } ?? ""
        return
            "Restored \(names) in \(storage) as of \(backup.manifest.madeAtText).\n\(kept)Start the services again.\n"
    }
}
