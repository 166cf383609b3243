import Foundation
import TestSupport
import Testing
import Transfer

@Suite("The transfer engine", .timeLimit(.minutes(1)))
struct TransferEngineTests {
    static let agent = UserAgent(version: "1.0", contact: "books@example.org")!
    static func engine(_ limits: TransferLimits = TransferLimits()) throws -> TransferEngine {
        try TransferEngine(userAgent: agent, limits: limits)
    }

    static func failure(
        _ engine: TransferEngine, _ request: TransferRequest
    ) async -> TransferError? {
        do throws(TransferError) {
            _ = try await engine.perform(request)
            return nil
        } catch {
            return error
        }
    }

    @Test("a response contains status and body, and the request contains the User-Agent and asks for compression")
    func answers() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(404, headers: ["Retry-After: 7"])
        } _: { server in
            let engine = try Self.engine()
            let accept = try #require(HeaderField(name: "Accept", value: "application/json"))
            let response = try await engine.perform(TransferRequest(url: server.baseURL + "/a?b=c", headers: [accept]))
            #expect(response.status == 404)
            #expect(response.body == Data("ok".utf8))
            #expect(response.retryAfter == "7")
            let head = try #require(server.arrivals.first?.head)
            #expect(head.hasPrefix("GET /a?b=c HTTP/1.1"))
            #expect(head.contains("User-Agent: BooksTrack/1.0 (books@example.org; gzip)"))
            #expect(head.contains("Accept-Encoding: deflate, gzip, br"))
            #expect(head.contains("Accept: application/json"))
        }
    }

    @Test("a request with an explicit address is sent to that address, whatever its host name")
    func address() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let engine = try Self.engine()
            let request = TransferRequest(
                url: "http://nowhere.invalid:\(server.port)/", address: TargetAddress("127.0.0.1"))
            #expect(try await engine.perform(request).status == 200)
            #expect(server.arrivals.first?.head.contains("Host: nowhere.invalid:\(server.port)") == true)
        }
    }

    @Test("addresses are formatted as in URLs", arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "[0:0:0:0:0:0:0:1]")])
    func addressText(text: String, written: String) throws {
        #expect(try #require(TargetAddress(text)).description == written)
    }

    @Test("successive requests share one connection")
    func reuses() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let engine = try Self.engine()
            for index in 0..<50 {
                let response = try await engine.perform(TransferRequest(url: server.baseURL + "/\(index)"))
                #expect(response.reusedConnection == (index > 0))
            }
            #expect(server.connections == 1)
        }
    }

    @Test("a server that does not respond causes a first-byte timeout")
    func slowHead() async throws {
        try await FaultServer.with { _, _ in
            [.hang]
        } _: { server in
            let engine = try Self.engine()
            let request = TransferRequest(
                url: server.baseURL, timeouts: TransferTimeouts(firstByte: .milliseconds(300)))
            #expect(await Self.failure(engine, request) == .timedOut(.firstByte))
        }
    }

    @Test("a body that stalls causes a total timeout")
    func slowBody() async throws {
        try await FaultServer.with { _, _ in
            [.send(FaultStep.head(headers: ["Content-Length: 100"])), .send([1, 2, 3]), .hang]
        } _: { server in
            let engine = try Self.engine()
            let request = TransferRequest(url: server.baseURL, timeouts: TransferTimeouts(total: .milliseconds(2_500)))
            #expect(await Self.failure(engine, request) == .timedOut(.total))
        }
    }

    @Test("a slow response within the timeouts arrives complete")
    func slowButInTime() async throws {
        try await FaultServer.with { _, _ in
            [
                .pause(.milliseconds(20)), .send(FaultStep.head(headers: ["Content-Length: 2"])),
                .pause(.milliseconds(20)), .send(Array("o".utf8)), .pause(.milliseconds(20)), .send(Array("k".utf8)),
            ]
        } _: { server in
            let response = try await Self.engine().perform(TransferRequest(url: server.baseURL))
            #expect(response.body == Data("ok".utf8))
        }
    }

    @Test(
        "broken connections are reported as connection errors",
        arguments: [
            [FaultStep.reset], [.close], [.send(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .reset],
            [.send(FaultStep.head(headers: ["Content-Length: 100"])), .send([1, 2, 3]), .close],
            [.send(FaultStep.head(headers: ["Transfer-Encoding: chunked"])), .send(Array("5\r\nab".utf8)), .reset],
        ])
    func broken(steps: [FaultStep]) async throws {
        try await FaultServer.with { _, _ in
            steps
        } _: { server in
            let error = await Self.failure(try Self.engine(), TransferRequest(url: server.baseURL))
            guard case .connectionFailed(.broken, _) = error else { throw Unexpected(error: error) }
        }
    }

    @Test("a POST request sends its body with its length and media type")
    func posts() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let type = try #require(HeaderField(name: "Content-Type", value: "application/json"))
            let request = TransferRequest(
                url: server.baseURL + "/books", headers: [type], body: TransferBody([.text(#"{"isbns":[]}"#)]))
            #expect(try await Self.engine().perform(request).status == 200)
            let head = try #require(server.arrivals.first?.head)
            #expect(head.hasPrefix("POST /books HTTP/1.1\r\n"))
            #expect(head.contains("Content-Type: application/json\r\n"))
            #expect(head.contains("Content-Length: 12"))
        }
    }

    @Test("a port with no listener is reported as a connection error")
    func refused() async throws {
        let server = try await FaultServer { _, _ in [] }
        try await server.stop()
        let error = await Self.failure(try Self.engine(), TransferRequest(url: server.baseURL))
        guard case .connectionFailed(.unreachable, _) = error else { throw Unexpected(error: error) }
    }

    @Test("a response that is not HTTP is malformed")
    func noHTTP() async throws {
        try await FaultServer.with { _, _ in
            [.send(Array("SSH-2.0-OpenSSH\r\n\r\n".utf8)), .close]
        } _: { server in
            let error = await Self.failure(try Self.engine(), TransferRequest(url: server.baseURL))
            guard case .malformedAnswer = error else { throw Unexpected(error: error) }
        }
    }

    @Test("a redirect is returned as a response with an absolute target", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        try await FaultServer.with { _, _ in
            FaultStep.redirect("../books/OL1M.json", status: status)
        } _: { server in
            let response = try await Self.engine().perform(TransferRequest(url: server.baseURL + "/isbn/1"))
            #expect(response.status == status)
            #expect(response.redirectTarget == server.baseURL + "/books/OL1M.json")
            #expect(server.arrivals.count == 1)
        }
    }

    @Test(
        "a redirect to another origin never connects to a private address, whether given as a number or as a name",
        arguments: ["127.0.0.1", "localhost"])
    func privateAddress(host: String) async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let engine = try Self.engine()
            let request = TransferRequest(url: "https://\(host):\(server.port)/", trust: .foreign)
            #expect(await Self.failure(engine, request) == .privateAddress)
            #expect(server.connections == 0)
        }
    }

    @Test("a redirect to another origin must use https, and local files are never read")
    func protocols() async throws {
        let engine = try Self.engine()
        for request in [
            TransferRequest(url: "http://example.org/", trust: .foreign), TransferRequest(url: "file:///etc/hostname"),
            TransferRequest(url: ""), TransferRequest(url: "http://exa mple/"),
        ] {
            guard case .invalidRequest = await Self.failure(engine, request) else {
                Issue.record("\(request.url) was not refused")
                continue
            }
        }
    }
}

/// Thrown when a transfer succeeds (nil) or fails with an error other than the expected one.
struct Unexpected: Error {
    let error: TransferError?
}
