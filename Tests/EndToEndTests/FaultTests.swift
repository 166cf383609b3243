import BookstrackContract
import SuiteFixture
import Testing
import WireClient

@Suite("Misbehaving providers", .serialized)
struct FaultTests {
    /// The faults, each of which affects one or two requests that include a certain book.
    private static let faults: [(name: String, rule: String)] = [
        ("slow", #""kind":"slow","milliseconds":300,"times":2"#),
        ("429 with Retry-After", #""kind":"status","code":429,"retryAfter":1,"times":1"#),
        ("500", #""kind":"status","code":500,"times":1"#),
        ("503", #""kind":"status","code":503,"times":1"#),
        ("reset", #""kind":"reset","times":1"#),
        ("truncated", #""kind":"truncate","times":1"#),
        ("no JSON", #""kind":"garbage","times":1"#),
        ("20 MB", #""kind":"huge","times":1"#),
        ("gzip bomb", #""kind":"bomb","times":1"#),
        ("stalled", #""kind":"stall","times":1"#),
    ]

    @Test("a batch of 100 books completes despite temporary faults, and books that fail are retryable")
    func passingFaults() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_LOG_LEVEL": "info"], emulatorArguments: ["--synthetic", "100"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(100)
            // The editions are fetched in four requests to Open Library; each fault affects the request with its book, and several
            // faults affect one request in succession.
            let rules = Self.faults.enumerated().map { index, fault in
                #"{"provider":"openlibrary","isbn":"\#(isbns[index * 10])",\#(fault.rule)}"#
            }
            try await suite.emulator.setFaults("[\(rules.joined(separator: ","))]")
            let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
            var watcher = Watcher(suite, job)
            try await watcher.watch(within: .seconds(120))
            #expect(watcher.numberingFaults == [])
            let results = try await suite.api.results(of: job.jobId)
            #expect(results.enrichedBooks.map(\.isbn) == isbns)
            #expect(results.successCount + results.failureCount == 100)
            #expect(results.successCount >= 90, "too few books were found through the other provider or a retry")
            for book in results.enrichedBooks where !book.success {
                #expect(book.errorCode != .notFound, "a fault was reported as \"not found\"")
                #expect(book.retryable == true, "a fault was reported as not retryable")
            }
        }
    }

    @Test(
        "a wrong or missing book is reported as not found, and exhausted quotas are reported as retryable"
    )
    func wrongAndMissing() async throws {
        let options = SuiteFixture.Suite.Options(emulatorArguments: ["--synthetic", "4"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(4)
            // For a wrong book, the emulator returns the next one in the list. The missing book must not be that one: it
            // would be found after all, because both ISBNs are in one request.
            try await suite.emulator.setFaults(
                """
                [{"isbn":"\(isbns[0])","kind":"wrongBook"},{"isbn":"\(isbns[2])","kind":"missing"}]
                """)
            let first = try await results(of: isbns.prefix(3), suite)
            #expect(first.enrichedBooks.map(\.success) == [false, true, false])
            #expect(first.enrichedBooks[0].errorCode == .notFound)
            #expect(first.enrichedBooks[2].errorCode == .notFound)
            try await suite.emulator.setFaults(#"[{"kind":"quota"}]"#)
            let second = try await results(of: isbns.suffix(1), suite)
            #expect(second.enrichedBooks[0].success == false)
            #expect(second.enrichedBooks[0].errorCode != .notFound)
            #expect(second.enrichedBooks[0].retryable == true)
        }
    }

    private func results(of isbns: ArraySlice<String>, _ suite: SuiteFixture.Suite) async throws -> EnrichmentResults {
        let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
        var watcher = Watcher(suite, job)
        try await watcher.watch(within: .seconds(60))
        return try await suite.api.results(of: job.jobId)
    }
}
