import ArgumentParser
import Foundation
import ServiceKit

/// The operators' and developers' command line.
struct BookstrackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookstrack",
        abstract: "Search for books, enrich lists of them, and operate the BooksTrack services.",
        discussion: "The API address is taken from --url, then BOOKSTRACK_URL, then http://127.0.0.1:8787.",
        version: SuiteVersion.text,
        subcommands: [
            SearchCommand.self, EnrichCommand.self, WatchCommand.self, JobsCommand.self, ResultsCommand.self,
            RetryCommand.self, CancelCommand.self, StatusCommand.self, DoctorCommand.self, TailCommand.self,
            CheckCommand.self, BackupCommand.self, RestoreCommand.self, CacheCommand.self, HealthCommand.self,
            ConfigCommand.self, CompletionsCommand.self, ManualCommand.self,
        ])

    /// Runs the command that the arguments name, shows its help, or says what is wrong with them; does not return.
    static func start(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) async -> Never {
        if let suite = try? CommandDescription.suite() {
            let reading = CommandLineReading(arguments, in: suite)
            if let correction = reading.correction {
                StandardStreams.writeError("bookstrack: \(correction)\n")
                Foundation.exit(ExitStatus.usage.rawValue)
            }
            if reading.asksForHelp {
                let help = HelpText(command: reading.command, style: .standard)
                help.show(isBrief: arguments.isEmpty)
                Foundation.exit(ExitStatus.success.rawValue)
            }
        }
        await main(arguments)
        Foundation.exit(ExitStatus.success.rawValue)
    }
}
