import ArgumentParser

/// `bookstrack search isbn|title|author|editions`
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Searches for books.",
        discussion: """
            A single book is shown on a sheet with everything that is known of it, several in a table. Remarks, such as an answer that \
            has expired or a provider that failed, go to standard error. Exit status 1 says that nothing was found.
            """,
        subcommands: [
            SearchISBNCommand.self, SearchTitleCommand.self, SearchAuthorCommand.self, SearchEditionsCommand.self,
        ])
}
