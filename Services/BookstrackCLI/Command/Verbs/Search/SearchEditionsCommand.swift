import ArgumentParser

/// `bookstrack search editions TITLE…`
struct SearchEditionsCommand: SearchVerb {
    static let configuration = CommandConfiguration(
        commandName: "editions", abstract: "Lists the editions of a work, the most complete first.")

    @Argument(help: "The work's title.")
    var title: [String]

    @Option(help: "The work's author.")
    var author: String

    @Option(help: "Most editions, from 1 to 50.")
    var limit: Int?

    @OptionGroup var output: SearchOutput
    @OptionGroup var server: ServerOptions

    func validate() throws { try Self.check(limit, in: 1...50) }

    func report(_ run: SearchRun) async throws -> SearchReport {
        try await run.editions(.editions(title: title.joined(separator: " "), author: author), limit: limit)
    }
}
