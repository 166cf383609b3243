import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing

@Suite("Slow, flooding and malformed peers", .timeLimit(.minutes(1)))
struct HostilePeerTests {
    private let kilobyte = ByteBuffer(string: "{\"a\":\"" + String(repeating: "x", count: 1_000) + "\"}")

    private var smallLimits: RPCLimits {
        var limits = RPCLimits()
        limits.maximumOutboundBytes = 1 << 20
        return limits
    }

    @Test("a peer that never reads is disconnected by the first notification beyond the limit")
    func neverReadsNotifications() async throws {
        let directory = try SocketDirectory()
        let connections = Inbox<RPCConnection>()
        let server = try await RPCServer.listening(
            in: directory, limits: smallLimits, onConnect: { connections.append($0) })
        let peer = try await RawPeer.connect(to: directory.socket, reading: false)
        let connection = try await connections.take()
        var queued = 0
        while connection.notifyRaw("n", kilobyte) {
            queued += 1
            #expect(connection.bufferedBytes <= 1 << 20)
        }
        #expect(queued >= 900)
        try await connection.closed.get()
        #expect(!connection.isOpen)
        await peer.close()
        await server.shutdown()
    }

    @Test("calls to a peer that does not read fail as overloaded or time out, and the peer can still recover")
    func neverReadsCalls() async throws {
        let directory = try SocketDirectory()
        let connections = Inbox<RPCConnection>()
        let server = try await RPCServer.listening(
            in: directory, limits: smallLimits, onConnect: { connections.append($0) })
        let peer = try await RawPeer.connect(to: directory.socket, reading: false)
        let connection = try await connections.take()
        let body = kilobyte
        let outcomes = await withTaskGroup(of: RPCError?.self) { group in
            for _ in 0..<3_000 {
                group.addTask {
                    do throws(RPCError) {
                        _ = try await connection.callRaw("m", body, deadline: .milliseconds(200))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.contains(.overloaded))
        #expect(outcomes.allSatisfy { $0 == .overloaded || $0 == .deadlineExceeded })
        #expect(connection.isOpen)
        try await peer.read()
        try await until { connection.bufferedBytes == 0 }
        async let answer = connection.callRaw("late", ByteBuffer(string: "{}"), deadline: .seconds(30))
        await peer.awaitLine(with: "\"late\"")
        peer.send((1...3_001).map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"result\":\"back\"}\n" }.joined())
        #expect(String(buffer: try await answer) == "\"back\"")
        await peer.close()
        await server.shutdown()
    }

    @Test("a peer that sends requests and never reads the responses is disconnected")
    func neverReadsAnswers() async throws {
        let directory = try SocketDirectory()
        var router = RPCRouter()
        let body = kilobyte
        router.handleRaw("large") { _, _ in body }
        let gone = Inbox<Int>()
        let server = try await RPCServer.listening(
            in: directory, router, limits: smallLimits, onDisconnect: { gone.append($0.bufferedBytes) })
        let peer = try await RawPeer.connect(to: directory.socket, reading: false)
        peer.send((0..<20_000).map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"large\"}\n" }.joined())
        #expect(try await gone.take() <= 1 << 20)
        await peer.close()
        await server.shutdown()
    }

    @Test(
        "idempotent requests whose responses would exceed the limit are refused as overloaded, and the connection stays open"
    )
    func neverReadsIdempotentAnswers() async throws {
        let directory = try SocketDirectory()
        var router = RPCRouter()
        let page = Self.page
        router.handleRaw("large", isIdempotent: true) { _, _ in page }
        let taken = Inbox<RPCConnection>()
        router.handleInline(InlineEcho.self) { parameters, connection, reply in
            taken.append(connection)
            reply.succeed(parameters)
        }
        let server = try await RPCServer.listening(in: directory, router, limits: smallLimits)
        let peer = try await RawPeer.connect(to: directory.socket, reading: false)
        peer.send((0..<100).map { Self.request("large", id: $0) }.joined())
        peer.send(Self.request(InlineEcho.name, id: 100, params: #"{"text":"last"}"#))
        // If half of the limit is queued, this last request is also refused; the response to it shows that the stream
        // was read to the end.
        try await peer.read()
        let answers = await peer.lines(101)
        #expect(answers.count == 101)
        #expect(answers.contains { $0.contains("\"result\"") })
        #expect(answers.contains { $0.contains(#""error":{"code":-32002,"message":"overloaded"}"#) })
        #expect(server.connectionCount == 1)
        await peer.close()
        await server.shutdown()
    }

    @Test("only a few large paced responses are produced until the peer reads them")
    func paced() async throws {
        let directory = try SocketDirectory()
        var router = RPCRouter()
        let (page, made, marks) = (Self.page, NIOLockedValueBox(0), Inbox<RPCConnection>())
        router.handlePaced("page", answerBytes: page.readableBytes) { _, _ in
            made.withLockedValue { $0 += 1 }
            return page
        }
        router.handleInline(InlineEcho.self) { parameters, connection, reply in
            marks.append(connection)
            reply.succeed(parameters)
        }
        let server = try await RPCServer.listening(in: directory, router)
        let peer = try await RawPeer.connect(to: directory.socket, reading: false)
        peer.send((0..<500).map { Self.request("page", id: $0) }.joined())
        peer.send(Self.request(InlineEcho.name, id: 500, params: #"{"text":"mark"}"#))
        let connection = try await marks.take()
        // At most two responses are in preparation or waiting, and the kernel's buffers hold some more.
        #expect(made.withLockedValue { $0 } < 20)
        #expect(connection.bufferedBytes < 1 << 20)
        try await peer.read()
        let answers = await peer.lines(501)
        #expect(answers.count == 501)
        #expect(answers.allSatisfy { $0.contains("\"result\"") })
        await peer.close()
        await server.shutdown()
    }

    @Test("paced requests beyond the limit are refused as overloaded, while other requests are still answered")
    func tooManyPaced() async throws {
        let directory = try SocketDirectory()
        let gate = Gate()
        var router = RPCRouter()
        let page = Self.page
        router.handlePaced("page", answerBytes: page.readableBytes) { _, _ in
            await gate.pass()
            return page
        }
        var limits = RPCLimits()
        limits.maximumPacedRequests = 8
        let server = try await RPCServer.listening(in: directory, router, limits: limits)
        let peer = try await RawPeer.connect(to: directory.socket)
        // Two are running, and eight are waiting.
        peer.send((0..<13).map { Self.request("page", id: $0) }.joined())
        let refused = await peer.lines(3)
        #expect(refused.count == 3)
        #expect(refused.allSatisfy { $0.contains("-32002") })
        peer.send(Self.request("rpc.ping", id: 100))
        #expect(await peer.lines(1) == [#"{"jsonrpc":"2.0","id":100,"result":{}}"#])
        gate.open()
        #expect(await peer.lines(10).count == 10)
        await peer.close()
        await server.shutdown()
    }

    /// A response of 64 KiB.
    private static let page = ByteBuffer(string: "\"" + String(repeating: "x", count: 64 << 10) + "\"")

    private static func request(_ method: String, id: Int, params: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n"
    }

    @Test("requests from a flooding peer are read only up to the limit, and every request is answered eventually")
    func floods() async throws {
        let directory = try SocketDirectory()
        let gate = Gate()
        var router = RPCRouter()
        router.handleRaw("hold") { body, _ in
            await gate.pass()
            return body
        }
        var limits = RPCLimits()
        limits.maximumInFlightInbound = 16
        limits.defaultDeadline = .seconds(600)
        let server = try await RPCServer.listening(in: directory, router, limits: limits)
        let peer = try await RawPeer.connect(to: directory.socket)
        let count = 20_000
        peer.send((0..<count).map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"hold\"}\n" }.joined())
        await gate.waitForArrivals(16)
        // Without a limit, the whole flood would have been handled by the time another peer has been served.
        let other = try await RawPeer.connect(to: directory.socket)
        other.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.ping\"}\n")
        #expect(await other.lines(1) == ["{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"])
        #expect(gate.arrived == 16)
        gate.open()
        let answers = await peer.lines(count)
        #expect(Set(answers).count == count)
        await peer.close()
        await other.close()
        await server.shutdown()
    }

    /// A handler may end at any moment of the event loop's turn, and only its end makes the loop take the next request:
    ///
    ///     event loop                        handler
    ///     takes a request, is at the limit
    ///                                       ends
    ///     notes that it needs no wake-up
    @Test(
        "with a limit of one request, handlers that end immediately never leave later requests unread",
        arguments: 0..<10)
    func boundOfOne(round: Int) async throws {
        let directory = try SocketDirectory()
        var router = RPCRouter()
        router.handleRaw("at once") { body, _ in body }
        var limits = RPCLimits()
        limits.maximumInFlightInbound = 1
        limits.defaultDeadline = .seconds(600)
        let server = try await RPCServer.listening(in: directory, router, limits: limits)
        let peer = try await RawPeer.connect(to: directory.socket)
        peer.send((0..<2_000).map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"at once\"}\n" }.joined())
        #expect(await peer.lines(2_000).count == 2_000)
        await peer.close()
        await server.shutdown()
    }

    @Test("a request that arrives byte by byte is answered")
    func byteByByte() async throws {
        let directory = try SocketDirectory()
        let server = try await RPCServer.listening(in: directory)
        let peer = try await RawPeer.connect(to: directory.socket)
        for byte in "{\"jsonrpc\":\"2.0\",\"id\":\"ž\",\"method\":\"rpc.ping\"}\n".utf8 {
            peer.send(String(decoding: [byte], as: UTF8.self))
        }
        _ = await peer.lines(1)
        await peer.close()
        await server.shutdown()
    }

    @Test(
        "a line that is not a JSON object is answered with an error, and the connection is closed",
        arguments: ["hello\n", "[]\n", "\"\u{01}\"\n", "{\"a\":1}}\n"])
    func noise(text: String) async throws {
        let directory = try SocketDirectory()
        let server = try await RPCServer.listening(in: directory)
        let peer = try await RawPeer.connect(to: directory.socket)
        peer.send(text)
        let answers = await peer.lines(1)
        #expect(answers.count == 1)
        #expect(answers.first?.contains("\"error\"") == true)
        try await peer.waitForClose()
        await server.shutdown()
    }

    @Test("megabytes without a line ending are answered with an error, and the connection is closed")
    func endlessLine() async throws {
        let directory = try SocketDirectory()
        let server = try await RPCServer.listening(in: directory)
        let peer = try await RawPeer.connect(to: directory.socket)
        peer.send(String(repeating: "x", count: (1 << 20) + 1))
        #expect(await peer.lines(1).first?.contains("-32700") == true)
        try await peer.waitForClose()
        await server.shutdown()
    }
}
