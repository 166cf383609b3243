import ArgumentParser
import BookstrackClient

/// `bookstrack search isbn|title|author|editions`
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search for books by ISBN, title or author.",
        discussion: """
            A single result is shown in full detail, several as a table. Notes, for example that a result has expired or that a provider \
            failed, go to standard error.
            """,
        subcommands: [
            SearchISBNCommand.self, SearchTitleCommand.self, SearchAuthorCommand.self, SearchEditionsCommand.self,
        ])
}

/// `bookstrack search title WORDS…`
struct SearchTitleCommand: SearchVerb {
    static let configuration = CommandConfiguration(
        commandName: "title", abstract: "Search for books by title.",
        discussion: "Without --author, the words may include an author's name.")

    @Argument(help: "Words from the title.")
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

/// `bookstrack search isbn ISBN…`
struct SearchISBNCommand: SearchVerb {
    static let configuration = CommandConfiguration(
        commandName: "isbn", abstract: "Look up books by ISBN.",
        discussion: "For long lists, bookstrack enrich is faster and repairs damaged ISBNs.")

    @Argument(help: ArgumentHelp("ISBN-10 or ISBN-13, with or without hyphens.", valueName: "isbn"))
    var isbns: [String]

    @OptionGroup var output: SearchOutput
    @OptionGroup var server: ServerOptions

    func report(_ run: SearchRun) async throws -> SearchReport {
        try await run.books(isbns.map(SearchRequest.isbn))
    }
}

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

/// The common part of the commands of `bookstrack search`.
protocol SearchVerb: AsyncParsableCommand {
    var server: ServerOptions { get }
    var output: SearchOutput { get }

    /// Carries out the searches.
    func report(_ run: SearchRun) async throws -> SearchReport
}

extension SearchVerb {
    func run() async throws {
        try await runVerb {
            let client = try server.client(.standard(json: false))
            let report = try await report(SearchRun(calls: SearchCalls(client: client), form: output.form))
            report.write(output.output)
            return report.status
        }
    }

    /// Throws `ValidationError` if the limit is out of range.
    static func check(_ limit: Int?, in range: ClosedRange<Int>) throws {
        guard limit.map(range.contains) ?? true else {
            throw ValidationError("--limit must be from \(range.lowerBound) to \(range.upperBound).")
        }
    }
}
