import ArgumentParser

/// `bookstrack search title WORDS…`
struct SearchTitleCommand: SearchVerb {
    static let configuration = CommandConfiguration(
        commandName: "title", abstract: "Search for books by title.",
        discussion: "Without --author, the words may include an author's name.")

    @Argument(help: "Words of the title.")
    var words: [String]

    @Option(help: ArgumentHelp("Author of the book.", valueName: "name"))
    var author: String?

    @Option(help: ArgumentHelp("Maximum number of books, from 1 to 20.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Explain for each book what matches the query and what does not.")
    var explain = false

    @OptionGroup var output: SearchOutput
    @OptionGroup var server: ServerOptions

    func validate() throws { try Self.check(limit, in: 1...20) }

    func report(_ run: SearchRun) async throws -> SearchReport {
        var run = run
        run.explains = explain
        return try await run.books([.title(words.joined(separator: " "), author: author)], limit: limit)
    }
}
