import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import TestSupport
import Testing

@testable import ProviderEmulator

@Suite("The emulator's HTTP server")
struct EmulatorServerTests {
    private static let health = "/_emulator/health"

    @Test("the last response on a connection announces the close")
    func close() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get(Self.health)
            #expect(answer.header("Connection") == "close")
            #expect(answer.header("Content-Length") == "15")
            #expect(answer.end == .closed)
        }
    }

    @Test("a connection is kept for the next request, and pipelined requests are answered in order")
    func keepAlive() async throws {
        try await RunningEmulator.run { emulator in
            let connection = try await RawConnection(port: emulator.port)
            try await connection.send("GET", Self.health, keepAlive: true)
            try await connection.send("GET", "/_emulator/nothing", keepAlive: true)
            try await connection.send("GET", Self.health)
            let text = String(decoding: try await connection.received().bytes, as: UTF8.self)
            let statuses = text.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
            #expect(statuses == ["200", "404", "200"])
        }
    }

    @Test("a request body is cut at sixteen megabytes, and no later part of it is appended")
    func longBody() throws {
        let channel = EmbeddedChannel(handler: EmulatorRequestHandler(emulator: Emulator(stock: Stock())))
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/nowhere"), promise: nil)
        let head = HTTPRequestHead(version: .http1_1, method: .PUT, uri: "/_emulator/faults")
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        for part in ["[" + String(repeating: " ", count: (16 << 20) - 2), "  ", "]"] {
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: part)))
        }
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        guard case .head(let answer) = try channel.readOutbound(as: HTTPServerResponsePart.self) else {
            Issue.record("there was no response")
            return
        }
        #expect(answer.status == .badRequest)
    }

    @Test("a stalled response counts as in flight, and as a fault in the statistics", .timeLimit(.minutes(1)))
    func stall() async throws {
        try await RunningEmulator.run { emulator in
            try await emulator.setFaults(#"[{"kind":"stall","times":1}]"#)
            let stalled = try await RawConnection(port: emulator.port)
            try await stalled.send("GET", "/openlibrary/works/OL1W.json")
            try await until { try await !emulator.log().isEmpty }
            let counts = try await emulator.json("/_emulator/stats")["providers"]?["openlibrary"]
            #expect(counts?["inFlight"] == 1)
            #expect(counts?["faults"]?["stall"] == 1)
            try await stalled.close()
        }
    }

    @Test("a redirect uses the host name that the client used")
    func origin() async throws {
        try await RunningEmulator.run { emulator in
            let answer = try await emulator.get("/openlibrary/isbn/9780441172719.json")
            #expect(answer.status == 302)
            #expect(answer.header("Location")?.hasPrefix("http://emulator.test/openlibrary/books/OL") == true)
        }
    }

    @Test("listening on a port in use is an error")
    func portInUse() async throws {
        try await RunningEmulator.run { emulator in
            await #expect(throws: (any Error).self) {
                let second = Emulator(stock: Stock())
                _ = try await EmulatorServer.start(
                    second, port: emulator.port, group: MultiThreadedEventLoopGroup.singleton.next())
            }
        }
    }
}
