import ArgumentParser

/// `bookstrack cache stats|purge`
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Shows or empties what the services keep of providers' answers.",
        discussion: """
            enrichment-worker keeps what providers answered on disk, api-proxy keeps finished answers in memory. Both are asked \
            through their sockets in BOOKSTRACK_RUNTIME_DIR; the hits and misses count from the start of each process.
            """,
        subcommands: [CacheStatsCommand.self, CachePurgeCommand.self])
}
