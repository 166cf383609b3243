import BookstrackContract
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import ProgressClient
import Testing

@Suite("The typed API")
struct APIClientTests {
    let job = JobID.random()

    private func api(_ server: ScriptedServer) async throws -> APIClient {
        APIClient(HTTPClient(address: ServerAddress(host: "127.0.0.1", port: try await server.start())))
    }

    private static func envelope(_ body: some Codable & Sendable) throws -> String {
        let envelope = SuccessEnvelope(data: body, metadata: ResponseMetadata(timestamp: "2026-01-01T00:00:00.000Z"))
        return String(decoding: try JSONEncoder().encode(envelope), as: UTF8.self)
    }

    @Test("a start sends the books and reads job and token")
    func start() async throws {
        let started = StartedJob(
            jobId: job, token: "T", status: .pending, totalCount: 1, estimate: DurationEstimate(books: 1))
        let text = try Self.envelope(started)
        let server = ScriptedServer(react: { _, _ in .answer(202, [:], [text]) })
        let answer = try await api(server).start(
            EnrichmentBatchRequest(jobId: job, books: [BookQuery(isbn: "9780441172719")]))
        #expect(answer == started)
        let request = try #require(server.requests.first)
        #expect(request.head.uri == "/v1/enrichment/batch")
        let sent = try JSONDecoder().decode(EnrichmentBatchRequest.self, from: Data(buffer: request.body))
        #expect(sent.books == [BookQuery(isbn: "9780441172719")])
        await server.stop()
    }

    @Test("cancelling sends the token")
    func cancel() async throws {
        let outcome = CancelOutcome(
            jobId: job, status: .cancelled, message: "Job cancelled",
            cleanup: .init(itemsDiscarded: 2, uploadsDeleted: 0))
        let text = try Self.envelope(outcome)
        let server = ScriptedServer(react: { _, _ in .answer(200, [:], [text]) })
        #expect(try await api(server).cancel(job, token: "T") == outcome)
        #expect(server.requests.first?.head.method == .DELETE)
        #expect(server.requests.first?.head.headers.first(name: "Authorization") == "Bearer T")
        await server.stop()
    }

    @Test("a failure envelope becomes a refusal with code, details and the time to wait")
    func refusal() async throws {
        let failure = FailureEnvelope(
            error: .init(
                message: "Too fast", code: .rateLimitExceeded, details: ["limit": 10], retryable: true, statusCode: 429),
            metadata: ResponseMetadata(timestamp: "2026-01-01T00:00:00.000Z"))
        let text = String(decoding: try JSONEncoder().encode(failure), as: UTF8.self)
        let server = ScriptedServer(react: { _, _ in .answer(429, ["Retry-After": "7"], [text]) })
        let expected = APIRefusal(
            status: 429, code: .rateLimitExceeded, message: "Too fast", details: ["limit": 10], retryAfterSeconds: 7)
        let api = try await api(server)
        await #expect(throws: expected) { try await api.results(of: job) }
        await server.stop()
    }

    @Test("an answer from a different kind of server is an error")
    func otherServer() async throws {
        let server = ScriptedServer(react: { number, _ in .answer(number == 0 ? 200 : 502, [:], ["<html>"]) })
        let api = try await api(server)
        await #expect(throws: ClientFailure.self) { try await api.results(of: job) }
        await #expect(throws: APIRefusal(status: 502, code: nil, message: "the server refused")) {
            try await api.results(of: job)
        }
        await server.stop()
    }
}

@Suite("Addresses of a server")
struct ServerAddressTests {
    @Test(
        "host, port and base path are parsed",
        arguments: [
            ("http://127.0.0.1:8787", ServerAddress(host: "127.0.0.1", port: 8787)),
            ("http://books.example/", ServerAddress(host: "books.example", port: 80)),
            ("http://[::1]:9/api/", ServerAddress(host: "::1", port: 9, basePath: "/api")),
        ])
    func parsed(text: String, address: ServerAddress) throws {
        #expect(try ServerAddress(text) == address)
    }

    @Test(
        "anything but a plain http address is refused",
        arguments: [
            "", "127.0.0.1:8787", "https://a.example", "ws://a.example", "http://", "http://u:p@a.example",
            "http://a?x=1",
        ])
    func refused(text: String) {
        #expect(throws: ClientFailure.unsupportedAddress(text)) { try ServerAddress(text) }
    }
}
