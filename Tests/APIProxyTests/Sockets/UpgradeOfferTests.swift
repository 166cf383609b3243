import BookstrackContract
import Glibc
import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import SuiteMethods
import TestSupport
import Testing
@testable import APIProxy

@Suite("A connection on which upgrades are offered", .timeLimit(.minutes(2))) struct UpgradeOfferTests {
    private static let request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n"
    private static let lastRequest = request + "Connection: close\r\n\r\n"

    /// Offers that the server ignores; curl and Java, for example, send such offers.
    static let offers = [
        request + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
        request + "Upgrade: websocket\r\nConnection: upgrade\r\n\r\n",
        request + "Connection: keep-alive,Upgrade\r\nConnection: TE\r\nUpgrade: TLS/1.0, h2c\r\nUpgrade: x\r\n\r\n",
        request + "Connection: HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n", request + "Connection: Upgrade\r\n\r\n",
        request + "Connection: x-upgrade, upgraded\r\nUpgrade: h2c\r\n\r\n",
        request + "Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 5\r\n\r\nhello",
        request + "Connection: Upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ]

    @Test(
        "a request with an offer that is not accepted is handled as an ordinary request, and the connection stays open",
        arguments: offers)
    func livesOn(_ offer: String) async throws {
        try await RunningProxy.run { proxy in
            for port in [proxy.port, proxy.adminPort] {
                let connection = try await RawConnection(port: port)
                for request in [offer, offer, Self.request + "\r\n"] {
                    try await connection.send(request)
                    let answer = try await connection.answers(1)[0]
                    #expect(answer.status == 200)
                    #expect(answer["connection"] == nil)
                }
            }
        }
    }

    @Test("requests after an offer are answered in order, wherever their bytes are cut", arguments: offers)
    func pipelined(_ offer: String) throws {
        for piece in [1, 7, 10_000] {
            let connection = try EmbeddedConnection()
            var rest = Substring(offer + Self.request + "\r\n" + offer + Self.lastRequest + "more")
            while !rest.isEmpty {
                try connection.send(String(rest.prefix(piece)))
                rest = rest.dropFirst(piece)
            }
            #expect(connection.requests == 4)
            for isLast in [false, false, false, true] {
                try connection.answerRequest()
                #expect(try connection.answer()["connection"] == (isLast ? "close" : nil))
            }
        }
    }

    @Test(
        "a request with an ambiguous upgrade offer is the last one on its connection",
        arguments: ["Connection: upgrade\t, x\r\nUpgrade: h2c", "Connection: upgrade\r\nUpgrade:"])
    func unclear(_ fields: String) async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(Self.request + fields + "\r\n\r\n" + Self.lastRequest)
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(answer.status == 200)
            #expect(answer["connection"] == "close")
        }
    }

    @Test(
        "a WebSocket request waits for the response before it, and too many bytes sent until then close the connection")
    func waits() throws {
        let connection = try EmbeddedConnection()
        try connection.send(Self.request + "\r\n")
        #expect(connection.reads())
        try connection.send(WebSocketClient.request() + "early")
        #expect(!connection.reads())
        try connection.send(String(repeating: "x", count: RequestInput.maxKeptBytes - 5))
        #expect(connection.isOpen)
        try connection.send("x")
        #expect(!connection.isOpen)
    }

    @Test("a WebSocket request that is waiting when the server stops is refused after the response before it")
    func stopped() throws {
        let connection = try EmbeddedConnection()
        try connection.send(Self.request + "\r\n" + WebSocketClient.request())
        connection.stop()
        try connection.answerRequest()
        var bytes = try connection.received()
        let answers = [try HTTPAnswer.takeFirst(of: &bytes), try HTTPAnswer.takeFirst(of: &bytes)]
        #expect(answers.map { $0?.status } == [200, 503])
        #expect(answers.map { $0?["connection"] } == [nil, "close"])
    }

    @Test("if the decoder stops for an unknown reason, the connection is closed instead of buffering endlessly")
    func bounded() throws {
        let channel = EmbeddedChannel(handler: RequestInput())
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/nowhere"), promise: nil)
        try channel.writeInbound(ByteBuffer(string: Self.offers[0]))
        for _ in 0...RequestInput.maxKeptBytes >> 16 {
            try channel.writeInbound(ByteBuffer(repeating: 0x20, count: 1 << 16))
        }
        #expect(!channel.isActive)
    }
}

// MARK: Floods

extension UpgradeOfferTests {
    struct Flooded: Sendable, CustomTestStringConvertible {
        var what: String
        var requests: String
        var isAdmin = false
        var testDescription: String { what }
    }

