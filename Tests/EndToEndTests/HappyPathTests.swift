import BookstrackContract
import Foundation
import SuiteFixture
import Testing
import WireClient

@Suite("A batch enrichment, end to end", .serialized)
struct HappyPathTests {
    @Test("a list of books is enriched, with its results in input order and a single terminal frame")
    func enrichesSampleList() async throws {
        try await SuiteFixture.Suite.run { suite in
            let isbns = try SampleBooks.isbns()
            let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
            var watcher = Watcher(suite, job)
            try await watcher.watch()
            #expect(watcher.connections.count == 1)
            #expect(watcher.connections.first?.closeCode == CloseCode.normal.rawValue)
            #expect(watcher.numberingFaults == [])
            #expect(watcher.endings.count == 1)
            let results = try await suite.api.results(of: job.jobId)
            #expect(results.enrichedBooks.map(\.isbn) == isbns)
            #expect(results.successCount + results.failureCount == isbns.count)
            #expect(results.successCount > isbns.count / 2)
            for book in results.enrichedBooks where book.success {
                let found = try #require(book.enriched)
                #expect(!found.work.title.isEmpty)
                #expect(book.matchedBy != nil)
            }
            for book in results.enrichedBooks where !book.success {
                #expect(book.errorCode != nil)
                #expect(book.error != nil)
                #expect(book.retryable != nil)
            }
        }
    }

    @Test("books requested without an ISBN are found by title and author")
    func findsByTitle() async throws {
        try await SuiteFixture.Suite.run { suite in
            let job = try await suite.api.start(
                EnrichmentBatchRequest(books: [
                    BookQuery(title: "Dune", author: "Frank Herbert"),
                    BookQuery(title: "人間失格", author: "太宰治"),
                    BookQuery(title: "A title that nobody ever gave a book zzqx", author: "Nobody Atall"),
                ]))
            var watcher = Watcher(suite, job)
            try await watcher.watch()
            let books = try await suite.api.results(of: job.jobId).enrichedBooks
            #expect(books[0].success)
            #expect(books[0].matchedBy == .title)
            #expect(books[1].success)
            #expect(books[1].matchedBy == .title)
            #expect(!books[2].success)
            #expect(books[2].errorCode == .notFound)
        }
    }
}

/// The sample list included in the repository.
enum SampleBooks {
    static var list: URL {
        URL(filePath: #filePath).appending(path: "../../../deploy/sample/isbns.txt").standardizedFileURL
    }

    /// The ISBNs of `list`, as a user would send them.
    static func isbns() throws -> [String] {
        try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .map { String($0.prefix { $0 != "#" }).trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}
