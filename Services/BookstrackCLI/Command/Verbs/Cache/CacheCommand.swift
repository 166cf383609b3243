import ArgumentParser

/// `bookstrack cache stats|purge`
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show or empty the caches of provider responses.",
        discussion: """
            enrichment-worker caches provider responses on disk, api-proxy caches finished responses in memory. Both are asked through \
            their sockets in BOOKSTRACK_RUNTIME_DIR. Hits and misses are counted from the start of each process.
            """,
        subcommands: [CacheStatsCommand.self, CachePurgeCommand.self])
}
