import BookstrackContract
import Glibc
import Logging
import NIOCore
import ServiceKit
import TestSupport
import Testing

@testable import APIProxy

@Suite("Connection limits", .timeLimit(.minutes(1))) struct ConnectionLimitTests {
    private static let request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    /// Connects, sends a request, and returns the status of the response.
    private func status(_ proxy: RunningProxy, from address: String = "127.0.0.1") async throws -> Int {
        let connection = try await RawConnection(port: proxy.port, from: address)
        try? await connection.send(Self.request)
        let status = try HTTPAnswer(try await connection.readToEnd()).status
        await connection.close()
        return status
    }

    /// Opens a connection, and returns it after the first response, still open.
    private func open(_ proxy: RunningProxy) async throws -> RawConnection {
        let connection = try await RawConnection(port: proxy.port)
        try await connection.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try await connection.arrivals.take()
        return connection
    }

    @Test("connections from one address beyond the limit receive a 429, and other addresses are still served")
    func perAddress() async throws {
        try await RunningProxy.run {
            $0.connectionLimits = ConnectionLimits(total: 20, perAddress: 3)
        } _: { proxy in
            var held: [RawConnection] = []
            for _ in 0..<3 { held.append(try await open(proxy)) }
            for _ in 0..<5 {
                let refused = try await status(proxy)
                #expect(refused == 429)
            }
            let other = try await status(proxy, from: "127.0.0.2")
            #expect(other == 200)
            #expect(proxy.readings("bookstrack_http_connections_refused_total")[["address"]] == 5)
            #expect(
                proxy.log.texts(at: .warning) == ["one address has too many connections; new ones are refused"])
            await held.removeLast().close()
            try await until { try await status(proxy) != 429 }
        }
    }

    @Test("connections from a trusted proxy are limited only by the total and receive a 503 beyond it")
    func total() async throws {
        try await RunningProxy.run {
            $0.connectionLimits = ConnectionLimits(total: 8, perAddress: 2)
            $0.trustedProxies.blocks = [AddressBlock("127.0.0.1/32")].compactMap { $0 }
        } _: { proxy in
            var held: [RawConnection] = []
            for _ in 0..<8 { held.append(try await open(proxy)) }
            let refused = try await status(proxy)
            #expect(refused == 503)
            #expect(proxy.readings("bookstrack_http_connections_refused_total")[["total"]] == 1)
            for connection in held { await connection.close() }
            try await until { try await status(proxy) != 503 }
        }
    }

    @Test("WebSockets have their own limits and leave connections free for requests")
    func sockets() async throws {
        try await RunningProxy.run {
            $0.connectionLimits = ConnectionLimits(total: 20, perAddress: 2)
        } _: { proxy in
            var sockets: [WebSocketClient] = []
            while sockets.count < 5 {
                // The previous connection counts toward the connection limit until its upgrade is complete.
                if let socket = try? await WebSocketClient(port: proxy.port) { sockets.append(socket) }
            }
            let held = try await open(proxy)
            try await until { try await status(proxy) != 429 }
            #expect(proxy.services.hub.socketLimiter.total == 5)
            await held.close()
        }
    }

    @Test("event streams count toward the WebSocket limits and leave connections free for requests")
    func streams() async throws {
        try await RunningProxy.run {
            $0.connectionLimits = ConnectionLimits(total: 20, perAddress: 2)
        } _: { proxy in
            var streams: [EventStreamClient] = []
            while streams.count < 5 {
                let stream = try await EventStreamClient(port: proxy.port, "/v1/jobs/job-12345/events", token: "t")
                streams.append(stream)
                #expect(try await stream.head().status == 200)
            }
            let held = try await open(proxy)
            #expect(try await status(proxy) == 200)
            #expect(proxy.services.hub.socketLimiter.total == 5)
            await held.close()
            for stream in streams { await stream.connection.close() }
        }
    }

    @Test("a connection whose event stream has ended counts toward the limit of its address again")
    func endedStream() async throws {
        try await RunningProxy.run {
            $0.connectionLimits = ConnectionLimits(total: 20, perAddress: 2)
        } _: { proxy in
            let stream = try await EventStreamClient(port: proxy.port, "/v1/jobs/job-12345/events", token: "t")
            let (id, _) = try await proxy.host.nextOpened()
            #expect(try await stream.head().status == 200)
            let held = try await open(proxy)
            #expect(try await status(proxy) == 200)
            proxy.host.close([id], .normal)
            #expect(try await stream.next() == nil)
            #expect(try await status(proxy) == 429)
            await held.close()
            await stream.connection.close()
        }
    }

    @Test("one address may use at most three quarters of all connections, and always at least one")
    func share() {
        #expect(ConnectionLimits(total: 1_100, perAddress: 2_000).perAddress == 825)
        #expect(ConnectionLimits(total: 1, perAddress: 5).perAddress == 1)
    }

    @Test("the connection limit is lowered to fit the available file descriptors")
    func descriptors() throws {
        var settings = ProxySettings(try Settings.load(arguments: [], environment: [:]))
        #expect(settings.connectionLimits == ConnectionLimits(total: 19_000, perAddress: 1_000))
        settings.fitConnections(to: 20_000, RecordingLog().logger)
        #expect(settings.connectionLimits == ConnectionLimits(total: 19_000, perAddress: 1_000))
        let log = RecordingLog()
        settings.fitConnections(to: 1_024, log.logger)
        #expect(settings.connectionLimits == ConnectionLimits(total: 768, perAddress: 576))
        #expect(log.texts(at: .warning).count == 1)
    }

    @Test("if file descriptors or kernel memory run out, accepting pauses with one log message and resumes later")
    func pause() async throws {
        try await RunningProxy.run { proxy in
            for code in [ENOBUFS, EMFILE] {
                proxy.listener.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
            }
            let isReading = try await proxy.listener.getOption(.autoRead).get()
            #expect(!isReading)
            #expect(
                proxy.log.texts(at: .warning)
                    == ["no file descriptors or kernel memory are left; new connections must wait"])
            #expect(proxy.readings("bookstrack_http_connections_refused_total")[["descriptors"]] == 1)
            let served = try await status(proxy)
            #expect(served == 200)
        }
    }
}
