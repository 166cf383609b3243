import BookstrackContract
import HTTPTypes
import NIOCore
import SuiteMethods
import Testing

@testable import APIProxy

/// These tests advance the clock of an embedded event loop, and need no progress-host.
@Suite("Silence on an event stream") struct StreamHeartbeatTests {
    /// Begins a stream as if progress-host had accepted it.
    private final class Beginning: LoopWork, @unchecked Sendable {
        // A test and its connection share one thread.
        private(set) var stream: EventStream?

        func start(_ exchange: LoopExchange) {
            let limiter = SocketLimiter(limits: SocketLimits())
            let shard = SocketShard(single: exchange.eventLoop, limiter)
            guard let id = JobID("job-12345"),
                let permit = try? limiter.enter(job: id, client: client("192.0.2.1"))
            else { return }
            let request = SocketRequest(jobId: id, token: "t", reconnect: false, since: nil, v1: false, isOneWay: true)
            let stream = EventStream(
                id: SocketID(0), request: request, permit: permit, shard: shard, exchange: exchange)
            shard.insert(stream)
            self.stream = stream
            stream.admitted(tokenNumber: 1)
            stream.begin([:])
        }

        func cancel() { stream?.end() }
    }

    private static let heartbeat = "d\r\n: heartbeat\n\n\r\n"

    private let beginning = Beginning()
    private let connection: EmbeddedConnection

    init() throws {
        connection = try EmbeddedConnection(routes: [
            Route(onLoop: "/stream", limit: .exempt) { [beginning] _ in beginning }
        ])
        try connection.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    }

    private func received() throws -> String { String(decoding: try connection.received(), as: UTF8.self) }

    @Test("a silent event stream sends a heartbeat comment every 15 s")
    func heartbeats() throws {
        _ = try received()
        connection.advance(by: .milliseconds(14_999))
        #expect(try received().isEmpty)
        connection.advance(by: .milliseconds(1))
        #expect(try received() == Self.heartbeat)
        connection.advance(by: .seconds(30))
        #expect(try received() == Self.heartbeat + Self.heartbeat)
    }

    @Test("an event stream stays open longer than an idle connection")
    func isNotIdle() throws {
        connection.advance(by: .seconds(600))
        #expect(connection.isOpen)
    }

    @Test("no comments are sent after the end of the stream, and the connection then has the usual idle timeout")
    func ends() throws {
        beginning.stream?.close(.normal, reason: "job completed")
        #expect(try received().hasSuffix("\r\n\r\n0\r\n\r\n"))
        connection.advance(by: .seconds(59))
        #expect(try received().isEmpty)
        #expect(connection.isOpen)
        connection.advance(by: .seconds(2))
        #expect(!connection.isOpen)
    }

    @Test("a connection that is lost leaves nothing behind")
    func leaves() throws {
        connection.lose()
        #expect(beginning.stream?.state.phase == .closed)
        #expect(beginning.stream?.shard.count == 0)
        #expect(beginning.stream?.shard.socketLimiter.total == 0)
    }
}
