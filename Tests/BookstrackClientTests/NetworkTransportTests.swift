import BookstrackClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOWebSocket
import TestSupport
import Testing

@Suite("HTTP calls over the network", .timeLimit(.minutes(1)))
struct NetworkCallTests {
    private func transport(of server: ScriptedServer) async throws -> NetworkTransport {
        try .loopback(port: try await server.start())
    }

    @Test("one connection carries successive requests, including bodies and headers")
    func keepAlive() async throws {
        let server = ScriptedServer(react: { number, _ in .answer(200, ["X-Number": "\(number)"], ["body \(number)"]) })
        let transport = try await transport(of: server)
        let first = try await transport.answer(
            to: ClientRequest("POST", "/a?b=c", headers: ["X-Own": "1"], body: Data("hello".utf8)))
        let second = try await transport.answer(to: ClientRequest("GET", "/d"))
        #expect(String(decoding: first.body, as: UTF8.self) == "body 0")
        #expect(second.headers["x-number"] == "1")
        #expect(server.connections == 1)
        let request = try #require(server.requests.first)
        #expect(request.head.uri == "/a?b=c")
        #expect(request.head.headers.first(name: "X-Own") == "1")
        #expect(request.head.headers.first(name: "Host")?.hasPrefix("127.0.0.1:") == true)
        #expect(String(buffer: request.body) == "hello")
        await server.stop()
    }

    @Test("a POST request uses a new connection, because the server may have just closed an idle one")
    func noReuse() async throws {
        let server = ScriptedServer(react: { _, _ in .answer(200, [:], []) })
        let transport = try await transport(of: server)
        for _ in 0..<3 { _ = try await transport.answer(to: ClientRequest("POST", "/")) }
        #expect(server.connections == 3)
        await server.stop()
    }

    @Test("a response that ends with its connection is complete, and the connection is not reused")
    func closed() async throws {
        let server = ScriptedServer(react: { _, _ in .answer(200, ["Connection": "close"], ["all"]) })
        let transport = try await transport(of: server)
        for _ in 0..<2 {
            let answer = try await transport.answer(to: ClientRequest("GET", "/"))
            #expect(answer.body == Data("all".utf8))
        }
        #expect(server.connections == 2)
        await server.stop()
    }

    @Test("a chunked response is reassembled")
    func chunked() async throws {
        let parts = (0..<200).map { "part \($0);" }
        let server = ScriptedServer(react: { _, _ in .answer(200, ["Transfer-Encoding": "chunked"], parts) })
        let answer = try await transport(of: server).answer(to: ClientRequest("GET", "/"))
        #expect(String(decoding: answer.body, as: UTF8.self) == parts.joined())
        await server.stop()
    }

    @Test("an idle connection that the server closed is replaced", arguments: [ScriptedServer.Reaction.drop, .reset])
    func staleConnection(reaction: ScriptedServer.Reaction) async throws {
        let server = ScriptedServer(react: { number, _ in number == 1 ? reaction : .answer(200, [:], ["\(number)"]) })
        let transport = try await transport(of: server)
        for text in ["0", "2"] {
            let answer = try await transport.answer(to: ClientRequest("GET", "/"))
            #expect(answer.body == Data(text.utf8))
        }
        #expect(server.connections == 2)
        await server.stop()
    }

