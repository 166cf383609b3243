import ArgumentParser
import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SuiteFixture
import WireClient

/// The cost of a new connection until it is served: a WebSocket with a checked token, or the response to one request.
struct ConnectsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connects", abstract: "New connections: WebSockets with a token check, and single requests")

    @Option(help: "Number of connections of each kind.")
    var count = 20_000
    @Option(help: "Number of concurrent connections.")
    var atOnce = 64
    @Option(help: "Number of jobs that the WebSockets are spread over.")
    var jobs = 1_000

    private static let options = Suite.Options(settings: [
        "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "20000", "BOOKSTRACK_LOG_LEVEL": "warning",
    ])

    func run() async throws {
        try await Suite.run(Self.options) { suite in
            await suite.worker.end()
            let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
            let job = try await puppet.finishJob(count: 1)
            let paths = try await IdleJob.create(jobs, puppet).map(\.socketPath)
            await puppet.disconnect()
            try await measure(
                "WebSockets", of: paths.map { .webSocket(path: $0, host: suite.address) }, suite, reach: 11_000)
            try await measure("single requests", of: [.request(path: APIPath.results(job), host: suite.address)], suite)
        }
    }

    private func measure(_ name: String, of visits: [Visit], _ suite: Suite, reach: Double? = nil) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        // Warm-up: the first connections fill caches and buffers.
        try await Visitors(suite.address, visits, count: 1_000, group.next()).run(atOnce: atOnce)
        let before = try processors(suite)
        let begun = ContinuousClock.now
        try await Visitors(suite.address, visits, count: count, group.next()).run(atOnce: atOnce)
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        let after = try processors(suite)
        Figure(
            name: "\(name) per second", value: Double(count) / seconds, unit: "/s", reach: reach, direction: .atLeast
        )
        .report()
        for (index, process) in ["api-proxy", "progress-host"].enumerated() {
            Figure(
                name: "\(name), CPU time each in \(process)",
                value: (after[index] - before[index]) / Double(count) * 1_000_000, unit: "us"
            ).report()
        }
        try await group.shutdownGracefully()
    }

    private func processors(_ suite: Suite) throws -> [Double] {
        try [suite.proxy, suite.host].map { try KernelUsage(pid: $0.pid ?? 0).processorSeconds }
    }
}

/// What a client sends, and when it counts as served.
private struct Visit: Sendable {
    let request: ByteBuffer
    /// Sent after the first response, which is the 101.
    var greeting: ByteBuffer?
    /// Whether the response ends with the connection.
    let endsWithConnection: Bool

    static func webSocket(path: String, host: ServerAddress) -> Self {
        let head = """
            GET \(path) HTTP/1.1\r\nHost: \(host.host):\(host.port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
            """
        // A masked text frame; a key of zeros leaves the text as it is (RFC 6455 §5.3).
        let text = #"{"type":"ready"}"#
        let frame = ByteBuffer(bytes: [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8))
        return Self(request: ByteBuffer(string: head), greeting: frame, endsWithConnection: false)
    }

    static func request(path: String, host: ServerAddress) -> Self {
        let head = "GET \(path) HTTP/1.1\r\nHost: \(host.host):\(host.port)\r\nConnection: close\r\n\r\n"
        return Self(request: ByteBuffer(string: head), endsWithConnection: true)
    }
}

/// Clients that connect, are served, and disconnect.
private final class Visitors: Sendable {
    private let address: ServerAddress
    private let visits: [Visit]
    private let count: Int
    private let eventLoop: any EventLoop
    private let begun = NIOLockedValueBox(0)

    init(_ address: ServerAddress, _ visits: [Visit], count: Int, _ eventLoop: any EventLoop) {
        self.address = address
        self.visits = visits
        self.count = count
        self.eventLoop = eventLoop
    }

    /// Throws if a client is not served.
    func run(atOnce: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<atOnce {
                group.addTask {
                    while let visit = self.next() { try await self.make(visit) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func next() -> Visit? {
        begun.withLockedValue { begun in
            guard begun < count else { return nil }
            begun += 1
            return visits[begun % visits.count]
        }
    }

    private func make(_ visit: Visit) async throws {
        let done = eventLoop.makePromise(of: Void.self)
        let channel = try await ClientBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(VisitHandler(visit, done))
                }
            }
            .connect(host: address.host, port: address.port).get()
        try await done.futureResult.get()
        try? await channel.close()
    }
}

/// One client's side of a connection.
private final class VisitHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private struct NotServed: Error {
        let answer: String
    }

    private let visit: Visit
    private let done: EventLoopPromise<Void>
    private var received = ByteBuffer()
    private var isUpgraded = false

    init(_ visit: Visit, _ done: EventLoopPromise<Void>) {
        self.visit = visit
        self.done = done
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(visit.request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        guard let greeting = visit.greeting else { return }
        if isUpgraded { return done.succeed() }
        guard received.readableBytesView.starts(with: "HTTP/1.1 101 ".utf8) else { return context.close(promise: nil) }
        guard received.readableBytesView.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return }
        isUpgraded = true
        context.writeAndFlush(wrapOutboundOut(greeting), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if visit.endsWithConnection, received.readableBytesView.starts(with: "HTTP/1.1 200 ".utf8) {
            return done.succeed()
        }
        done.fail(NotServed(answer: String(buffer: received)))
    }
}
