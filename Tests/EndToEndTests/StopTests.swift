import BookstrackContract
import Foundation
import NIOCore
import ProgressClient
import SuiteFixture
import Testing

@Suite("Stopping under load", .serialized)
struct StopTests {
    private static let sockets = 1_000
    private static let jobs = 20
    private static let booksPerJob = 50

    @Test(
        "SIGTERM with 1 000 sockets, stalled ones among them, and running jobs: every socket gets 1012, and every job ends after the restart"
    )
    func stop() async throws {
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
            let codes = try await Self.closeCodes(of: Self.sockets, watching: jobs, at: suite) {
                for process in [suite.proxy, suite.worker, suite.host] {
                    #expect(await process.end(SIGTERM) == 0, "\(process.logPath)")
                }
            }
            #expect(codes.count == Self.sockets)
            #expect(codes.allSatisfy { $0 == CloseCode.serviceRestart.rawValue })
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

    /// Opens sockets and ten stalled connections, runs `stop`, and returns the close codes of the sockets.
    private static func closeCodes(
        of count: Int, watching jobs: [StartedJob], at suite: SuiteFixture.Suite, _ stop: () async throws -> Void
    ) async throws -> [UInt16?] {
        var sockets: [ProgressSocket] = []
        for number in 0..<count {
            let job = jobs[number % jobs.count]
            let path = "\(job.websocketUrl)&token=\(job.token)"
            let socket = try await ProgressSocket.connect(to: suite.address, path: path)
            try await socket.send(text: #"{"type":"ready"}"#)
            sockets.append(socket)
        }
        // They send nothing, read nothing and do not answer the close.
        var stalled: [StalledPeer] = []
        for number in 0..<10 {
            let job = jobs[number]
            stalled.append(try await StalledPeer(path: "\(job.websocketUrl)&token=\(job.token)", at: suite.address))
        }
        try await stop()
        for peer in stalled { await peer.leave() }
        var codes: [UInt16?] = []
        for socket in sockets {
            for await event in socket.events {
                if case .closed(let code, _) = event.kind { codes.append(code) }
            }
        }
        return codes
    }
}
