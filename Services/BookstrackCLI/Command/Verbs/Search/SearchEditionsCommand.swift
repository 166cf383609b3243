import ArgumentParser

/// `bookstrack search editions TITLE…`
struct SearchEditionsCommand: SearchVerb {
    static let configuration = CommandConfiguration(
        commandName: "editions", abstract: "List the editions of a work, the most complete first.")

    @Argument(help: "Title of the work.")
    var title: [String]

    @Option(help: ArgumentHelp("Author of the work.", valueName: "name"))
    var author: String

    @Option(help: ArgumentHelp("Maximum number of editions, from 1 to 50.", valueName: "count"))
    var limit: Int?

    @OptionGroup var output: SearchOutput
    @OptionGroup var server: ServerOptions

    func validate() throws { try Self.check(limit, in: 1...50) }

    func report(_ run: SearchRun) async throws -> SearchReport {
        try await run.editions(.editions(title: title.joined(separator: " "), author: author), limit: limit)
    }
}
