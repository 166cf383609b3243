import ArgumentParser
import ServiceKit

/// `bookstrack check [BACKUP]`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Looks whether the databases, or a backup, are whole.",
        discussion: """
            Changes nothing and may run beside the services. Looks at the files' structure, at their schemas, and at what must hold between \
            jobs, items, results and events. Exit status: 0 when there is no problem, 1 when there is one.
            """)

    @Argument(help: "A backup; without it, the databases in BOOKSTRACK_DATA_DIR.")
    var backup: String?

    @Flag(help: "Compare indexes with their tables, too, which takes longer.")
    var full = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard backup?.isEmpty != true else { throw ValidationError("Name the backup's directory; it is empty.") }
    }

    func run() async throws {
        try await runVerb {
            let depth = full ? DatabaseInspection.Depth.whole : .quick
            let findings =
                if let backup {
                    BackupCheck(backup: try BackupFolder(openingAt: backup), depth: depth).findings()
                } else {
                    StorageCheck(
                        storage: try SuiteDirectories(Settings.load(arguments: [])).storage, depth: depth
                    ).findings()
                }
            let report = FindingReport(findings: findings)
            StandardStreams.writeOutput(
                json ? try report.json() : report.text(width: StandardStreams.outputColumns ?? 120))
            return report.status
        }
    }
}
