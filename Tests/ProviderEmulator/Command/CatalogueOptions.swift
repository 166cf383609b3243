import ArgumentParser
import Foundation

/// Which books there are besides the sample catalogue.
struct CatalogueOptions: ParsableArguments {
    @Option(help: "Also know this many made-up books.")
    var synthetic = 0

    @Option(
        help:
            "Also know the books of recorded answers: a folder with api_responses, ol_dump and wikidata_authors in it.")
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

    var sources: CatalogueSources {
        CatalogueSources(
            synthetic: synthetic, recorded: recorded.map { URL(filePath: $0) },
            goodbooks: goodbooks.map { URL(filePath: $0) }, knownFraction: knownFraction)
    }
}
