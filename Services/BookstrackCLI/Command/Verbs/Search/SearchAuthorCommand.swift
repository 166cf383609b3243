import ArgumentParser

/// `bookstrack search author NAME…`
struct SearchAuthorCommand: SearchVerb {
    static let configuration = CommandConfiguration(
        commandName: "author", abstract: "List books by an author.")

    @Argument(help: "The author's name.")
    var name: [String]

    @Option(help: ArgumentHelp("Maximum number of books, from 1 to 20.", valueName: "count"))
    var limit: Int?

    @OptionGroup var output: SearchOutput
    @OptionGroup var server: ServerOptions

    func validate() throws { try Self.check(limit, in: 1...20) }

    func report(_ run: SearchRun) async throws -> SearchReport {
        try await run.books([.author(name.joined(separator: " "))], limit: limit)
    }
}
