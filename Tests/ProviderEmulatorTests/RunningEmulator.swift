import Foundation
import NIOCore
import NIOPosix
import Testing
@testable import ProviderEmulator

/// The real server on a free port, with the sample catalog and some synthetic books.
struct RunningEmulator: Sendable {
    let port: Int

    static func run(
        synthetic: Int = 20, logLimit: Int = 1000, _ body: (RunningEmulator) async throws -> Void
    ) async throws {
        let stock = try CatalogSources(synthetic: synthetic).stock()
        let server = try await EmulatorServer.start(
            Emulator(stock: stock, logLimit: logLimit), port: 0, group: MultiThreadedEventLoopGroup.singleton.next())
        do {
            try await body(RunningEmulator(port: server.port))
        } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }

    func get(_ target: String, headers: [String: String] = [:]) async throws -> RawAnswer {
        try await request("GET", target, headers: headers)
    }

    func request(_ method: String, _ target: String, body: String = "", headers: [String: String] = [:]) async throws
        -> RawAnswer
    {
        let connection = try await RawConnection(port: port)
        try await connection.send(method, target, body: body, headers: headers)
        return try await connection.received()
    }

    func json(_ target: String) async throws -> JSONValue {
        try JSONValue(parsing: try await get(target).body)
    }

    func setFaults(_ rules: String) async throws {
        let answer = try await request("PUT", "/_emulator/faults", body: rules)
        #expect(answer.status == 200, "\(answer.text)")
    }

    func log() async throws -> [JSONValue] {
        try await get("/_emulator/log").body.split(separator: UInt8(ascii: "\n")).map {
            try JSONValue(parsing: Array($0))
        }
    }
}

/// One TCP connection that sends complete requests and reads raw bytes.
final class RawConnection: Sendable {
    private let channel: any Channel
    private let answer: EventLoopFuture<RawAnswer>

    init(port: Int) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let collector = group.next().makePromise(of: RawAnswer.self)
        channel = try await ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(done: collector))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        answer = collector.futureResult
    }

    func send(
        _ method: String = "GET", _ target: String, body: String = "", keepAlive: Bool = false,
        headers: [String: String] = [:]
    ) async throws {
        let headers = ["User-Agent": "BooksTrackTests/1.0 (tests@example.org)"].merging(headers) { $1 }
        let connection = keepAlive ? "keep-alive" : "close"
        let escaped = target.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? target
        let request =
            "\(method) \(escaped) HTTP/1.1\r\nHost: emulator.test\r\nConnection: \(connection)\r\n"
            + headers.map { "\($0): \($1)\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        try await channel.writeAndFlush(ByteBuffer(string: request))
    }

    /// Everything received until the peer closes the connection.
    func received() async throws -> RawAnswer { try await answer.get() }

    func close() async throws { try await channel.close() }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let done: EventLoopPromise<RawAnswer>
        private var bytes: [UInt8] = []
        private var end = RawAnswer.End.closed

        init(done: EventLoopPromise<RawAnswer>) {
            self.done = done
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if (error as? IOError)?.errnoCode == ECONNRESET { end = .reset }
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            done.succeed(RawAnswer(bytes: bytes, end: end))
        }
    }
}

/// All bytes that arrived on a connection, and how the connection ended.
struct RawAnswer: Sendable {
    enum End: Equatable, Sendable {
        case closed
        case reset
    }

    let bytes: [UInt8]
    let end: End

    private var separator: Range<Int>? {
        bytes.indices.dropLast(3).first { bytes[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }.map { $0..<$0 + 4 }
    }

    private var head: String { String(decoding: bytes[..<(separator?.lowerBound ?? bytes.endIndex)], as: UTF8.self) }

    var body: [UInt8] { separator.map { Array(bytes[$0.upperBound...]) } ?? [] }

    var text: String { String(decoding: body, as: UTF8.self) }

    var status: Int? { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

    func header(_ name: String) -> String? {
        head.split(separator: "\r\n").dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
    }
}
