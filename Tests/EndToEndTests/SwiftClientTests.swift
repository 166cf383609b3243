import BookstrackClient
import BookstrackContract
import Foundation
import SuiteFixture
import TestSupport
import Testing
import WireClient

@Suite("The Swift client, end to end", .serialized)
struct SwiftClientTests {
    /// The minimum number of disturbed connections for each way of following a job: a quarter of the total.
    private static let cuts =
        (ProcessInfo.processInfo.environment["BOOKSTRACK_STREAM_CUTS"].flatMap { Int($0) } ?? 200) / 4

    /// The number of jobs followed concurrently; higher for many cuts, which would otherwise take half an hour.
    private static let followers = min(max(4, cuts / 150), 16)

    private static func client(port: Int, tokens: any TokenStore = MemoryTokenStore(), _ policy: FollowPolicy = .init())
        throws -> BookstrackClient
    {
        BookstrackClient(
            baseURL: try #require(URL(string: "http://127.0.0.1:\(port)")), tokens: tokens, policy: policy)
    }

    @Test("searches, enrichments, imports and scans work from start to results")
    func everything() async throws {
        let options = SuiteFixture.Suite.Options(settings: ["BOOKSTRACK_GEMINI_API_KEY": "a-key"])
        try await SuiteFixture.Suite.run(options) { try await everything(on: $0) }
    }

    private func everything(on suite: SuiteFixture.Suite) async throws {
        let client = try Self.client(port: suite.address.port)
        #expect(try await client.search(isbn: "9780743273565").resultCount == 1)
        #expect(try await client.search(title: "Jane Eyre", author: "Charlotte Brontë").resultCount > 0)
        await #expect { try await client.search(isbn: "9780743273560") } throws: {
            ($0 as? BookstrackError)?.code == .invalidISBN
        }
        let job = try await client.startEnrichment(isbns: ["9780743273565", "9780000000002"], source: .manual)
        #expect(try await client.events(of: job.jobId).last().seq >= 3)
        #expect(try await client.results(of: job.jobId).enrichedBooks.map(\.success) == [true, false])
        #expect(try await client.state(of: job.jobId).source == .manual)
        let file = LibraryFile(name: "library.csv", content: Data("Title,Author\nJane Eyre,Charlotte Brontë\n".utf8))
        #expect(try await client.preview(file: file).books.map(\.title) == ["Jane Eyre"])
        let library = try await CSVImportService(client: client).importFile(file)
        #expect(library.books.map(\.author) == ["Charlotte Brontë"])
        let photo = Data(SampleImage.jpeg.file)
        let shelf = try await BookshelfScannerService(client: client).scan([photo, photo])
        #expect(shelf.photos.count == 2)
        #expect(shelf.totalDetected > 0)
    }

    @Test("both jobs of an import with linked enrichment can be followed, and a running job can be cancelled")
    func linkedAndCancelled() async throws {
        let options = SuiteFixture.Suite.Options(emulatorArguments: ["--synthetic", "200", "--latency", "100"])
        try await SuiteFixture.Suite.run(options) { try await linkedAndCancelled(on: $0) }
    }

    private func linkedAndCancelled(on suite: SuiteFixture.Suite) async throws {
        let client = try Self.client(port: suite.address.port)
        let isbns = try await SyntheticBooks.isbns(200)
        // The enrichment cannot end before it is cancelled.
        try await suite.emulator.setFaults(#"[{"isbn":"\#(isbns[199])","kind":"hang"}]"#)
        let file = LibraryFile(name: "goodreads.csv", content: Data(ImportTests.export(isbns).utf8))
        let started = try await client.importLibrary(file: file, enriches: true)
        let enrichment = try #require(started.enrichment)
        #expect(try await client.events(of: started.jobId).last().completion?.booksCount == 200)
        try await client.cancel(enrichment.jobId)
        #expect(try await client.events(of: enrichment.jobId).last().content == .cancelled)
        await #expect { try await client.refreshToken(of: enrichment.jobId) } throws: {
            ($0 as? BookstrackError)?.code == BookstrackError.Code(.tokenRefreshTooEarly)
        }
    }

