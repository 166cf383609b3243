import ArgumentParser

/// `bookstrack doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose problems and suggest fixes.",
        discussion: """
            Examines the settings, the directories, the clock, the services, the databases, the limit of open files, the providers and the \
            public port. Uses the settings of the running services, else the installed ones. Contacts each provider once. For a systemd \
            service that is not running, shows how it ended and its last log lines.
            """)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let report = FindingReport(findings: await Self.findings())
            try report.show(output)
            return report.status
        }
    }

    /// Settings that cannot be used stop every service, and everything else depends on them.
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
