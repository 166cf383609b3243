import ArgumentParser
import ServiceKit

/// `bookstrack doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks for what is wrong with the installation, and says what to do.",
        discussion: """
            Looks at the settings, the directories, the clock, the services, the databases, the limit of open files, the providers and the \
            public port, with the settings that this command sees. Asks each provider once. Exit status: 0 when there is no problem, 1 when \
            there is one.
            """)

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await runVerb {
            let report = FindingReport(findings: await Self.findings())
            StandardStreams.writeOutput(
                json ? try report.json() : report.text(width: StandardStreams.outputColumns ?? 120))
            return report.status
        }
    }

    /// Settings that cannot be used stop every service, and everything else depends on them.
    private static func findings() async -> [Finding] {
        do {
            let settings = try Settings.load(arguments: [])
            let directories = try SuiteDirectories(settings)
            return await Diagnosis(settings: settings, directories: directories).findings()
        } catch {
            return [.problem("settings", CommandFailure(error).message, advice: "correct it; no service starts before")]
        }
    }
}
