import ArgumentParser
import ServiceKit

/// The operators' and developers' command line (spec/01).
struct BookstrackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookstrack",
        abstract: "Searches for books, enriches lists of them, and looks after the BooksTrack services.",
        discussion: """
            The API is looked for at --url, else BOOKSTRACK_URL, else http://127.0.0.1:8787.

            \(ExitStatus.help)
            """,
        version: SuiteVersion.text,
        subcommands: [
            SearchCommand.self, EnrichCommand.self, WatchCommand.self, JobsCommand.self, ResultsCommand.self,
            RetryCommand.self, CancelCommand.self,
            ConfigCommand.self, HealthCommand.self, CacheCommand.self, TailCommand.self, StatusCommand.self,
            DoctorCommand.self, BackupCommand.self, RestoreCommand.self, CheckCommand.self,
        ])
}
