import ArgumentParser

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
