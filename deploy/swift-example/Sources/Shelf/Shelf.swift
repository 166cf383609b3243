import BookstrackClient
import Foundation

/// Searches for a book, looks up a list of ISBNs, imports library files and scans photos of shelves.
///
///     swift run Shelf http://localhost:8787 library.csv shelf.jpg
@main
struct Shelf {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let address = arguments.first, let url = URL(string: address) else {
            print("usage: Shelf URL [LIBRARY-FILE|PHOTO]...")
            exit(2)
        }
        let client = BookstrackClient(baseURL: url)
        let found = try await client.search(isbn: "9780441172719")
        for book in DTOMapper.records(found) { print("found:", book.title, "by", book.authors.joined(separator: ", ")) }

        let job = try await client.startEnrichment(isbns: ["9780441172719", "9780141439587", "9780000000002"])
        let events = client.events(of: job.jobId, onConnection: show)
        for try await event in events { print("event:", event.seq, Int((event.progress ?? 0) * 100), "%") }
        for row in try await client.results(of: job.jobId).enrichedBooks {
            print("result:", DTOMapper.record(row)?.title ?? row.error ?? "no result")
        }

        for path in arguments.dropFirst() {
            let file = URL(fileURLWithPath: path)
            switch file.pathExtension.lowercased() {
            case "jpg", "jpeg", "png", "webp", "heic": try await scan(file, with: client)
            default: try await importLibrary(file, with: client)
            }
        }
    }

    private static func importLibrary(_ file: URL, with client: BookstrackClient) async throws {
        let library = try await CSVImportService(client: client).importFile(try LibraryFile(contentsOf: file))
        for book in library.books { print("imported:", book.title) }
    }

    private static func scan(_ photo: URL, with client: BookstrackClient) async throws {
        let job = try await client.scan(photos: [try Data(contentsOf: photo)])
        for try await event in client.events(of: job.jobId, onConnection: show) {
            if case .photos(let payload) = event.content { print("photo:", payload.photos.map(\.status.rawValue)) }
        }
        for book in try await client.scanResults(of: job.jobId).books {
            print("scanned:", DTOMapper.record(book).title)
        }
    }

    @Sendable private static func show(_ status: ConnectionStatus) {
        if case .connected(let transport) = status { print("connected by:", transport) }
    }
}
