import ArgumentParser

/// `bookstrack search title WORDS…`
struct SearchTitleCommand: SearchVerb {
    static let configuration = CommandConfiguration(
        commandName: "title", abstract: "Searches for books by their title.",
        discussion: "Without --author, the words may hold an author's name too.")

    @Argument(help: "Words of the title.")
    var words: [String]

    @Option(help: "The author.")
    var author: String?

    @Option(help: "Most books, from 1 to 20.")
    var limit: Int?

    @Flag(help: "Say of each book what agrees with the words asked for and what does not.")
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
