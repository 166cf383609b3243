import BookstrackClient
import Foundation

/// Searches a book, looks a list of ISBNs up and, if there is one, imports a library file.
///
///     swift run Shelf http://localhost:8787 library.csv
@main
struct Shelf {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let address = arguments.first, let url = URL(string: address) else {
            print("usage: Shelf URL [LIBRARY-FILE]")
            exit(2)
        }
        let client = BookstrackClient(baseURL: url)
        let found = try await client.search(isbn: "9780441172719")
        for book in DTOMapper.records(found) { print("found:", book.title, "by", book.authors.joined(separator: ", ")) }

        let job = try await client.startEnrichment(isbns: ["9780441172719", "9780141439587", "9780000000002"])
        let events = client.events(of: job.jobId) { status in
            if case .connected(let transport) = status { print("followed by:", transport) }
        }
        for try await event in events { print("event:", event.seq, Int((event.progress ?? 0) * 100), "%") }
        for row in try await client.results(of: job.jobId).enrichedBooks {
            print("result:", DTOMapper.record(row)?.title ?? row.error ?? "no result")
        }

        guard let path = arguments.dropFirst().first else { return }
        let file = try LibraryFile(contentsOf: URL(fileURLWithPath: path))
        let library = try await CSVImportService(client: client).importFile(file)
        for book in library.books { print("imported:", book.title) }
    }
}
