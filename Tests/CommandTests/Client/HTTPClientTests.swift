import NIOCore
import NIOHTTP1
import ProgressClient
import Testing

@Suite("The HTTP client")
struct HTTPClientTests {
    private func client(
        of server: ScriptedServer, limits: HTTPClientLimits = .init(), traffic: TrafficCounter? = nil
    ) async throws -> HTTPClient {
        HTTPClient(
            address: ServerAddress(host: "127.0.0.1", port: try await server.start()), limits: limits, traffic: traffic)
    }

    @Test("one connection carries one request after the other, bodies and headers included")
    func keepAlive() async throws {
        let server = ScriptedServer(react: { number, _ in .answer(200, ["X-Number": "\(number)"], ["body \(number)"]) })
        let traffic = TrafficCounter()
        let client = try await client(of: server, traffic: traffic)
        let first = try await client.send(
            HTTPCall(.POST, "/a?b=c", headers: ["X-Own": "1"], body: ByteBuffer(string: "hello")))
        let second = try await client.send(HTTPCall(.GET, "/d"))
        #expect(first.text == "body 0")
        #expect(second.headers.first(name: "X-Number") == "1")
        #expect(server.connections == 1)
        let request = try #require(server.requests.first)
        #expect(request.head.uri == "/a?b=c")
        #expect(request.head.headers.first(name: "X-Own") == "1")
        #expect(request.head.headers.first(name: "Host")?.hasPrefix("127.0.0.1:") == true)
        #expect(String(buffer: request.body) == "hello")
        #expect(traffic.totals.requests == 2)
        #expect(traffic.totals.receivedBytes > 0)
        await client.shutdown()
        await server.stop()
    }

    @Test("a chunked answer is reassembled")
    func chunked() async throws {
        let parts = (0..<200).map { "part \($0);" }
        let server = ScriptedServer(react: { _, _ in .answer(200, ["Transfer-Encoding": "chunked"], parts) })
        let client = try await client(of: server)
        #expect(try await client.send(HTTPCall(.GET, "/")).text == parts.joined())
        await server.stop()
    }

    @Test("a reused connection that the server closed is replaced for idempotent requests")
    func staleConnection() async throws {
        let server = ScriptedServer(react: { number, _ in number == 1 ? .drop : .answer(200, [:], ["\(number)"]) })
        let client = try await client(of: server)
        #expect(try await client.send(HTTPCall(.GET, "/")).text == "0")
        #expect(try await client.send(HTTPCall(.GET, "/")).text == "2")
        #expect(server.connections == 2)
        await server.stop()
    }

    @Test("a request that is not idempotent fails when its connection closes")
    func noRepetition() async throws {
        let server = ScriptedServer(react: { number, _ in number == 1 ? .drop : .answer(200, [:], []) })
        let client = try await client(of: server)
        _ = try await client.send(HTTPCall(.GET, "/"))
        await #expect(throws: ClientFailure.closedEarly) { try await client.send(HTTPCall(.POST, "/")) }
        #expect(server.requests.count == 2)
        await server.stop()
    }

    @Test("a reset connection counts as closed early, not as a malformed answer")
    func reset() async throws {
        let server = ScriptedServer(react: { number, _ in number == 0 ? .reset : .answer(200, [:], []) })
        let client = try await client(of: server)
        await #expect(throws: ClientFailure.closedEarly) { try await client.send(HTTPCall(.POST, "/")) }
        #expect(try await client.send(HTTPCall(.GET, "/")).status == 200)
        await server.stop()
    }

    @Test("a server that does not answer costs no more than the request's timeout")
    func timeout() async throws {
        let server = ScriptedServer(react: { _, _ in .silence })
        let client = try await client(of: server)
        await #expect(throws: ClientFailure.timedOut) {
            try await client.send(HTTPCall(.GET, "/", timeout: .milliseconds(20)))
        }
        await server.stop()
    }

    @Test("an answer above the maximum size is rejected")
    func tooLarge() async throws {
        let server = ScriptedServer(react: { _, _ in .answer(200, [:], [String(repeating: "x", count: 101)]) })
        let client = try await client(of: server, limits: HTTPClientLimits(maximumAnswerBytes: 100))
        await #expect(throws: ClientFailure.answerTooLarge(limit: 100)) { try await client.send(HTTPCall(.GET, "/")) }
        await server.stop()
    }

    @Test("a cancelled request ends at once")
    func cancelled() async throws {
        let server = ScriptedServer(react: { _, _ in .silence })
        let client = try await client(of: server)
        let request = Task { try await client.send(HTTPCall(.GET, "/")) }
        request.cancel()
        await #expect(throws: ClientFailure.cancelled) { try await request.value }
        await server.stop()
    }

    @Test("an address without a listener is reported as such")
    func unreachable() async throws {
        let server = ScriptedServer()
        let client = try await client(of: server)
        await server.stop()
        let failure = await #expect(throws: ClientFailure.self) { try await client.send(HTTPCall(.GET, "/")) }
        #expect(failure == .unreachable(address: "\(client.address)", reason: "connection refused"))
    }
}
