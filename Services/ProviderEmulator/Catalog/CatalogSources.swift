import BookIdentifiers
import Foundation

/// Sources of books in addition to the sample catalog.
struct CatalogSources: Sendable {
    /// Number of synthetic books (``SyntheticCatalog``).
    var synthetic = 0
    /// A folder that contains `api_responses` and `ol_dump`, and optionally `wikidata_authors`.
    var recorded: URL?
    /// A goodbooks-10k CSV file.
    var goodbooks: URL?
    /// Share of the synthetic and goodbooks books that each provider knows.
    var knownFraction = 1.0

    /// - Parameter note: Receives messages about the data that was read or skipped.
    /// - Throws: An error if a file or folder cannot be read, or if a table of people is not valid JSON.
    func stock(note: (String) -> Void = { _ in }) throws -> Stock {
        var stock = Stock()
        if let recorded { stock.add(try Self.documents(in: recorded, note: note)) }
        if let recorded { try Self.addPeople(of: recorded.appending(path: "wikidata_authors"), to: &stock, note: note) }
        for book in SampleCatalog.books { stock.add(book) }
        if let goodbooks {
            let catalog = try GoodbooksCatalog(file: goodbooks, knownFraction: knownFraction)
            note("\(goodbooks.path): \(catalog.books.count) books, \(catalog.refused) unusable rows")
            for book in catalog.books { stock.add(book) }
        }
        for index in 0..<synthetic {
            if let book = SyntheticCatalog.book(index, knownFraction: knownFraction) { stock.add(book) }
        }
        return stock
    }

    private static func addPeople(of folder: URL, to stock: inout Stock, note: (String) -> Void) throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return note("\(folder.path) is absent") }
        let tables = try PeopleTables(folder: folder)
        var recorded = RecordedEntities()
        for file in try RecordedFile.all(in: folder) {
            for value in try file.contents().values { recorded.collect(value) }
        }
        stock.add(people: tables.people)
        stock.add(entities: recorded.entities, searchResults: recorded.searchResults)
        note("\(folder.path): \(tables.people.count) people, \(recorded.entities.count) items")
    }

    private static func documents(in folder: URL, note: (String) -> Void) throws -> RecordedDocuments {
        var documents = RecordedDocuments()
        for part in ["api_responses", "ol_dump"] {
            for file in try RecordedFile.all(in: folder.appending(path: part)) {
                let contents = try file.contents()
                if contents.broken > 0 {
                    note("\(file.url.path): documents that are not valid JSON: \(contents.broken)")
                }
                for value in contents.values { documents.collect(value) }
            }
        }
        note(
            "\(folder.path): \(documents.editions.count + documents.data.count) editions, "
                + "\(documents.works.count) works, \(documents.searchDocuments.count) search documents, "
                + "\(documents.volumes.count) volumes")
        return documents
    }
}

/// The share of a large catalog that each provider knows. The selection is the same in every run, but differs between the providers, so
/// each one fills the others' gaps.
struct KnownFraction: Sendable {
    let fraction: Double

    init(_ fraction: Double) {
        self.fraction = fraction
    }

    func providers(knowing isbn: ISBN) -> Set<Provider> {
        Set(
            Provider.catalogs.filter {
                Double(StableHash.of("\($0.rawValue) \(isbn.isbn13)") % 10_000) < fraction * 10_000
            })
    }
}