    static let flooded = [
        Flooded(what: "after an answered offer", requests: offers[0]),
        Flooded(what: "after an answered offer on the admin listener", requests: offers[0], isAdmin: true),
        Flooded(what: "after an offer on a slow request", requests: slow("Connection: Upgrade\r\nUpgrade: h2c\r\n")),
        Flooded(what: "after a waiting WebSocket request", requests: slow("") + WebSocketClient.request()),
        Flooded(what: "while progress-host is deciding on an upgrade", requests: WebSocketClient.request()),
        Flooded(what: "after the last request", requests: slow("Connection: close\r\n")),
    ]

    /// A request that the silent progress-host leaves unanswered.
    private static func slow(_ fields: String) -> String {
        "GET /v1/jobs/job-12345 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer t\r\n\(fields)\r\n"
    }

    /// Number of bytes that only a server without a limit accepts. It exceeds the kernel's buffers on both sides (`net.ipv4.tcp_rmem`,
    /// `net.ipv4.tcp_wmem`) plus what api-proxy drops before it closes the connection.
    private static let endless = 256 << 20

    @Test("a client cannot make the server accept bytes endlessly", arguments: flooded)
    func floods(_ flooded: Flooded) async throws {
        try await RunningProxy.run(script: .init(isSilent: true)) { proxy in
            let port = flooded.isAdmin ? proxy.adminPort : proxy.port
            let taken = try Self.bytesTaken(port: port, behind: flooded.requests, atMost: Self.endless)
            #expect(taken < Self.endless)
            // Calls that progress-host has not answered would delay the end of the test.
            await proxy.host.stop()
        }
    }

    /// The number of bytes that the server and its kernel accept after `requests` before the connection ends or blocks.
    private static func bytesTaken(port: Int, behind requests: String, atMost limit: Int) throws -> Int {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let connected = try SocketAddress(ipAddress: "127.0.0.1", port: port).withSockAddr {
            connect(descriptor, $0, socklen_t($1))
        }
        try #require(connected == 0)
        let flags = CInt(MSG_NOSIGNAL)
        let sent = send(descriptor, requests, requests.utf8.count, flags)
        try #require(sent == requests.utf8.count)
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        var taken = 0
        while taken < limit {
            var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&asked, 1, 300) > 0 else { break }
            let sent = send(descriptor, chunk, chunk.count, flags | CInt(MSG_DONTWAIT))
            guard sent > 0 else { break }
            taken += sent
        }
        return taken
    }
}

@Suite("A WebSocket upgrade as a later request on a connection", .timeLimit(.minutes(2))) struct LaterUpgradeTests {
    private static let request = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
    /// A request that is answered on the event loop, without the router.
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
        "a later request can be upgraded to a WebSocket that works in both directions until it ends",
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
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test("requests and a WebSocket request that are sent together are answered in order")
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

    @Test("an earlier offer that was not accepted does not prevent an upgrade")
    func afterOffers() async throws {
        try await RunningProxy.run { proxy in
            _ = try await WebSocketClient(on: try await used(proxy, UpgradeOfferTests.offers))
            _ = try await proxy.host.nextOpened()
        }
    }

    @Test("a refused upgrade receives an ordinary response, which is the connection's last")
    func refused() async throws {
        try await RunningProxy.run { proxy in
            proxy.host.script.withLockedValue { $0.openFailure = .init(code: "UNAUTHORIZED", message: "no") }
            let connection = try await used(proxy)
            try await connection.send(WebSocketClient.request() + Self.request)
            let refused = try HTTPAnswer(try await connection.readToEnd())
            #expect(refused.status == 401)
            #expect(refused["connection"] == "close")
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test("after a 426 response, the connection can still be upgraded")
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

    @Test("a stopping server closes the WebSocket with 1012 and ends")
    func stops() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(on: try await used(proxy))
            async let ended: Void = proxy.shutdown()
            #expect(try await client.next().closeCode == 1012)
            try await client.send(opcode: 8, [3, 244])
            try await ended
        }
    }

    @Test("a client that disconnects while progress-host is deciding leaves nothing behind")
    func leavesEarly() async throws {
        try await RunningProxy.run(script: .init(isSilent: true)) { proxy in
            let connection = try await used(proxy)
            try await connection.send(WebSocketClient.request())
            try await until { proxy.services.hub.socketLimiter.total > 0 }
            await connection.close()
            try await until { proxy.services.hub.socketLimiter.total == 0 }
            _ = try await proxy.host.events.take { if case .closed = $0 { true } else { false } }
        }
    }
}
