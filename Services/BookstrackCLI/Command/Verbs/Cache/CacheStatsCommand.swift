import ArgumentParser

/// `bookstrack cache stats`
struct CacheStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show the size and use of each cache.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let calls = try CacheCalls(directories: CommandSettings.load().directories)
            let outcomes = await calls.statistics()
            try CacheText.show(outcomes, output)
            StandardStreams.writeError(CacheText.failures(outcomes))
            return outcomes.status
        }
    }
}
