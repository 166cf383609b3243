import BookstrackContract
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOWebSocket
import ProgressClient
import Testing

@testable import BookstrackCLI

@Suite("A run of enrich")
struct EnrichRunTests {
    /// Answers starts, sockets and results for jobs whose first book is found and whose others are not.
    private func server() -> ScriptedServer {
        ScriptedServer(
            react: { _, request in
                guard request.head.method == .POST else { return Self.results(request.head.uri) }
                return Self.started(request.body)
            },
            script: { _, head in
                guard let job = head.uri.split(separator: "=").last.flatMap({ JobID(String($0)) }) else { return nil }
                let frames = JobFrames(job: job, total: 2)
                return .init(
                    greeting: [try? frames.started(seq: 1), try? frames.progress(seq: 2, found: 1)].compactMap { $0 },
                    replies: [[try? frames.complete(seq: 3, found: 1, failed: 1), .close(1000)].compactMap { $0 }])
            })
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
        let outcome = try await run.run((0..<4).map { BookQuery(title: "\($0)") }, batchSize: 2)
        #expect(outcome.count == ProgressCount(total: 4, found: 2, notFound: 2, title: "Dune"))
        #expect(outcome.results.count == 2)
        #expect(outcome.books.count == 2)
        #expect(outcome.failure == nil)
        for results in outcome.results { #expect(try tokens.token(of: results.jobId) == "T") }
        await client.shutdown()
        await server.stop()
    }
}
