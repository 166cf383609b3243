import BookstrackContract
import SuiteFixture
import Testing
import WireClient

@Suite("Large jobs, many jobs and many clients", .serialized)
struct ScaleTests {
    @Test("a job of up to 10 000 books completes with its results in input order", arguments: [1, 100, 10_000])
    func sizes(books: Int) async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_MAX_BATCH_BOOKS": "10000"], emulatorArguments: ["--synthetic", "\(books)"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(books)
            let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
            #expect(job.totalCount == books)
            var watcher = Watcher(suite, job)
            try await watcher.watch(within: .seconds(180))
            #expect(watcher.numberingFaults == [])
            let results = try await suite.api.results(of: job.jobId)
            #expect(results.successCount == books)
            #expect(results.enrichedBooks.map(\.isbn) == isbns)
        }
    }

    @Test("200 small concurrent jobs all end, some of them before a job of 1 000 books that started earlier")
    func manyAtOnce() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_MAX_BATCH_BOOKS": "10000"],
            emulatorArguments: ["--synthetic", "5000", "--latency", "30"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(5_000)
            // No job ends before all have been started, however slowly this process runs.
            await suite.worker.end()
            let large = try await suite.api.start(
                EnrichmentBatchRequest(books: isbns.prefix(1_000).map { BookQuery(isbn: $0) }))
            let small = try await withThrowingTaskGroup(of: StartedJob.self) { group in
                for number in 0..<200 {
                    let books = isbns[(1_000 + number * 20)..<(1_000 + (number + 1) * 20)].map { BookQuery(isbn: $0) }
                    group.addTask { try await suite.api.start(EnrichmentBatchRequest(books: books)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try await suite.worker.start()
            async let largeEnd = Self.end(of: large, suite)
            let smallEnds = try await withThrowingTaskGroup(of: String.self) { group in
                for job in small { group.addTask { try await Self.end(of: job, suite) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let largeEndedAt = try await largeEnd
            let before = smallEnds.filter { $0 < largeEndedAt }.count
            print("200 jobs of 20 books beside one of 1 000: \(before) of them ended before the large one")
            #expect(smallEnds.count == 200)
            #expect(before > 0)
        }
    }

    @Test("hundreds of sockets continue to follow their jobs after each process restarts")
    func reconnects() async throws {
        try await SuiteFixture.Suite.run { suite in
            await suite.worker.end()
            var paths: [String] = []
            for number in 0..<30 {
                let job = try await suite.api.start(
                    EnrichmentBatchRequest(books: [BookQuery(title: "Book \(number)", author: "Author")]))
                paths.append("\(APIPath.websocket(job.jobId))&token=\(job.token)")
            }
            let crowd = SocketCrowd(suite.address)
            let sockets = 300
            crowd.join((0..<sockets).map { paths[$0 % paths.count] })
            try await crowd.wait(for: "sockets", within: .seconds(30)) { $0.open == sockets }
            await suite.host.end()
            try await suite.host.start()
            // A message that is on its way to the killed process may be lost; clients repeat it.
            for _ in 0..<10 where crowd.counts.pongs < sockets {
                await crowd.ping()
                _ = try? await crowd.wait(for: "pongs", within: .seconds(2)) { $0.pongs >= sockets }
            }
            #expect(crowd.counts.pongs >= sockets)
            #expect(crowd.counts.ends == [:])
            await suite.proxy.end()
            try await crowd.wait(for: "lost sockets", within: .seconds(30)) { $0.open == 0 }
            try await suite.proxy.start()
            try await crowd.wait(for: "reconnected sockets", within: .seconds(30)) {
                $0.reconnected >= sockets && $0.open == sockets
            }
            try await suite.worker.start()
            try await crowd.wait(for: "ends of the jobs", within: .seconds(60)) {
                $0.ends[CloseCode.normal.rawValue, default: 0] + $0.ends[CloseCode.internalError.rawValue, default: 0]
                    == sockets
            }
            await crowd.leave()
        }
    }

    @Test(
        "slow clients receive the end of their job or are disconnected, and other clients do not wait for them",
        arguments: Transport.allCases)
    func slowReaders(transport: Transport) async throws {
        let (books, slow, reading) = (1_000, 100, 20)
        let options = SuiteFixture.Suite.Options(
            settings: [
                "BOOKSTRACK_MAX_BATCH_BOOKS": "1000", "BOOKSTRACK_PROGRESS_INTERVAL_MS": "0",
                "BOOKSTRACK_MAX_SOCKETS_PER_JOB": "200", "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "200",
            ], emulatorArguments: ["--synthetic", "\(books)"])
        try await SuiteFixture.Suite.run(options) { suite in
            // The job does not start until every client is watching.
            await suite.worker.end()
            let isbns = try await SyntheticBooks.isbns(books)
            let job = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
            let (starts, start) = AsyncStream<Void>.makeStream()
            let gate = Task { for await _ in starts {} }
            let (slowOnes, readers) = (transport.crowd(at: suite.address), transport.crowd(at: suite.address))
            slowOnes.join(Array(repeating: transport.path(of: job), count: slow)) { await gate.value }
            readers.join(Array(repeating: transport.path(of: job), count: reading))
            try await slowOnes.wait(for: "slow readers", within: .seconds(30)) { $0.open == slow }
            try await readers.wait(for: "readers", within: .seconds(30)) { $0.open == reading }
            try await suite.worker.start()
            try await readers.wait(for: "ends", within: .seconds(120)) { $0.completed == reading }
            #expect(readers.counts.ends[CloseCode.tryAgainLater.rawValue] == nil)
            #expect(readers.counts.misplaced == 0)
            start.finish()
            try await slowOnes.wait(for: "ends of slow readers", within: .seconds(60)) {
                $0.completed + $0.ends[CloseCode.tryAgainLater.rawValue, default: 0] >= slow
            }
            #expect(slowOnes.counts.misplaced == 0)
            await readers.leave()
            await slowOnes.leave()
        }
    }

    /// Watches a job to its end, and returns when it ended according to progress-host, in ISO 8601 with milliseconds.
    private static func end(of job: StartedJob, _ suite: SuiteFixture.Suite) async throws -> String {
        var watcher = Watcher(suite, job)
        try await watcher.watch(within: .seconds(180))
        return try #require(try await suite.api.state(of: job.jobId, token: job.token).endedAt)
    }
}
