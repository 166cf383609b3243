import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOWebSocket
import ProgressClient
import Testing

@testable import BookstrackCLI

@Suite("A run of enrich")
struct EnrichRunTests {
    /// Answers starts, sockets and results for jobs whose first book is found and whose others are not. `onStart` is given the
    /// number of a start from 0 and may answer in its place; `onSocket` ends a socket's job its own way.
    private func server(
        onStart: @escaping @Sendable (Int) -> ScriptedServer.Reaction? = { _ in nil },
        onSocket: @escaping @Sendable (Int, JobFrames) throws -> WebSocketFrame? = { _, _ in nil }
    ) -> ScriptedServer {
        let starts = NIOLockedValueBox(0)
        return ScriptedServer(
            react: { _, request in
                guard request.head.method == .POST else { return Self.results(request.head.uri) }
                let number = starts.withLockedValue { count in
                    defer { count += 1 }
                    return count
                }
                return onStart(number) ?? Self.started(request.body)
            },
            script: { number, head in
                guard let job = head.uri.split(separator: "=").last.flatMap({ JobID(String($0)) }) else { return nil }
                let frames = JobFrames(job: job, total: 2)
                let end = try? onSocket(number, frames) ?? frames.complete(seq: 3, found: 1, failed: 1)
                return .init(
                    greeting: [try? frames.started(seq: 1), try? frames.progress(seq: 2, found: 1)].compactMap { $0 },
                    replies: [[end, .close(1000)].compactMap { $0 }])
            })
    }

    /// Runs four books in two batches against a server; pauses take no time.
    private func run(
        _ server: ScriptedServer, tokens path: String? = nil
    ) async throws -> (outcome: EnrichRun.Outcome, starts: [JobID]) {
        let folder = FileManager.default.temporaryDirectory.path + "/bookstrack-run-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let client = HTTPClient(address: ServerAddress(host: "127.0.0.1", port: try await server.start()))
        let run = EnrichRun(
            api: APIClient(client), output: .lines, tokens: TokenStore(path: path ?? folder + "/tokens.json"),
            calls: PatientCalls(pause: { _ in }))
        let outcome = await run.run((0..<4).map { BookQuery(title: "\($0)") }, batchSize: 2)
        await client.shutdown()
        await server.stop()
        let starts = server.requests.filter { $0.head.method == .POST }.compactMap {
            try? JSONDecoder().decode(EnrichmentBatchRequest.self, from: Data(buffer: $0.body)).jobId
        }
        return (outcome, starts)
    }

    private static func started(_ body: ByteBuffer) -> ScriptedServer.Reaction {
        guard let request = try? JSONDecoder().decode(EnrichmentBatchRequest.self, from: Data(buffer: body)),
            let job = request.jobId, let count = request.books?.count
        else { return .drop }
        return success(
            202,
            StartedJob(
                jobId: job, token: "T", status: .pending, totalCount: count, estimate: DurationEstimate(books: count)))
    }

    private static func results(_ path: String) -> ScriptedServer.Reaction {
        guard let job = path.split(separator: "/").last.flatMap({ JobID(String($0)) }) else { return .drop }
        return success(
            200,
            EnrichmentResults(
                jobId: job, resultsRevision: 1, expiresAt: "", successCount: 1, failureCount: 1,
                enrichedBooks: [EnrichedBook(asked: BookQuery(title: "A"), success: true)]))
    }

    private static func success(_ status: Int, _ body: some Codable & Sendable) -> ScriptedServer.Reaction {
        let envelope = SuccessEnvelope(data: body, metadata: ResponseMetadata(timestamp: ""))
        guard let text = try? JSONEncoder().encode(envelope) else { return .drop }
        return .answer(status, [:], [String(decoding: text, as: UTF8.self)])
    }

    @Test("more books than a batch takes go in several jobs, whose counts and results add up")
    func batches() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/bookstrack-run-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = server()
        let client = HTTPClient(address: ServerAddress(host: "127.0.0.1", port: try await server.start()))
        let tokens = TokenStore(path: folder + "/tokens.json")
        let run = EnrichRun(api: APIClient(client), output: .lines, tokens: tokens)
        let outcome = await run.run((0..<4).map { BookQuery(title: "\($0)") }, batchSize: 2)
        #expect(outcome.count == ProgressCount(total: 4, found: 2, notFound: 2, title: "Dune"))
        #expect(outcome.results.count == 2)
        #expect(outcome.books.count == 2)
        #expect(outcome.failure == nil)
        for results in outcome.results { #expect(try tokens.entry(of: results.jobId)?.token == "T") }
        await client.shutdown()
        await server.stop()
    }

    @Test("a start whose answer got lost is repeated as the same job", arguments: [1, 2])
    func lostAnswers(count: Int) async throws {
        let (outcome, starts) = try await run(server(onStart: { $0 < count ? .drop : nil }))
        #expect(outcome.failure == nil && outcome.results.count == 2)
        #expect(starts.count == count + 2 && Set(starts).count == 2)
        #expect(outcome.results.first?.jobId == starts[0])
    }

    @Test("a server that drops the later batch for good leaves the earlier results, and the job is named")
    func lostBatch() async throws {
        let (outcome, starts) = try await run(server(onStart: { $0 >= 1 ? .reset : nil }))
        #expect(outcome.results.map(\.jobId) == [starts[0]] && starts.count == 4)
        let failure = try #require(outcome.failure)
        #expect(failure.status == .unavailable)
        #expect(failure.message.contains("\(starts[3])"))
    }

    @Test("a batch that is refused leaves the earlier results; a refusal is not repeated")
    func refusedBatch() async throws {
        let refusal = ScriptedServer.Reaction.answer(409, [:], [])
        let (outcome, starts) = try await run(server(onStart: { $0 >= 1 ? refusal : nil }))
        #expect(outcome.results.count == 1 && starts.count == 2)
        #expect(outcome.failure?.status == .unexpectedAnswer)
    }

    @Test("a busy server is waited for")
    func busy() async throws {
        let busy = ScriptedServer.Reaction.answer(503, ["Retry-After": "7"], [])
        let (outcome, starts) = try await run(server(onStart: { $0 == 0 ? busy : nil }))
        #expect(outcome.failure == nil && Set(starts).count == 2)
    }

    @Test("a job that is cancelled gives what it has, its name and the number of books that were not sent")
    func cancelled() async throws {
        let cancelled = server(onSocket: { _, frames in try frames.progress(seq: 3, found: 1, status: "job_cancelled") }
        )
        let (outcome, starts) = try await run(cancelled)
        #expect(starts.count == 1 && outcome.results.map(\.jobId) == starts)
        #expect(
            outcome.failure
                == CommandFailure(.jobFailed, "job \(starts[0]): it was cancelled; books not sent: 2"))
    }

    @Test("a token that cannot be kept does not end the run; the warning names the job and the token")
    func unkeptToken() async throws {
        let (outcome, starts) = try await run(server(), tokens: "/dev/null/state/tokens.json")
        #expect(outcome.failure == nil && outcome.results.map(\.jobId) == starts)
        let job = StartedJob(
            jobId: starts[0], token: "T-1", status: .pending, totalCount: 2, estimate: DurationEstimate(books: 2))
        let warning = EnrichRun.warning(of: job, CommandFailure(.noInput, "cannot write x"))
        #expect(warning.contains("cannot write x") && warning.contains("\(starts[0])") && warning.contains("T-1"))
    }
}
