import ArgumentParser

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

    private static let question = "Every book will be looked up at the providers again. Empty the caches?"
}