    @Test(
        "a client that follows the results is notified when a retry improves them",
        arguments: [EventTransport.webSocket, .eventStream])
    func betterResults(transport: EventTransport) async throws {
        try await SuiteFixture.Suite.run(.init(emulatorArguments: ["--synthetic", "3"])) { suite in
            try await suite.emulator.setFaults(#"[{"kind":"missing"}]"#)
            var policy = FollowPolicy()
            policy.transports = [transport]
            let client = try Self.client(port: suite.address.port, policy)
            let job = try await client.startEnrichment(isbns: SyntheticBooks.isbns(3))
            var updates: [ResultsUpdate] = []
            for try await event in client.events(of: job.jobId, followsResults: true) {
                if event.isLast {
                    try await suite.forgetMissingBooks()
                    #expect(try await client.retry(job.jobId).retrying == 3)
                }
                guard case .resultsUpdated(let update) = event.content else { continue }
                updates.append(update)
                break
            }
            #expect(updates.map(\.improved) == [3])
            let results = try await client.results(of: job.jobId)
            #expect(results.successCount == 3)
            #expect(updates.map(\.resultsRevision) == [results.resultsRevision])
        }
    }

    /// The ways of following a job: a single transport, or the ladder of all transports, for which some connections
    /// block WebSockets.
    enum Way: String, CaseIterable {
        case webSocket, eventStream, polling, ladder

        var transports: [EventTransport] {
            switch self {
            case .webSocket: [.webSocket]
            case .eventStream: [.eventStream]
            case .polling: [.polling]
            case .ladder: EventTransport.allCases
            }
        }

        /// The maximum number of bytes after which a connection is cut: a few dozen frames, or a few polls.
        var reach: Int { self == .polling ? 1_500 : 24_000 }
    }

    @Test(
        "events arrive once and in order despite cut connections and killed processes, and only polling skips any",
        arguments: Way.allCases)
    func disturbances(way: Way) async throws {
        let options = SuiteFixture.Suite.Options(
            settings: [
                "BOOKSTRACK_PROGRESS_INTERVAL_MS": "0", "BOOKSTRACK_RATE_LIMIT": "off",
                "BOOKSTRACK_MAX_SOCKETS_PER_JOB": "5000", "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "5000",
            ],
            emulatorArguments: ["--synthetic", "2000", "--latency", "40"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(2_000)
            try await CuttingRelay.with(to: suite.address.port, refusesUpgrades: way == .ladder, reach: way.reach) {
                relay in
                let killer = Task {
                    for round in 0... {
                        try await Task.sleep(for: .seconds(5))
                        try await KilledProcesses(round: round).die(in: suite, within: 500)
                    }
                }
                let faults = try await withThrowingTaskGroup(of: [String].self) { group in
                    for _ in 0..<Self.followers {
                        group.addTask {
                            var faults: [String] = []
                            repeat {
                                let books = Array(isbns.shuffled().prefix(150))
                                faults += try await Self.follow(way, books, suite, relay)
                            } while relay.cuts < Self.cuts && faults.isEmpty
                            return faults
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                killer.cancel()
                _ = try? await killer.value
                #expect(faults == [])
                #expect(relay.cuts >= Self.cuts)
                for kind in CuttingRelay.Disturbance.allCases where kind != .upgradeRefused || way == .ladder {
                    #expect(relay.disturbances[kind, default: 0] > 0, "\(kind)")
                }
                print("\(way): \(relay.disturbances.map { "\($0) \($1)" }.sorted())")
            }
        }
    }

    /// Follows a job through the relay, and returns the faults in its sequence numbers.
    private static func follow(_ way: Way, _ isbns: [String], _ suite: SuiteFixture.Suite, _ relay: CuttingRelay)
        async throws -> [String]
    {
        let tokens = MemoryTokenStore()
        var policy = FollowPolicy()
        policy.transports = way.transports
        (policy.firstPause, policy.longestPause) = (.milliseconds(2), .milliseconds(50))
        policy.openingDeadline = .seconds(2)
        let direct = try client(port: suite.address.port, tokens: tokens)
        let followed = try client(port: relay.port, tokens: tokens, policy)
        let id = JobID.random()
        let job = try await KillRounds.start { try await direct.startEnrichment(isbns: isbns, jobID: id) }
        var seqs: [Int] = []
        for try await event in followed.events(of: job.jobId) { seqs.append(event.seq) }
        let last = try await KillRounds.start { try await direct.state(of: job.jobId).lastSeq }
        if seqs.last != last { return ["\(id) ends with \(seqs.last ?? 0) instead of \(last)"] }
        // Polling, by itself or as the last fallback, skips the events between two responses.
        if way == .polling || way == .ladder {
            return zip(seqs, seqs.dropFirst()).filter { $0 >= $1 }.map { "\(id): \($1) after \($0)" }
        }
        return seqs == Array(1...last) ? [] : ["\(id): \(seqs) instead of 1 to \(last)"]
    }
}
