import ArgumentParser
import Foundation

/// Which books there are besides the sample catalogue.
struct CatalogueOptions: ParsableArguments {
    @Option(help: "Also know this many made-up books.")
    var synthetic = 0

    @Option(help: "Also know the books of recorded answers: a folder with api_responses and ol_dump in it.")
    var recorded: String?

    @Option(help: "Also know the books of a goodbooks-10k CSV file.")
    var goodbooks: String?

    @Option(help: "Share of the made-up and goodbooks books that each provider knows, 0 to 1.")
    var knownFraction = 1.0

    func validate() throws {
        guard (0...SyntheticCatalogue.maximumCount).contains(synthetic) else {
            throw ValidationError("--synthetic is 0 to \(SyntheticCatalogue.maximumCount).")
        }
        guard (0...1).contains(knownFraction) else { throw ValidationError("--known-fraction is 0 to 1.") }
    }

    /// - Parameter note: Told what was read and what had to be left out.
    /// - Throws: The error of a file that cannot be read.
    func stock(note: (String) -> Void) throws -> Stock {
        var stock = Stock()
        for book in SampleCatalogue.books { stock.add(book) }
        for index in 0..<synthetic {
            if let book = SyntheticCatalogue.book(index, knownFraction: knownFraction) { stock.add(book) }
        }
        return stock
    }
}
