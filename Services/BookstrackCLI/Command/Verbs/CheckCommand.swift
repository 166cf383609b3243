import ArgumentParser
import ServiceKit

/// `bookstrack check [BACKUP]`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify the integrity of the databases or a backup.",
        discussion: """
            Changes nothing; services may be running. Checks the structure of the files, their schemas, and the rules between jobs, items, \
            results and events.
            """)

    @Argument(
        help: "Directory of a backup (default: the databases in BOOKSTRACK_DATA_DIR).", completion: .directory)
    var backup: String?

    @Flag(help: "Also compare indexes with their tables, which takes longer.")
    var full = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard backup?.isEmpty != true else { throw ValidationError("The backup directory must not be empty.") }
    }

    func run() async throws {
        try await runVerb {
            let depth = full ? DatabaseInspection.Depth.whole : .quick
            let findings =
                if let backup {
                    BackupCheck(backup: try BackupFolder(openingAt: backup), depth: depth).findings()
                } else {
                    StorageCheck(
                        storage: try CommandSettings.load().directories.storage, depth: depth
                    ).findings()
                }
            let report = FindingReport(findings: findings)
            try report.show(output)
            return report.status
        }
    }
}
