import ArgumentParser
import ProgressClient

/// `bookstrack enrich FILE|ISBN…`
struct EnrichCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrich",
        abstract: "Looks up the metadata of books.",
        discussion: """
            A FILE is a list of ISBNs, one per line, with comments after #; or CSV with the columns title, author and isbn, \
            with or without a header. - is standard input. Progress goes to standard error, the books to standard output.
            """)

    @Argument(help: ArgumentHelp("Files and ISBNs.", valueName: "file|isbn"))
    var books: [String]

    @OptionGroup var options: APIOptions

    @Option(help: "Books per job; the documented servers take 100.")
    var batchSize = 100

    @Flag(help: "Print frames and results as JSON, one object per line.")
    var json = false

    @Option(help: "How the books are printed: table, json or csv.")
    var format = ResultsFormat.table

    func validate() throws {
        guard !books.isEmpty else { throw ValidationError("Name a file or an ISBN.") }
        guard (1...10_000).contains(batchSize) else { throw ValidationError("--batch-size is from 1 to 10000.") }
        guard !json || format == .table else { throw ValidationError("--json prints JSON; leave --format out.") }
    }

    func run() async throws {
        try await runVerb {
            let queries = try BookList.read(arguments: books)
            guard !queries.isEmpty else { throw CommandFailure(.badInput, "there is no book in the list") }
            let client = HTTPClient(address: try options.address())
            let enrich = EnrichRun(
                api: APIClient(client), output: .standard(json: json), tokens: .standard)
            let outcome = await enrich.run(queries, batchSize: batchSize)
            await client.shutdown()
            if outcome.failure == nil || !outcome.results.isEmpty { try show(outcome) }
            if let failure = outcome.failure { throw failure }
            return outcome.count.notFound == 0 ? .success : .incomplete
        }
    }

    private func show(_ outcome: EnrichRun.Outcome) throws {
        switch json ? .json : format {
        case .json:
            for results in outcome.results {
                StandardStreams.writeOutput(try ResultsText.json(results, pretty: !json))
            }
        case .csv: StandardStreams.writeOutput(ResultsText.csv(outcome.books))
        case .table:
            StandardStreams.writeOutput(
                ResultsText.table(outcome.books, width: StandardStreams.outputColumns ?? 120))
        }
    }
}
