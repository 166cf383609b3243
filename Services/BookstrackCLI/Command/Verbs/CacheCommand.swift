import ArgumentParser

/// `bookstrack cache stats|purge`
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show or empty the caches of provider responses.",
        discussion: """
            enrichment-worker caches provider responses on disk; api-proxy caches finished responses in memory. Both are queried through \
            their sockets in BOOKSTRACK_RUNTIME_DIR. Hits and misses are counted from the start of each process.
            """,
        subcommands: [CacheStatsCommand.self, CachePurgeCommand.self])
}

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

/// `bookstrack cache purge`
struct CachePurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Empty the caches.",
        discussion: "Jobs and their results are not affected.")

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let calls = try CacheCalls(directories: CommandSettings.load().directories)
            guard try yes || Confirmation().confirms(Self.question) else {
                StandardStreams.writeError("Nothing was removed.\n")
                return .incomplete
            }
            let outcomes = await calls.purge()
            try CacheText.show(outcomes, output)
            StandardStreams.writeError(CacheText.failures(outcomes))
            return outcomes.status
        }
    }

    private static let question = "Every book will have to be looked up again. Empty the caches?"
}
