import ArgumentParser
import Foundation
import ServiceKit

/// The command line `bookstrack`, for programs that contain it.
package enum CommandLineProgram {
    /// Runs the command from the process's arguments; does not return.
    package static func main() async -> Never { await BookstrackCommand.start() }
}

/// The root command. The help lists the subcommands in the order given here.
struct BookstrackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookstrack",
        abstract: "Search for books, import libraries, and operate the BooksTrack services.",
        discussion: """
            The API address is taken from --url, then BOOKSTRACK_URL, then, for a job that was started from this account, the address at which \
            it was started, then http://127.0.0.1:8787.
            """,
        version: SuiteVersion.text,
        subcommands: [
            SearchCommand.self, ImportCommand.self, EnrichCommand.self, ScanCommand.self, WatchCommand.self,
            JobsCommand.self, ResultsCommand.self, RetryCommand.self, CancelCommand.self, StatusCommand.self,
            DoctorCommand.self, AnalyticsCommand.self,
            TailCommand.self,
            CheckCommand.self, BackupCommand.self, RestoreCommand.self, CacheCommand.self, HealthCommand.self,
            ConfigCommand.self, CompletionsCommand.self, ManualCommand.self,
        ])

    /// Runs the command in the arguments, shows its help, or reports errors in the arguments; does not return.
    static func start(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) async -> Never {
        let reading = (try? CommandDescription.suite()).map { CommandLineReading(arguments, in: $0) }
        if let correction = reading?.correction { refuse(correction) }
        if let reading, reading.asksForHelp {
            HelpText(command: reading.command, style: .standard).show(isBrief: arguments.isEmpty)
            Foundation.exit(ExitStatus.success.rawValue)
        }
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let status as ArgumentParser.ExitCode {
            // The command has reported the error.
            Foundation.exit(status.rawValue)
        } catch {
            if let reading, exitCode(for: error) == .validationFailure {
                refuse(reading.refusal(fullMessage(for: error)))
            }
            exit(withError: error)
        }
        Foundation.exit(ExitStatus.success.rawValue)
    }

    /// Reports an error in the arguments and exits.
    private static func refuse(_ message: String) -> Never {
        StandardStreams.writeMessage("bookstrack: \(message)")
        Foundation.exit(ExitStatus.usage.rawValue)
    }
}
