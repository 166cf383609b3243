import NIOCore
import NIOHTTP1
import NIOWebSocket
import ProgressClient
import Testing

@Suite("The WebSocket client")
struct ProgressSocketTests {
    private func connect(
        to server: ScriptedServer, options: SocketOptions = .init()
    ) async throws -> ProgressSocket {
        let address = ServerAddress(host: "127.0.0.1", port: try await server.start())
        return try await ProgressSocket.connect(to: address, path: "/ws/progress?jobId=J", options: options)
    }

    private func kinds(_ socket: ProgressSocket) async -> [SocketEvent.Kind] {
        var kinds: [SocketEvent.Kind] = []
        for await event in socket.events { kinds.append(event.kind) }
        return kinds
    }

    @Test("messages arrive in order, PING is answered, and the close code ends the events")
    func life() async throws {
        let server = ScriptedServer(script: { _, _ in
            .init(greeting: [.text("a"), .ping], replies: [[], [.text("c"), .close(1000, "done")]])
        })
        var options = SocketOptions()
        options.headers.add(name: "Authorization", value: "Bearer T")
        let socket = try await connect(to: server, options: options)
        try await socket.send(text: "b")
        #expect(
            await kinds(socket) == [
                .text(ByteBuffer(string: "a")), .ping, .text(ByteBuffer(string: "c")),
                .closed(code: 1000, reason: "done"),
            ])
        #expect(server.messages.prefix(2).sorted() == ["b", "pong frame"])
        #expect(server.upgrades.first?.headers.first(name: "Authorization") == "Bearer T")
        #expect(server.upgrades.first?.uri == "/ws/progress?jobId=J")
        await server.stop()
    }

    @Test("fragments become one message")
    func fragments() async throws {
        let server = ScriptedServer(script: { _, _ in
            .init(greeting: [
                WebSocketFrame(fin: false, opcode: .text, data: ByteBuffer(string: "ab")),
                WebSocketFrame(fin: true, opcode: .continuation, data: ByteBuffer(string: "c")), .close(1000),
            ])
        })
        let socket = try await connect(to: server)
        #expect(await kinds(socket).first == .text(ByteBuffer(string: "abc")))
        await server.stop()
    }

    @Test("a connection that is cut ends without a code")
    func cut() async throws {
        let server = ScriptedServer(script: { _, _ in .init(greeting: [.text("a")], cuts: true) })
        let socket = try await connect(to: server)
        let kinds = await kinds(socket)
        #expect(kinds.first == .text(ByteBuffer(string: "a")))
        guard kinds.count == 2, case .closed(nil, _) = kinds[1] else {
            Issue.record("\(kinds)")
            return
        }
        await server.stop()
    }

    @Test("a refused upgrade throws the answer")
    func refused() async throws {
        let server = ScriptedServer(react: { _, _ in .answer(401, [:], ["no"]) })
        let failure = await #expect(throws: ClientFailure.self) { try await connect(to: server) }
        guard case .upgradeRefused(let answer) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(answer.status == 401)
        #expect(answer.text == "no")
        await server.stop()
    }

    @Test("a server that never answers the upgrade times out")
    func silent() async throws {
        let server = ScriptedServer(react: { _, _ in .silence })
        var options = SocketOptions()
        options.timeout = .milliseconds(50)
        await #expect(throws: ClientFailure.closedEarly) { try await connect(to: server, options: options) }
        await server.stop()
    }

    @Test("an idle server counts as dead")
    func silenceLimit() async throws {
        let server = ScriptedServer(script: { _, _ in .init() })
        var options = SocketOptions()
        options.silenceLimit = .milliseconds(20)
        let socket = try await connect(to: server, options: options)
        #expect(await kinds(socket) == [.closed(code: nil, reason: "the server stopped responding")])
        await server.stop()
    }

    @Test("a message above the maximum size closes with 1009")
    func tooLarge() async throws {
        let server = ScriptedServer(script: { _, _ in
            .init(greeting: [.text(String(repeating: "x", count: 2_000))])
        })
        var options = SocketOptions()
        options.maximumMessageBytes = 1_000
        let socket = try await connect(to: server, options: options)
        #expect(await kinds(socket).count == 1)
        #expect(await server.arrivals.first { _ in true } == "close 1009")
        await server.stop()
    }

    @Test("a reader that falls behind gets every message in the end")
    func slowReader() async throws {
        let frames = (0..<5_000).map { WebSocketFrame.text("\($0)") } + [.close(1000)]
        let server = ScriptedServer(script: { _, _ in .init(greeting: frames) })
        var options = SocketOptions()
        options.maximumWaitingEvents = 8
        let socket = try await connect(to: server, options: options)
        let texts = await kinds(socket).compactMap { kind -> String? in
            guard case .text(let bytes) = kind else { return nil }
            return String(buffer: bytes)
        }
        #expect(texts == (0..<5_000).map(String.init))
        await server.stop()
    }
}
