import BookstrackContract
import NIOCore
import SuiteFixture
import Testing
import WireClient

@Suite("Many concurrent reads of results", .serialized)
struct ResultsLoadTests {
    private static let books = 2_000
    private static let readings = 150

    /// The result of one read.
    private enum Outcome: Hashable {
        case whole
        case refused
        case other(String)
    }

    @Test(
        "each concurrent read returns either the complete results or a 503 with Retry-After, and other clients are not affected"
    )
    func manyAtOnce() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_MAX_BATCH_BOOKS": "\(Self.books)"],
            emulatorArguments: ["--synthetic", "\(Self.books)"])
        try await SuiteFixture.Suite.run(options) { suite in
            let isbns = try await SyntheticBooks.isbns(Self.books)
            let large = try await suite.api.start(EnrichmentBatchRequest(books: isbns.map { BookQuery(isbn: $0) }))
            var watcher = Watcher(suite, large)
            try await watcher.watch(within: .seconds(120))
            await suite.worker.end()
            // Without a worker, the job does not finish, and its socket stays open. The job is not necessarily pending,
            // because its book may have been leased to the stopping worker.
            let open = try await suite.api.start(EnrichmentBatchRequest(books: [BookQuery(isbn: isbns[0])]))
            let socket = try await ProgressSocket.connect(
                to: suite.address, path: "\(APIPath.websocket(open.jobId))&token=\(open.token)")
            try await socket.send(text: #"{"type":"ready"}"#)
            let size = try await suite.http.send(Self.call(large)).body.readableBytes
            let reading = Task { await Self.read(large, size: size, suite) }
            var answered = 0
            while answered < 20 {
                let state = try await suite.api.state(of: open.jobId, token: open.token)
                #expect(!state.status.isTerminal)
                answered += 1
                try await Task.sleep(for: .milliseconds(50))
            }
            let outcomes = await reading.value
            #expect(outcomes[.whole, default: 0] + outcomes[.refused, default: 0] == Self.readings, "\(outcomes)")
            #expect(outcomes[.whole, default: 0] >= 64)
            try await socket.send(text: #"{"type":"ping"}"#)
            var reconnected = 0
            frames: for await event in socket.events {
                guard let message = event.message else { continue }
                switch try ProgressFrame(message).content {
                case .reconnected: reconnected += 1
                case .other("pong"): break frames
                default: continue
                }
            }
            #expect(reconnected == 0)
            let drops = suite.proxy.log.split(separator: "\n").filter {
                $0.contains(#""message":"disconnected""#) && $0.contains("progress-host.sock")
            }
            #expect(drops == [])
            await socket.cut()
        }
    }

    /// Reads a job's results many times concurrently, and counts the outcomes. Complete responses have about `size` bytes:
    /// only the number of digits in the processing time varies.
    private static func read(_ job: StartedJob, size: Int, _ suite: SuiteFixture.Suite) async -> [Outcome: Int] {
        await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<readings {
                group.addTask {
                    do {
                        let answer = try await suite.http.send(call(job))
                        switch answer.status {
                        case 200 where abs(answer.body.readableBytes - size) < 64: return .whole
                        case 503 where answer.retryAfterSeconds != nil: return .refused
                        default: return .other("\(answer.status), \(answer.body.readableBytes) bytes")
                        }
                    } catch {
                        return .other("\(error)")
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    private static func call(_ job: StartedJob) -> HTTPCall { .get(APIPath.results(job.jobId), timeout: .seconds(120)) }
}