    @Test(
        "if a new connection breaks, the request fails without a retry",
        arguments: [ScriptedServer.Reaction.drop, .reset])
    func broken(reaction: ScriptedServer.Reaction) async throws {
        let server = ScriptedServer(react: { number, _ in number == 0 ? reaction : .answer(200, [:], []) })
        let transport = try await transport(of: server)
        await #expect(
            throws: TransportFailure.lost("the server closed the connection before its response was complete")
        ) {
            try await transport.answer(to: ClientRequest("GET", "/"))
        }
        #expect(try await transport.answer(to: ClientRequest("GET", "/")).status == 200)
        #expect(server.requests.count == 2)
        await server.stop()
    }

    @Test("a connection that breaks within a response is reported as lost", arguments: [true, false])
    func brokenResponse(hasHead: Bool) async throws {
        let head = FaultStep.head(headers: ["Content-Length: 2"])
        let server = try await FaultServer { _, _ in [.send(hasHead ? head + [0] : Array(head.prefix(10))), .close] }
        let transport = try NetworkTransport.loopback(port: server.port)
        await #expect(
            throws: TransportFailure.lost("the server closed the connection before its response was complete")
        ) {
            try await transport.answer(to: ClientRequest("GET", "/"))
        }
        try await server.stop()
    }

    @Test("a cancelled request on an idle connection is not sent again")
    func cancelledOnIdleConnection() async throws {
        let server = ScriptedServer(react: { number, _ in number == 1 ? .silence : .answer(200, [:], []) })
        let transport = try await transport(of: server)
        _ = try await transport.answer(to: ClientRequest("GET", "/"))
        let request = Task { try await transport.answer(to: ClientRequest("GET", "/")) }
        try await until { server.requests.count >= 2 }
        request.cancel()
        await #expect(throws: TransportFailure.cancelled) { try await request.value }
        #expect(server.connections == 1)
        await server.stop()
    }

    @Test("characters that are not allowed in a URL are encoded, and a timeout may be of any length")
    func unusualRequest() async throws {
        let server = ScriptedServer(react: { _, _ in .answer(200, [:], []) })
        let transport = try await transport(of: server)
        let request = ClientRequest("GET", "/v1/search/title?q=Dune Messiah", timeout: .seconds(Int64.max))
        #expect(try await transport.answer(to: request).status == 200)
        #expect(server.requests.map(\.head.uri) == ["/v1/search/title?q=Dune%20Messiah"])
        await server.stop()
    }

    @Test("a target that is not a path with a query is refused", arguments: ["v1", "//v1/search", "/v1/search?q=C#"])
    func malformedTarget(target: String) async throws {
        await #expect(throws: TransportFailure.unreachable("\(target) is not a path")) {
            try await NetworkTransport.loopback(port: 1).answer(to: ClientRequest("GET", target))
        }
    }

    @Test("a request to a server that does not respond times out")
    func timeout() async throws {
        let server = ScriptedServer(react: { _, _ in .silence })
        let transport = try await transport(of: server)
        await #expect(throws: TransportFailure.timedOut) {
            try await transport.answer(to: ClientRequest("GET", "/", timeout: .milliseconds(20)))
        }
        await server.stop()
    }

    @Test("a cancelled request ends immediately")
    func cancelled() async throws {
        let server = ScriptedServer(react: { _, _ in .silence })
        let transport = try await transport(of: server)
        let request = Task { try await transport.answer(to: ClientRequest("GET", "/")) }
        request.cancel()
        await #expect(throws: TransportFailure.cancelled) { try await request.value }
        await server.stop()
    }

    /// Requests a stream, reads the first piece of its body, and releases the stream.
    private func firstPiece(of transport: NetworkTransport) async throws -> Data? {
        for try await piece in try await transport.stream(ClientRequest("GET", "/", timeout: .seconds(600))).body {
            return piece
        }
        return nil
    }

    @Test("a connection is closed when the reader of its response stops before the end")
    func abandonedBody() async throws {
        let head = FaultStep.head(headers: ["Content-Length: 2"])
        let server = try await FaultServer { _, _ in [.send(head + [0]), .hang] }
        #expect(try await firstPiece(of: .loopback(port: server.port)) == Data([0]))
        await server.allClosed()
        try await server.stop()
    }

    @Test("a port with no listener and an unknown host name cause different error messages")
    func unreachable() async throws {
        let server = ScriptedServer()
        let port = try await server.start()
        await server.stop()
        await #expect(
            throws: TransportFailure.unreachable("nothing answers at http://127.0.0.1:\(port) (connection refused)")
        ) {
            try await NetworkTransport.loopback(port: port).answer(to: ClientRequest("GET", "/"))
        }
        let nowhere = NetworkTransport(baseURL: try #require(URL(string: "http://books.invalid")))
        await #expect(
            throws: TransportFailure.unreachable(
                "nothing answers at http://books.invalid (the name books.invalid is unknown)")
        ) {
            try await nowhere.answer(to: ClientRequest("GET", "/"))
        }
    }
}

