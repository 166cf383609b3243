import BookstrackContract
import JSONRPC
import NIOConcurrencyHelpers
import NIOHTTP1
import SuiteMethods
import TestSupport
import Testing
@testable import APIProxy

@Suite("Opening a socket", .timeLimit(.minutes(2))) struct SocketUpgradeTests {
    private func refusal(
        _ proxy: RunningProxy, query: String = "jobId=job-12345&token=t", fields: [String] = [],
        upgrade: [String] = ["Upgrade: websocket", "Connection: Upgrade"]
    ) async throws -> HTTPAnswer {
        do {
            _ = try await WebSocketClient(port: proxy.port, query: query, fields: fields, upgrade: upgrade)
        } catch let refused as WebSocketClient.Refused {
            return refused.answer
        }
        throw RPCError.notConnected
    }

    @Test("a socket is opened with the client's parameters, and the accept key is correct")
    func opens() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(
                port: proxy.port, query: "jobId=job-12345&token=tok-1&reconnect=true&since=17&protocol=1")
            #expect(client.head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            let (_, request) = try await proxy.host.nextOpened()
            #expect(request.jobId.text == "job-12345")
            #expect(request.token == "tok-1")
            #expect(request.reconnect)
            #expect(request.since == 17)
            #expect(request.v1)
            try await client.send(#"{"type":"ready"}"#)
            #expect(try await proxy.host.nextMessage().1 == #"{"type":"ready"}"#)
        }
    }

    @Test("a socket may request to follow the results, and nothing else can be followed")
    func follows() async throws {
        try await RunningProxy.run { proxy in
            _ = try await WebSocketClient(port: proxy.port, query: "jobId=job-12345&token=t&follow=results")
            #expect(try await proxy.host.nextOpened().1.followsResults == true)
            _ = try await WebSocketClient(port: proxy.port, query: "jobId=job-12345&token=t")
            #expect(try await proxy.host.nextOpened().1.followsResults == nil)
            #expect(try await refusal(proxy, query: "jobId=job-12345&token=t&follow=all").status == 400)
        }
    }

    @Test("the 101 response contains the API version, the request identifier and the response time")
    func identity() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port, fields: ["X-Request-Id: req-1"])
            let accepted = try HTTPAnswer(Array((client.head + "\r\n\r\n").utf8))
            #expect(accepted["x-api-version"] == "2.1")
            #expect(accepted["x-request-id"] == "req-1")
            #expect(accepted["x-response-time"]?.hasSuffix("ms") == true)
        }
    }

    @Test("the token may be in the Authorization header or in the subprotocol, which is echoed exactly")
    func tokens() async throws {
        try await RunningProxy.run { proxy in
            _ = try await WebSocketClient(
                port: proxy.port, query: "jobId=job-12345", fields: ["authorization: bearer tok-h"])
            #expect(try await proxy.host.nextOpened().1.token == "tok-h")
            let client = try await WebSocketClient(
                port: proxy.port, query: "jobId=job-12345",
                fields: ["Sec-WebSocket-Protocol: chat, bookstrack-auth.tok-P.~_1"])
            #expect(try await proxy.host.nextOpened().1.token == "tok-P.~_1")
            #expect(client.head.contains("Sec-WebSocket-Protocol: bookstrack-auth.tok-P.~_1"))
            _ = try await WebSocketClient(port: proxy.port, query: "jobId=job-12345")
            #expect(try await proxy.host.nextOpened().1.token == nil)
        }
    }

    @Test(
        "upgrade fields may be repeated and are case-insensitive",
        arguments: [
            ["upgrade: WebSocket", "connection: UPGRADE"],
            ["Upgrade: websocket", "Upgrade: websocket", "Connection: Upgrade", "Connection: Upgrade"],
            ["Upgrade: websocket", "Connection: keep-alive, Upgrade"],
        ])
    func repeated(_ upgrade: [String]) async throws {
        try await RunningProxy.run { proxy in
            _ = try await WebSocketClient(port: proxy.port, upgrade: upgrade)
            _ = try await proxy.host.nextOpened()
        }
    }

    @Test(
        "a WebSocket's target may have empty segments or be absolute",
        arguments: ["//ws/progress", "/ws/progress/", "http://localhost/ws/progress"])
    func targets(path: String) async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            _ = try await WebSocketClient(on: connection, asking: WebSocketClient.request(path: path))
            let (_, request) = try await proxy.host.nextOpened()
            #expect(request.jobId.text == "job-12345")
            #expect(request.token == "tok-1")
        }
    }

    @Test("a refused upgrade has the documented status, and an upgrade offer on another path is ignored")
    func refusals() async throws {
        try await RunningProxy.run { proxy in
            let noJob = try await refusal(proxy, query: "token=t")
            #expect(noJob.status == 400)
            #expect(try noJob.failure.code == .invalidRequest)
            #expect(try await refusal(proxy, query: "jobId=x").status == 400)
            #expect(try await refusal(proxy, query: "jobId=job-12345&since=-1").status == 400)
            let origin = try await refusal(proxy, fields: ["Origin: https://evil.example"])
            #expect(origin.status == 403)
            #expect(try origin.failure.code == .forbidden)
            let plain = try await proxy.request("GET", "/ws/progress?jobId=job-12345&token=t")
            #expect(plain.status == 426)
            #expect(plain["upgrade"] == "websocket")
            #expect(try await proxy.request("GET", "/ws/progress").status == 400)
            #expect(try await proxy.request("GET", "/ws/jobs").status == 426)
            let elsewhere = try await proxy.request(
                "GET", "/health/live", fields: ["Upgrade: websocket", "Connection: Upgrade"])
            #expect(elsewhere.status == 200)
            let other = try await refusal(proxy, upgrade: ["Upgrade: h2c", "Connection: Upgrade, close"])
            #expect(other.status == 426)
            #expect(proxy.host.events.elements.isEmpty)
        }
    }

    @Test(
        "a request for an unsupported WebSocket version is refused with a 426 that states the supported version",
        arguments: ["12", "0"])
    func version(_ version: String) async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "GET /ws/progress?jobId=job-12345 HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Key: \(WebSocketClient.key)\r\nSec-WebSocket-Version: \(version)\r\n\r\n")
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(answer.status == 426)
            #expect(answer["sec-websocket-version"] == "13")
            #expect(answer["upgrade"] == "websocket")
            #expect(answer.fields.filter { $0.name == "connection" }.map(\.value) == ["Upgrade", "close"])
        }
    }

    @Test("a refusal by progress-host keeps its status, and unknown jobs and wrong tokens receive the same response")
    func hostRefuses() async throws {
        try await RunningProxy.run { proxy in
            for (code, status) in [
                ("UNAUTHORIZED", 401), ("TOKEN_EXPIRED", 401), ("TOO_MANY_CONNECTIONS", 429),
                ("SERVICE_UNAVAILABLE", 503),
            ] {
                proxy.host.script.withLockedValue { $0.openFailure = .init(code: code, message: "because \(code)") }
                let answer = try await refusal(proxy)
                #expect(answer.status == status)
                #expect(answer["date"] != nil)
                #expect(try answer.failure.code.rawValue == code)
                if code == "UNAUTHORIZED" { #expect(try answer.failure.message == APIFailure.unauthorized.message) }
                if status != 401 { #expect(answer["retry-after"] != nil) }
            }
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test("while progress-host is down, an upgrade request receives a 503 with Retry-After")
    func hostDown() async throws {
        try await RunningProxy.run(startsHost: false) { proxy in
            let answer = try await refusal(proxy)
            #expect(answer.status == 503)
            #expect(answer["retry-after"] != nil)
        }
    }

    @Test("a socket beyond the limit for one job is refused with a 429, and one beyond the total limit with a 503")
    func tooMany() async throws {
        try await RunningProxy.run {
            $0.socketLimits = SocketLimits(total: 3, perJob: 2, perAddress: 10)
        } _: { proxy in
            let one = try await WebSocketClient(port: proxy.port)
            let two = try await WebSocketClient(port: proxy.port)
            #expect(try await refusal(proxy).status == 429)
            let three = try await WebSocketClient(port: proxy.port, query: "jobId=job-other&token=t")
            let full = try await refusal(proxy, query: "jobId=job-third&token=t")
            #expect(full.status == 503)
            #expect(full["retry-after"] != nil)
            await one.connection.close()
            _ = try await proxy.host.events.take { if case .closed = $0 { true } else { false } }
            let four = try await WebSocketClient(port: proxy.port)
            for client in [two, three, four] { await client.connection.close() }
        }
    }

    @Test(
        "a client that disconnects while progress-host is deciding leaves nothing behind"
    )
    func leavesEarly() async throws {
        try await RunningProxy.run(script: .init(isSilent: true)) { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(WebSocketClient.request())
            try await until { proxy.services.hub.socketLimiter.total > 0 }
            await connection.close()
            try await until { proxy.services.hub.socketLimiter.total == 0 }
            _ = try await proxy.host.events.take { if case .closed = $0 { true } else { false } }
        }
    }
}

@Suite("Deciding whether a request is an upgrade") struct UpgradeDecisionTests {
    private func decide(
        _ uri: String, _ fields: [(String, String)], method: HTTPMethod = .GET, version: HTTPVersion = .http1_1
    ) -> UpgradeDecision {
        UpgradeDecision(
            HTTPRequestHead(version: version, method: method, uri: uri, headers: HTTPHeaders(fields)))
    }

    private let upgrade = [
        ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", WebSocketClient.key),
    ]

    @Test("a request is an upgrade only if it is an HTTP/1.1 GET request for a WebSocket on a WebSocket path")
    func http() {
        let uri = "/ws/progress?jobId=job-12345"
        #expect(decide(uri, []) == .http)
        #expect(decide(uri, upgrade, method: .POST) == .http)
        #expect(decide("/ws/other?jobId=job-12345", upgrade) == .http)
        #expect(decide(uri, upgrade, version: .http1_0) == .http)
        guard case .ask(.job(let request)) = decide(uri, upgrade) else {
            Issue.record("the request was not passed to progress-host")
            return
        }
        #expect(request.jobId.text == "job-12345")
        #expect(request.token == nil)
        #expect(!request.reconnect)
        #expect(request.since == nil)
        #expect(decide("/ws/jobs", upgrade) == .ask(.jobs))
        #expect(decide("/ws/jobs", []) == .http)
    }

    @Test(
        "a WebSocket key that is missing, repeated or of the wrong length is refused",
        arguments: [[], ["short"], [WebSocketClient.key, WebSocketClient.key]])
    func keys(_ keys: [String]) {
        let fields = upgrade.dropLast() + keys.map { ("Sec-WebSocket-Key", $0) }
        guard case .refuse(let failure) = decide("/ws/progress?jobId=job-12345", Array(fields)) else {
            Issue.record("the request was not refused")
            return
        }
        #expect(failure.code == .invalidRequest)
    }
}
