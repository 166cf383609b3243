import BookstrackContract
import Foundation
import SuiteFixture
import Testing
import WireClient

@Suite("Stopping under load", .serialized)
struct StopTests {
    private static let clients = 1_000
    private static let jobs = 20
    private static let booksPerJob = 50

    @Test(
        "after SIGTERM while jobs run, 1 000 clients are asked to reconnect despite ten stalled ones, and every job ends after the restart",
        arguments: Transport.allCases)
    func stop(transport: Transport) async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_LOG_LEVEL": "notice", "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "2000"],
            emulatorArguments: ["--synthetic", "\(Self.jobs * Self.booksPerJob)"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(Self.jobs * Self.booksPerJob)
            // No job ends before the stop.
            try await suite.emulator.setFaults(#"[{"kind":"slow","milliseconds":30000}]"#)
            var jobs: [StartedJob] = []
            for number in 0..<Self.jobs {
                let slice = isbns[(number * Self.booksPerJob)..<((number + 1) * Self.booksPerJob)]
                jobs.append(try await suite.api.start(EnrichmentBatchRequest(books: slice.map { BookQuery(isbn: $0) })))
            }
            let codes = try await Self.closeCodes(of: Self.clients, transport, watching: jobs, at: suite) {
                for process in [suite.proxy, suite.worker, suite.host] {
                    #expect(await process.end(SIGTERM) == 0, "\(process.logPath)")
                }
            }
            #expect(codes == [CloseCode.serviceRestart.rawValue: Self.clients])
            try await suite.emulator.clearFaults()
            for process in [suite.host, suite.worker, suite.proxy] { try await process.start() }
            try await suite.waitUntilReady()
            for job in jobs {
                var watcher = Watcher(suite, job)
                try await watcher.watch(within: .seconds(60))
                #expect(watcher.endings.count == 1)
                #expect(try await suite.api.results(of: job.jobId).enrichedBooks.count == Self.booksPerJob)
            }
        }
    }

    /// Opens `count` connections and ten stalled ones, runs `stop`, and counts the close codes of the `count` connections.
    private static func closeCodes(
        of count: Int, _ transport: Transport, watching jobs: [StartedJob], at suite: SuiteFixture.Suite,
        _ stop: () async throws -> Void
    ) async throws -> [UInt16?: Int] {
        let crowd = transport.crowd(at: suite.address)
        crowd.join((0..<count).map { transport.path(of: jobs[$0 % jobs.count]) })
        try await crowd.wait(for: "clients", within: .seconds(60)) { $0.open == count }
        // These clients send nothing, read nothing and do not respond to the close.
        var stalled: [StalledPeer] = []
        for number in 0..<10 {
            stalled.append(try await StalledPeer(path: transport.path(of: jobs[number]), at: suite.address))
        }
        try await stop()
        for peer in stalled { await peer.leave() }
        try await crowd.wait(for: "ends", within: .seconds(30)) { $0.open == 0 }
        await crowd.leave()
        return crowd.counts.ends
    }
}
