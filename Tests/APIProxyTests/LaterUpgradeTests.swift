import BookstrackContract
import JSONRPC
import NIOConcurrencyHelpers
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("A WebSocket as a later request of a connection") struct LaterUpgradeTests {
    private static let request = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
    /// Answered on the event loop, without the router.
    private static let reading = "GET /v1/jobs/job-12345/results HTTP/1.1\r\nHost: a\r\n\r\n"

    private func used(_ proxy: RunningProxy, _ requests: [String] = [request, request]) async throws -> RawConnection {
        let connection = try await RawConnection(port: proxy.port)
        for request in requests {
            try await connection.send(request)
            _ = try await connection.answers(1)
        }
        return connection
    }

    @Test(
        "a later request becomes a WebSocket that works in both directions to its end",
        arguments: [[request, request], [reading, reading], [reading, request, reading]])
    func works(behind requests: [String]) async throws {
        try await RunningProxy.run(script: .init(rows: [["{}"]])) { proxy in
            let client = try await WebSocketClient(on: try await used(proxy, requests))
            #expect(client.head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            let (id, _) = try await proxy.host.nextOpened()
            for number in 1...3 {
                proxy.host.deliver("{\"seq\":\(number)}", to: [id], .event, seq: number)
                #expect(try await client.next().text == "{\"seq\":\(number)}")
                try await client.send("{\"number\":\(number)}")
                #expect(try await proxy.host.nextMessage().1 == "{\"number\":\(number)}")
            }
            proxy.host.close([id], .normal)
            #expect(try await client.next().closeCode == 1000)
            try await client.send(opcode: 8, [3, 232])
            #expect(try await client.connection.arrivals.take() == .end)
            #expect(proxy.services.hub.census.total == 0)
        }
    }

    @Test("requests and a WebSocket that are sent together are answered in order")
    func pipelined() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            let frame = WebSocketClient.frame(opcode: 1, Array("early".utf8))
            let requests = Self.request + UpgradeOfferTests.offers[0] + WebSocketClient.request()
            try await connection.send(Array(requests.utf8) + frame)
            #expect(try await connection.answers(3).map(\.status) == [200, 200, 101])
            #expect(try await proxy.host.nextMessage().1 == "early")
            let client = WebSocketClient(upgraded: connection)
            let (id, _) = try await proxy.host.nextOpened()
            proxy.host.deliver("{}", to: [id], .event, seq: 1)
            #expect(try await client.next().text == "{}")
        }
    }

    @Test("an offer that was not accepted before does not hinder")
    func afterOffers() async throws {
        try await RunningProxy.run { proxy in
            _ = try await WebSocketClient(on: try await used(proxy, UpgradeOfferTests.offers))
            _ = try await proxy.host.nextOpened()
        }
    }

    @Test("a refusal is an answer like any other, and the last one")
    func refused() async throws {
        try await RunningProxy.run { proxy in
            proxy.host.script.withLockedValue { $0.openFailure = .init(code: "UNAUTHORIZED", message: "no") }
            let connection = try await used(proxy)
            try await connection.send(WebSocketClient.request() + Self.request)
            let refused = try HTTPAnswer(try await connection.readToEnd())
            #expect(refused.status == 401)
            #expect(refused["connection"] == "close")
            #expect(proxy.services.hub.census.total == 0)
        }
    }

    @Test("a request without an upgrade leaves the connection to one with it")
    func upgradeRequired() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("GET /ws/progress?jobId=job-12345 HTTP/1.1\r\nHost: a\r\n\r\n")
            let plain = try await connection.answers(1)[0]
            #expect(plain.status == 426)
            #expect(plain["connection"] == "Upgrade")
            _ = try await WebSocketClient(on: connection)
        }
    }

    @Test("a server that stops tells it, and ends")
    func stops() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(on: try await used(proxy))
            async let ended: Void = proxy.shutdown()
            #expect(try await client.next().closeCode == 1012)
            try await client.send(opcode: 8, [3, 244])
            try await ended
        }
    }

    @Test("a client that leaves while the host is asked leaves nothing behind")
    func leavesEarly() async throws {
        try await RunningProxy.run(script: .init(isSilent: true)) { proxy in
            let connection = try await used(proxy)
            try await connection.send(WebSocketClient.request())
            while proxy.services.hub.census.total == 0 { await Task.yield() }
            await connection.close()
            while proxy.services.hub.census.total > 0 { await Task.yield() }
            _ = try await proxy.host.events.take { if case .closed = $0 { true } else { false } }
        }
    }
}
