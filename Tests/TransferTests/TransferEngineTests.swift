import Foundation
import NIOConcurrencyHelpers
import Testing
import TestSupport
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

    @Test("a response truncated at its limit is used if the request allows truncation", arguments: [true, false])
    func cutAnswer(hasLength: Bool) async throws {
        try await FaultServer.with { _, _ in
            let length = hasLength ? ["Content-Length: 1000000000"] : []
            return [.send(FaultStep.head(201, headers: length)), .sendZeros(1_000_000_000)]
        } _: { server in
            let engine = try Self.engine()
            let answer = try await engine.perform(
                TransferRequest(url: server.baseURL, answerLimit: 1_024, cutsAnswer: true))
            #expect(answer.status == 201)
            #expect(answer.body.count == 1_024)
            await server.allClosed()
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

    @Test("a gzip response is decoded")
    func gzip() async throws {
        let body = Gzip.compressed(Array("The Left Hand of Darkness".utf8))
        try await FaultServer.with { _, _ in
            FaultStep.answer(headers: ["Content-Encoding: gzip"], body: body)
        } _: { server in
            let response = try await Self.engine().perform(TransferRequest(url: server.baseURL))
            #expect(String(decoding: response.body, as: UTF8.self) == "The Left Hand of Darkness")
            #expect(response.wireBytes == body.count)
        }
    }

    @Test("a corrupt gzip response is malformed")
    func brokenGzip() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(headers: ["Content-Encoding: gzip"], body: Array("no gzip".utf8))
        } _: { server in
            let error = await Self.failure(try Self.engine(), TransferRequest(url: server.baseURL))
            guard case .malformedAnswer = error else { throw Unexpected(error: error) }
        }
    }

    @Test(
        "a 20 MB response is rejected, whether or not its length is declared",
        arguments: [["Content-Length: 20000000"], []])
    func tooLarge(headers: [String]) async throws {
        try await FaultServer.with { _, _ in
            [.send(FaultStep.head(headers: headers)), .sendZeros(20_000_000), .close]
        } _: { server in
            let engine = try Self.engine()
            #expect(await Self.failure(engine, TransferRequest(url: server.baseURL)) == .tooLarge)
            await server.allClosed()
        }
    }

    @Test("a response larger than its request allows is rejected", arguments: [["Content-Length: 101"], []])
    func answerLimit(headers: [String]) async throws {
        try await FaultServer.with { _, _ in
            [.send(FaultStep.head(headers: headers)), .sendZeros(101), .close]
        } _: { server in
            let engine = try Self.engine()
            var request = TransferRequest(url: server.baseURL, answerLimit: 100)
            #expect(await Self.failure(engine, request) == .tooLarge)
            request.answerLimit = 101
            #expect(try await engine.perform(request).body.count == 101)
        }
    }

    @Test(
        "a gzip bomb is rejected by its compression ratio, long before it reaches the size limit",
        arguments: [true, false])
    func gzipBomb(isChunked: Bool) async throws {
        let bomb = Gzip.compressed([UInt8](repeating: 0, count: 1_000_000))
        let chunked = Array("\(String(bomb.count, radix: 16))\r\n".utf8) + bomb + Array("\r\n0\r\n\r\n".utf8)
        try await FaultServer.with { _, _ in
            isChunked
                ? [.send(FaultStep.head(headers: ["Content-Encoding: gzip", "Transfer-Encoding: chunked"]) + chunked)]
                : FaultStep.answer(headers: ["Content-Encoding: gzip"], body: bomb)
        } _: { server in
            let engine = try Self.engine()
            #expect(await Self.failure(engine, TransferRequest(url: server.baseURL)) == .tooLarge)
        }
    }

    @Test("a small response may have any compression ratio")
    func smallHighRatio() async throws {
        let zeros = [UInt8](repeating: 0, count: 200_000)
        try await FaultServer.with { _, _ in
            FaultStep.answer(headers: ["Content-Encoding: gzip"], body: Gzip.compressed(zeros))
        } _: { server in
            let response = try await Self.engine().perform(TransferRequest(url: server.baseURL))
            #expect(response.body.count == zeros.count)
        }
    }

    @Test("an endless response head is rejected")
    func longHead() async throws {
        let line = "X-Padding: " + String(repeating: "x", count: 1000)
        try await FaultServer.with { _, _ in
            [.send(FaultStep.head(headers: Array(repeating: line, count: 100)))]
        } _: { server in
            let engine = try Self.engine()
            #expect(await Self.failure(engine, TransferRequest(url: server.baseURL)) == .tooLarge)
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

    @Test("cancelling a task aborts its transfer and closes its connection")
    func cancels() async throws {
        try await FaultServer.with { _, _ in
            [.hang]
        } _: { server in
            let engine = try Self.engine()
            let call = Task { await Self.failure(engine, TransferRequest(url: server.baseURL)) }
            await server.requests(1)
            call.cancel()
            #expect(await call.value == .cancelled)
            await server.allClosed()
        }
    }

    @Test("calls that are cancelled right after their start succeed or end as cancelled, and the engine remains usable")
    func cancelledBefore() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let engine = try Self.engine()
            let calls = (0..<100).map { _ in
                let call = Task { await Self.failure(engine, TransferRequest(url: server.baseURL)) }
                call.cancel()
                return call
            }
            for call in calls {
                let error = await call.value
                #expect(error == nil || error == .cancelled)
            }
            _ = try await engine.perform(TransferRequest(url: server.baseURL))
        }
    }

    @Test("requests beyond the concurrency limit wait, and requests beyond the queue limit fail")
    func saturates() async throws {
        try await FaultServer.with { path, _ in
            path == "/hang" ? [.hang] : FaultStep.answer()
        } _: { server in
            let engine = try Self.engine(TransferLimits(concurrent: 1, queued: 1))
            let running = Task { await Self.failure(engine, TransferRequest(url: server.baseURL + "/hang")) }
            await server.requests(1)
            let request = TransferRequest(url: server.baseURL + "/waits")
            await withTaskGroup(of: TransferError?.self) { group in
                for _ in 0..<3 { group.addTask { await Self.failure(engine, request) } }
                #expect(await group.next() == .saturated)
                #expect(await group.next() == .saturated)
                #expect(server.arrivals.count == 1)
                running.cancel()
                #expect(await group.next() == TransferError?.none)
            }
            #expect(await running.value == .cancelled)
        }
    }

    @Test("a request whose deadline passes while it is queued fails without being sent")
    func queueDeadline() async throws {
        try await FaultServer.with { _, _ in
            [.hang]
        } _: { server in
            let engine = try Self.engine(TransferLimits(concurrent: 1))
            let running = Task { await Self.failure(engine, TransferRequest(url: server.baseURL)) }
            await server.requests(1)
            let late = TransferRequest(url: server.baseURL, deadline: .now.advanced(by: .milliseconds(50)))
            #expect(await Self.failure(engine, late) == .saturated)
            #expect(server.arrivals.count == 1)
            running.cancel()
            _ = await running.value
        }
    }

    @Test("a shutdown fails running, queued and later requests")
    func shutsDown() async throws {
        try await FaultServer.with { _, _ in
            [.hang]
        } _: { server in
            let engine = try Self.engine(TransferLimits(concurrent: 2))
            let calls = (0..<4).map { _ in
                Task { await Self.failure(engine, TransferRequest(url: server.baseURL)) }
            }
            await server.requests(2)
            await engine.shutdown()
            for call in calls { #expect(await call.value == .stopped) }
            #expect(await Self.failure(engine, TransferRequest(url: server.baseURL)) == .stopped)
            await engine.shutdown()
            await server.allClosed()
        }
    }

    @Test("an engine that is no longer referenced closes its connections")
    func letGo() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            do {
                let engine = try Self.engine()
                _ = try await engine.perform(TransferRequest(url: server.baseURL))
            }
            await server.allClosed()
        }
    }

    @Test("each of a thousand concurrent calls receives a response, over no more connections than allowed")
    func many() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let engine = try Self.engine(TransferLimits(concurrent: 16))
            let total = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<1000 {
                    group.addTask {
                        try await engine.perform(TransferRequest(url: server.baseURL + "/\(index)")).status
                    }
                }
                return try await group.reduce(0) { $0 + ($1 == 200 ? 1 : 0) }
            }
            #expect(total == 1000)
            #expect(server.connections <= 16)
        }
    }
}

/// An outcome that a test did not expect.
struct Unexpected: Error {
    let error: TransferError?
}
