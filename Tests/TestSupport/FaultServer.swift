import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A server on a loopback port or a Unix socket whose responses a test writes byte by byte, so they can be late, incomplete or malformed. For
/// well-formed responses and WebSockets, use ``ScriptedServer``.
package final class FaultServer: Sendable {
    /// A request as received.
    package struct Arrival: Sendable {
        package let path: String
        package let head: String
        package let connection: Int
        package let time: ContinuousClock.Instant
    }

    private struct Record: Sendable {
        var arrivals: [Arrival] = []
        var connections = 0
        var open = 0
        fileprivate var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        fileprivate var closeWatchers: [CheckedContinuation<Void, Never>] = []
    }

    /// Returns the steps for a request; `earlier` is the number of earlier requests to that path.
    package typealias Script = @Sendable (_ path: String, _ earlier: Int) -> [FaultStep]

    private let channel: any Channel
    private let record: NIOLockedValueBox<Record>
    package let port: Int

    package var baseURL: String { "http://127.0.0.1:\(port)" }
    package var arrivals: [Arrival] { record.withLockedValue(\.arrivals) }
    package var connections: Int { record.withLockedValue(\.connections) }

    /// - Parameter socket: Path of the Unix socket to listen on; nil for a loopback port.
    package init(at socket: String? = nil, _ script: @escaping Script) async throws {
        let record = NIOLockedValueBox(Record())
        self.record = record
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelInitializer { channel in
                let number = record.withLockedValue { state in
                    state.connections += 1
                    state.open += 1
                    return state.connections
                }
                channel.closeFuture.whenComplete { _ in Self.closed(record) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        FaultHandler { path, head in
                            Self.arrived(Arrival(path: path, head: head, connection: number, time: .now), in: record)
                        } steps: {
                            script($0, $1)
                        })
                }
            }
        if let socket {
            channel = try await bootstrap.bind(unixDomainSocketPath: socket).get()
        } else {
            channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        }
        port = channel.localAddress?.port ?? 0
    }

    package func stop() async throws {
        try await channel.close()
    }

    /// Runs `body` against a server, and stops the server afterwards.
    package static func with(
        at socket: String? = nil, _ script: @escaping Script, _ body: (FaultServer) async throws -> Void
    ) async throws {
        let server = try await FaultServer(at: socket, script)
        do {
            try await body(server)
        } catch {
            try await server.stop()
            throw error
        }
        try await server.stop()
    }

    /// Returns once `count` requests have arrived.
    package func requests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = record.withLockedValue { state in
                if state.arrivals.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Returns once every connection is closed.
    package func allClosed() async {
        await withCheckedContinuation { continuation in
            let isThere = record.withLockedValue { state in
                if state.open == 0 { return true }
                state.closeWatchers.append(continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private static func closed(_ record: NIOLockedValueBox<Record>) {
        let watchers = record.withLockedValue { state in
            state.open -= 1
            guard state.open == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.closeWatchers = [] }
            return state.closeWatchers
        }
        for watcher in watchers { watcher.resume() }
    }

    /// - Returns: The number of earlier requests for the path.
    private static func arrived(_ arrival: Arrival, in record: NIOLockedValueBox<Record>) -> Int {
        let (earlier, watchers) = record.withLockedValue { state in
            let earlier = state.arrivals.count { $0.path == arrival.path }
            state.arrivals.append(arrival)
            let count = state.arrivals.count
            let served = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return (earlier, served)
        }
        for watcher in watchers { watcher.resume() }
        return earlier
    }
}

/// Reads requests on one connection and performs the steps for each.
final class FaultHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var received = ""
    /// The head of a request and the length of its body, which has not arrived completely.
    private var unfinished: (head: String, bytes: Int)?
    private let arrived: @Sendable (_ path: String, _ head: String) -> Int
    private let steps: FaultServer.Script

    init(
        arrived: @escaping @Sendable (_ path: String, _ head: String) -> Int, steps: @escaping FaultServer.Script
    ) {
        self.arrived = arrived
        self.steps = steps
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += String(buffer: unwrapInboundIn(data))
        while let head = nextHead() {
            let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            play(steps(path, arrived(path, head))[...], context: context)
        }
    }

    /// The head of the next request whose body has arrived.
    private func nextHead() -> String? {
        if unfinished == nil, let end = received.range(of: "\r\n\r\n") {
            let head = String(received[..<end.lowerBound])
            received.removeSubrange(..<end.upperBound)
            let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length: ") }
            unfinished = (head, length.flatMap { Int($0.dropFirst("content-length: ".count)) } ?? 0)
        }
        guard let (head, bytes) = unfinished, received.utf8.count >= bytes else { return nil }
        received = String(Substring(received.utf8.dropFirst(bytes)))
        unfinished = nil
        return head
    }

    private func play(_ steps: ArraySlice<FaultStep>, context: ChannelHandlerContext) {
        guard let step = steps.first, context.channel.isActive else { return }
        let rest = steps.dropFirst()
        switch step {
        case .send(let bytes):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            play(rest, context: context)
        case .sendZeros(let count):
            sendZeros(count, rest: rest, context: context)
        case .pause(let time):
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: TimeAmount(time)) {
                let (handler, context) = bound.value
                handler.play(rest, context: context)
            }
        case .close:
            context.close(promise: nil)
        case .reset:
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            let set = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            set?.whenComplete { _ in bound.value.close(promise: nil) }
        case .hang:
            break
        }
    }

    private func sendZeros(_ count: Int, rest: ArraySlice<FaultStep>, context: ChannelHandlerContext) {
        guard count > 0 else { return play(rest, context: context) }
        let part = min(count, 1 << 16)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(repeating: 0, count: part))).whenSuccess {
            let (handler, context) = bound.value
            handler.sendZeros(count - part, rest: rest, context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// One step that the fault server takes on a connection after reading a request.
package enum FaultStep: Sendable {
    /// Writes bytes.
    case send([UInt8])
    /// Writes this many zeros without holding all of them in memory.
    case sendZeros(Int)
    /// Waits before the next step.
    case pause(Duration)
    /// Closes the connection normally.
    case close
    /// Closes with a reset (RST).
    case reset
    /// Takes no more steps; the connection stays open.
    case hang
}

extension FaultStep {
    /// A complete response that keeps the connection open.
    package static func answer(_ status: Int = 200, headers: [String] = [], body: [UInt8] = Array("ok".utf8))
        -> [FaultStep]
    {
        [.send(head(status, headers: headers + ["Content-Length: \(body.count)"]) + body)]
    }

    /// A redirect.
    package static func redirect(_ target: String, status: Int = 302) -> [FaultStep] {
        answer(status, headers: ["Location: \(target)"], body: [])
    }

    /// A status line and headers, with the empty line after them.
    package static func head(_ status: Int = 200, headers: [String] = []) -> [UInt8] {
        Array((["HTTP/1.1 \(status) Status"] + headers + ["", ""]).joined(separator: "\r\n").utf8)
    }
}
