import ArgumentParser
import BookIdentifiers

/// Prints what can be asked for.
struct ISBNListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "isbns",
        abstract: "Print ISBNs, one per line: those of the sample, or with --synthetic N the N made-up ones.")

    @Option(help: "Print this many made-up ISBNs instead of the sample's.")
    var synthetic: Int?

    func run() throws {
        let isbns =
            if let synthetic {
                (0..<min(max(synthetic, 0), SyntheticCatalogue.maximumCount)).compactMap(SyntheticCatalogue.isbn)
            } else {
                SampleCatalogue.books.map(\.isbn)
            }
        for isbn in isbns { print(isbn.isbn13) }
    }
}
