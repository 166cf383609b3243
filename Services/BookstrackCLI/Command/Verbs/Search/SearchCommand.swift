import ArgumentParser

/// `bookstrack search isbn|title|author|editions`
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search for books by ISBN, title or author.",
        discussion: """
            A single result is shown in full detail, several as a table. Notes, such as an expired answer or a failed provider, go to \
            standard error.
            """,
        subcommands: [
            SearchISBNCommand.self, SearchTitleCommand.self, SearchAuthorCommand.self, SearchEditionsCommand.self,
        ])
}
