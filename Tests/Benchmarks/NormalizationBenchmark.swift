import ArgumentParser
import BookMetadata
import Foundation
import TestSupport

/// Recorded provider responses, decoded and normalized on one thread.
struct NormalizationBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "normalize", abstract: "Recorded responses normalized per second")

    @Option(help: "Duration for each kind of document, in seconds.")
    var seconds = 2.0

    func run() async throws {
        let answers = TestData.root.appending(path: "api_responses")
        var (documents, time) = (0, 0.0)
        func measure(_ name: String, in folder: URL, _ decode: (Data) throws -> Void) throws {
            let (count, rate) = try self.measure(name, in: folder, decode)
            documents += count
            time += Double(count) / rate
        }
        try measure("Google Books, volumes", in: answers.appending(path: "google_books")) { body in
            _ = try GoogleBooks.decodeVolumePage(body)
        }
        try measure("Open Library, searches", in: answers.appending(path: "openlibrary")) { body in
            _ = try OpenLibrary.decodeSearchPage(body)
        }
        try measure("Open Library, works", in: answers.appending(path: "openlibrary")) { body in
            _ = try OpenLibrary.decodeWork(body)
        }
        try measure("Open Library, editions", in: answers.appending(path: "openlibrary")) { body in
            _ = try OpenLibrary.decodeDetailsByEditionKey(TestData.detailsResponse(with: body))
        }
        try measure("ISBNdb, books", in: answers.appending(path: "isbndb")) { body in
            _ = try ISBNdb.decodeBook(body)
        }
        Figure(
            name: "all recorded responses (\(documents) documents)", value: Double(documents) / time, unit: "/s",
            target: 5_000, direction: .atLeast
        ).report()
    }

    /// Measures the documents in a folder that `decode` accepts.
    private func measure(
        _ name: String, in folder: URL, _ decode: (Data) throws -> Void
    ) throws -> (documents: Int, rate: Double) {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let bodies = files.compactMap { try? Data(contentsOf: $0) }.filter { (try? decode($0)) != nil }
        guard !bodies.isEmpty else { throw ValidationError("there are no documents for \(name)") }
        var count = 0
        let begun = ContinuousClock.now
        while (ContinuousClock.now - begun).seconds < seconds {
            for body in bodies { try decode(body) }
            count += bodies.count
        }
        let rate = Double(count) / (ContinuousClock.now - begun).seconds
        Figure(name: "\(name) (\(bodies.count) documents)", value: rate, unit: "/s").report()
        return (bodies.count, rate)
    }
}
