import ArgumentParser
import ServiceKit

/// `bookstrack doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose problems and suggest fixes.",
        discussion: """
            Examines the settings, the directories, the clock, the services, the databases, the open-file limit, the providers and the \
            public port. Uses the settings of the running services, otherwise the installed ones, otherwise those of this command's environment. \
            Contacts each provider once. For a systemd service that is not running, shows how it ended and its last log lines.
            """)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let report = FindingReport(findings: await Self.findings())
            try report.show(output)
            return report.status
        }
    }

    /// All findings; if the settings cannot be read, only that one, because everything else depends on them.
    private static func findings() async -> [Finding] {
        do {
            return await Diagnosis(command: try CommandSettings.load()).findings()
        } catch {
            return [
                .problem(
                    "settings", CommandFailure(error).message,
                    advice: "fix this first; no service will start until you do")
            ]
        }
    }
}

/// `bookstrack check [BACKUP]`
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify the integrity of the databases or a backup.",
        discussion: """
            Changes nothing; services may be running. Checks the structure of the files, their schemas, and the consistency of jobs, items, \
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
