import BookstrackContract
import TestSupport
import Testing
@testable import APIProxy

@Suite("Limits and codings of request bodies") struct BodyLimitTests {
    @Test(
        "a client can reserve only its share of the total body bytes, and released bytes become available again"
    )
    func budget() throws {
        let budget = BodyBudget(limit: 100, share: 60)
        let (one, two) = (try client("192.0.2.1"), try client("192.0.2.2"))
        try budget.take(60, of: one)
        #expect(throws: APIFailure.self) { try budget.take(1, of: one) }
        try budget.take(40, of: two)
        #expect(throws: APIFailure.self) { try budget.take(1, of: two) }
        budget.giveBack(60, of: one)
        try budget.take(20, of: two)
        try budget.take(40, of: one)
        #expect(throws: APIFailure.self) { try budget.take(1, of: one) }
    }

    @Test("a client with unfinished bodies does not prevent others from starting a job")
    func unfinished() async throws {
        try await RunningProxy.run { proxy in
            let mebibyte = [UInt8](repeating: 0x20, count: 1 << 20)
            var held: [RawConnection] = []
            for _ in 0..<2 {
                let connection = try await RawConnection(port: proxy.port)
                try await connection.send(
                    "POST /v1/enrichment/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(16 << 20)\r\n\r\n")
                for _ in 0..<15 { try await connection.send(mebibyte) }
                try await connection.send(Array(mebibyte.dropLast()))
                held.append(connection)
            }
            var status = 0
            let body = String(repeating: " ", count: 1_000) + #"{"isbns":["9780441172719"]}"#
            // The server reads the sent bytes asynchronously.
            while status != 503 { status = try await proxy.post("/v1/enrichment/batch", body).status }
            let other = try await RawConnection(port: proxy.port, from: "127.0.0.2")
            try await other.send(
                "POST /v1/enrichment/batch HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let answer = try HTTPAnswer(try await other.readToEnd())
            #expect(answer.status == 202)
            for connection in held { await connection.close() }
        }
    }

    @Test(
        "a compressed request body is refused with a 415 that names the accepted coding",
        arguments: ["/v1/enrichment/batch", "/v1/books/enrich", "/v1/csv/import", "/api/scan-bookshelf", "/v1/events"])
    func coded(path: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post(path, "{}", fields: ["Content-Encoding: identity, GZip"])
            #expect(answer.status == 415)
            #expect(answer["accept-encoding"] == "identity")
            #expect(try answer.failure.details?["contentEncoding"] == "gzip")
            let plain = try await proxy.post(path, "{}", fields: ["Content-Encoding: identity"])
            #expect(plain["accept-encoding"] == nil)
        }
    }

    @Test("a body is limited to 64 KiB on routes that take only short values, but not on the route that starts batches")
    func perRoute() async throws {
        try await RunningProxy.run { proxy in
            let padding = String(repeating: " ", count: 64 << 10)
            for path in [
                "/v1/token/refresh", "/api/token/refresh", "/api/enrichment/cancel", "/v1/jobs/job-12345/retry",
            ] {
                let answer = try await proxy.post(path, padding + "{}")
                #expect(answer.status == 413, "\(path)")
                #expect(try answer.failure.details == ["limit": 65_536])
            }
            let started = try await proxy.post("/v1/enrichment/batch", padding + #"{"isbns":["9780441172719"]}"#)
            #expect(started.status == 202)
        }
    }
}

@Suite("Request bodies that no route reads") struct UnreadBodyTests {
    /// A request that is answered without its body being read.
    struct Case: Sendable, CustomTestStringConvertible {
        var line: String
        var status: Int
        var testDescription: String { line }
    }

    static let cases = [
        Case(line: "POST /nowhere", status: 404), Case(line: "PATCH /v1/enrichment/batch", status: 405),
        Case(line: "GET /health/live", status: 200), Case(line: "OPTIONS /v1/enrichment/batch", status: 204),
        Case(line: "POST /v1/enrichment/batch", status: 415),
    ]

    private func head(_ wanted: Case, _ framing: String) -> String {
        "\(wanted.line) HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n\(framing)\r\n\r\n"
    }

    private func nextBytes(_ connection: RawConnection) async throws -> [UInt8] {
        guard case .bytes(let bytes) = try await connection.arrivals.take() else { return [] }
        return bytes
    }

    @Test("a request with an endless chunked body is answered, and the connection is closed", arguments: cases)
    func endless(wanted: Case) async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port, sendsOn: true)
            let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 20) + Array("\r\n".utf8)
            try await connection.send(head(wanted, "Transfer-Encoding: chunked") + "1\r\n \r\n")
            let answer = try HTTPAnswer(try await nextBytes(connection))
            #expect(answer.status == wanted.status)
            #expect(answer["connection"] == "close")
            var sent = 0
            while sent < 64, (try? await connection.send(chunk)) != nil { sent += 1 }
            #expect(sent < 64)
            #expect(try await connection.readToEnd().isEmpty)
        }
    }

    @Test("a declared body that never arrives does not delay the response", arguments: cases)
    func missing(wanted: Case) async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(head(wanted, "Content-Length: 100"))
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(answer.status == wanted.status)
            #expect(answer["connection"] == "close")
        }
    }

    @Test("the connection stays open after a complete body that no route reads", arguments: cases)
    func complete(wanted: Case) async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(head(wanted, "Content-Length: 5") + "hello")
            let first = try HTTPAnswer(try await nextBytes(connection))
            #expect(first.status == wanted.status)
            #expect(first["connection"] != "close")
            try await connection.send("GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try HTTPAnswer(try await connection.readToEnd()).status == 200)
        }
    }

    @Test(
        "an upgrade request with a body is refused", arguments: ["Transfer-Encoding: chunked", "Content-Length: 100"])
    func upgrade(framing: String) async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "GET /ws/progress?jobId=job-12345&token=T HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\(framing)\r\n\r\n")
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(answer.status == 400)
            #expect(answer["connection"] == "close")
        }
    }
}