@Suite("WebSockets over the network", .timeLimit(.minutes(1)))
struct NetworkSocketTests {
    private func open(_ server: ScriptedServer, timeout: Duration = .seconds(10)) async throws
        -> any WebSocketConnection
    {
        try await NetworkTransport.loopback(port: try await server.start())
            .webSocket(ClientRequest("GET", "/ws/progress?jobId=J", timeout: timeout), subprotocol: "token.T")
    }

    private func messages(_ socket: any WebSocketConnection) async throws -> [WebSocketMessage] {
        var messages: [WebSocketMessage] = []
        while true {
            let message = try await socket.receive()
            messages.append(message)
            if case .closed = message { return messages }
        }
    }

    @Test("messages arrive in order, a PING is answered, and the close code comes last")
    func life() async throws {
        let server = ScriptedServer(script: { _, _ in
            .init(greeting: [.text("a"), .ping], replies: [[], [.text("c"), .close(1000, "done")]])
        })
        let socket = try await open(server)
        try await socket.send("b")
        #expect(try await messages(socket) == [.text("a"), .text("c"), .closed(code: 1_000)])
        #expect(server.messages.prefix(2).sorted() == ["b", "pong frame"])
        #expect(server.upgrades.first?.headers.first(name: "Sec-WebSocket-Protocol") == "token.T")
        #expect(server.upgrades.first?.uri == "/ws/progress?jobId=J")
        await server.stop()
    }

    @Test("fragments are joined into one message")
    func fragments() async throws {
        let server = ScriptedServer(script: { _, _ in
            .init(greeting: [
                WebSocketFrame(fin: false, opcode: .text, data: .init(string: "ab")),
                WebSocketFrame(fin: true, opcode: .continuation, data: .init(string: "c")), .close(1000),
            ])
        })
        #expect(try await messages(open(server)).first == .text("abc"))
        await server.stop()
    }

    @Test("after a connection is cut, earlier messages still arrive, then the loss is reported")
    func cut() async throws {
        let server = ScriptedServer(script: { _, _ in .init(greeting: [.text("a")], cuts: true) })
        let socket = try await open(server)
        #expect(try await socket.receive() == .text("a"))
        await #expect(throws: TransportFailure.lost("the connection was lost")) { try await socket.receive() }
        await server.stop()
    }

    @Test("a refused upgrade fails with the server's response")
    func refused() async throws {
        let server = ScriptedServer(react: { _, _ in .answer(401, [:], ["no"]) })
        await #expect {
            try await open(server)
        } throws: {
            guard case .refused(let answer) = $0 as? TransportFailure else { return false }
            return answer.status == 401 && answer.body == Data("no".utf8)
        }
        await server.stop()
    }

    @Test("a server that never responds to the upgrade times out")
    func silent() async throws {
        let server = ScriptedServer(react: { _, _ in .silence })
        await #expect(throws: TransportFailure.timedOut) { try await open(server, timeout: .milliseconds(50)) }
        await server.stop()
    }

    @Test("a message that is too large breaks the connection instead of using up the memory")
    func tooLarge() async throws {
        let server = ScriptedServer(script: { _, _ in
            .init(greeting: [.text(String(repeating: "x", count: 3 << 20))])
        })
        let socket = try await open(server)
        await #expect(throws: TransportFailure.lost("the connection was lost")) { try await socket.receive() }
        await server.stop()
    }

    @Test("a reader that falls behind eventually receives every message")
    func slowReader() async throws {
        let frames = (0..<5_000).map { WebSocketFrame.text("\($0)") } + [.close(1000)]
        let server = ScriptedServer(script: { _, _ in .init(greeting: frames) })
        let expected = (0..<5_000).map { WebSocketMessage.text("\($0)") } + [.closed(code: 1_000)]
        #expect(try await messages(open(server)) == expected)
        await server.stop()
    }
}

extension NetworkTransport {
    /// A transport to a port on this machine.
    static func loopback(port: Int) throws -> NetworkTransport {
        NetworkTransport(baseURL: try #require(URL(string: "http://127.0.0.1:\(port)")))
    }
}
