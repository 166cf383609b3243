import Glibc
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing
@testable import JSONRPC

@Suite("Client connections", .timeLimit(.minutes(1)))
struct ClientTests {
    private struct Refused: Error {}

    private func client(
        in directory: SocketDirectory, pingInterval: Duration? = .seconds(2),
        onConnect: @escaping @Sendable (RPCConnection) async throws -> Void = { _ in },
        onDisconnect: @escaping @Sendable (RPCError?) -> Void = { _ in }
    ) -> RPCClient {
        RPCClient(
            path: directory.socket, router: RPCRouter(), group: MultiThreadedEventLoopGroup.singleton, logger: .silent,
            pingInterval: pingInterval, onConnect: onConnect, onDisconnect: onDisconnect)
    }

    private var echoing: RPCRouter {
        var router = RPCRouter()
        router.handle(Echo.self) { parameters, _ in parameters }
        return router
    }

    @Test("a client reconnects when its server is back, and reports the loss and the reconnection")
    func reconnects() async throws {
        let directory = try SocketDirectory()
        let events = Inbox<String>()
        let client = client(
            in: directory, onConnect: { _ in events.append("connected") },
            onDisconnect: { events.append("disconnected: \($0?.description ?? "shut down")") })
        let running = Task { await client.run() }
        for _ in 0..<3 {
            let server = try await RPCServer.listening(in: directory, echoing)
            try await client.waitUntilConnected(within: .seconds(30))
            let echoed = try await client.call(Echo.self, .init(text: "again"))
            #expect(echoed.text == "again")
            await server.shutdown()
            #expect(try await events.take(2) == ["connected", "disconnected: connection lost"])
            #expect(!client.isConnected)
        }
        await client.shutdown()
        await running.value
    }

    @Test(
        "if there is no server, calls fail immediately, notifications are refused, and waiting for a connection times out"
    )
    func noServer() async throws {
        let directory = try SocketDirectory()
        let client = client(in: directory)
        let running = Task { await client.run() }
        await #expect(throws: RPCError.notConnected) { try await client.call(Echo.self, .init(text: "")) }
        #expect(!client.notify(Count.self, .init(value: 1)))
        await #expect(throws: RPCError.notConnected) { try await client.waitUntilConnected(within: .milliseconds(20)) }
        let waiting = Task { try await client.waitUntilConnected(within: .seconds(600)) }
        waiting.cancel()
        await #expect(throws: RPCError.cancelled) { try await waiting.value }
        running.cancel()
        await running.value
        await #expect(throws: RPCError.notConnected) { try await client.waitUntilConnected(within: .seconds(600)) }
    }

    @Test("a failed handshake is retried on a new connection without affecting callers")
    func handshake() async throws {
        let directory = try SocketDirectory()
        let server = try await RPCServer.listening(in: directory, echoing)
        let tries = Inbox<RPCConnectionID>()
        let gone = Inbox<RPCError?>()
        let gate = Gate()
        let client = client(
            in: directory,
            onConnect: { connection in
                tries.append(connection.id)
                let echoed = try await connection.call(Echo.self, .init(text: "hello"))
                #expect(echoed.text == "hello")
                await gate.pass()
                if gate.arrived < 3 { throw Refused() }
            }, onDisconnect: { gone.append($0) })
        let running = Task { await client.run() }
        await gate.waitForArrivals(1)
        #expect(!client.isConnected)
        gate.open()
        try await client.waitUntilConnected(within: .seconds(30))
        #expect(Set(try await tries.take(3)).count == 3)
        #expect(client.isConnected)
        // Only the loss of a connection that completed its handshake is reported.
        await client.shutdown()
        await running.value
        #expect(try await gone.take() == nil)
        await server.shutdown()
    }

    @Test("a peer that accepts connections but never responds does not count as connected")
    func stoppedBefore() async throws {
        let directory = try SocketDirectory()
        let silent = try await SilentServer.listen(at: directory.socket, answers: 0)
        let client = client(
            in: directory, pingInterval: .milliseconds(20),
            onConnect: { _ in Issue.record("a peer that never responded was reported as connected") })
        let running = Task { await client.run() }
        _ = try await silent.connections.take(3)
        #expect(!client.isConnected)
        running.cancel()
        await running.value
        try await silent.close()
    }

    @Test("a peer that stops responding is disconnected although its socket stays open")
    func stoppedAfterwards() async throws {
        let directory = try SocketDirectory()
        let silent = try await SilentServer.listen(at: directory.socket, answers: 1)
        let events = Inbox<RPCError?>()
        let client = client(in: directory, pingInterval: .milliseconds(50), onDisconnect: { events.append($0) })
        let running = Task { await client.run() }
        try await client.waitUntilConnected(within: .seconds(30))
        #expect(try await events.take() == .connectionLost)
        running.cancel()
        await running.value
        try await silent.close()
    }

    @Test("a client that has been shut down is disconnected without an error and does not reconnect")
    func shutdown() async throws {
        let directory = try SocketDirectory()
        let events = Inbox<RPCError?>()
        let server = try await RPCServer.listening(in: directory)
        let client = client(in: directory, onDisconnect: { events.append($0) })
        let running = Task { await client.run() }
        try await client.waitUntilConnected(within: .seconds(30))
        await client.shutdown()
        await running.value
        #expect(try await events.take() == nil)
        #expect(!client.isConnected)
        await server.shutdown()
    }
}

@Suite("Pinging a peer")
struct PingScheduleTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func at(_ milliseconds: Int64) -> NIODeadline { Self.start + .milliseconds(milliseconds) }

    @Test("a peer that stops responding is pinged three times and disconnected after 7 s")
    func silentPeer() {
        var schedule = PingSchedule(interval: .seconds(2))
        #expect(schedule.action(at: at(0), lastSign: at(0)) == .wait(until: at(2_000)))
        #expect(schedule.action(at: at(2_000), lastSign: at(0)) == .ping(again: at(4_000)))
        #expect(schedule.action(at: at(4_000), lastSign: at(0)) == .ping(again: at(6_000)))
        #expect(schedule.action(at: at(6_000), lastSign: at(0)) == .ping(again: at(7_000)))
        #expect(schedule.action(at: at(7_000), lastSign: at(0)) == .drop)
    }

    @Test("any message counts as a sign of life and postpones the ping")
    func busyPeer() {
        var schedule = PingSchedule(interval: .seconds(2))
        #expect(schedule.action(at: at(2_000), lastSign: at(1_500)) == .wait(until: at(3_500)))
        #expect(schedule.action(at: at(3_500), lastSign: at(3_400)) == .wait(until: at(5_400)))
    }

    @Test(
        "if this process was paused, the peer is pinged first, and disconnected only if it does not respond within an interval"
    )
    func ownPause() {
        var schedule = PingSchedule(interval: .seconds(2))
        #expect(schedule.action(at: at(0), lastSign: at(0)) == .wait(until: at(2_000)))
        #expect(schedule.action(at: at(20_000), lastSign: at(0)) == .ping(again: at(22_000)))
        var other = schedule
        #expect(schedule.action(at: at(22_000), lastSign: at(20_001)) == .wait(until: at(22_001)))
        #expect(other.action(at: at(22_000), lastSign: at(0)) == .drop)
    }

    @Test("the next ping is sent one interval after the response to the previous one")
    func answeredPing() {
        var schedule = PingSchedule(interval: .seconds(2))
        #expect(schedule.action(at: at(2_000), lastSign: at(0)) == .ping(again: at(4_000)))
        #expect(schedule.action(at: at(4_000), lastSign: at(2_001)) == .wait(until: at(4_001)))
        #expect(schedule.action(at: at(4_001), lastSign: at(2_001)) == .ping(again: at(6_001)))
    }
}

@Suite("Waiting before a reconnection attempt")
struct ReconnectBackoffTests {
    private static let full = [50, 100, 200, 400, 800, 1600, 2000, 2000, 2000].map { Duration.milliseconds($0) }

    @Test("wait times double from 50 ms to 2 s, and jitter shortens them by at most half")
    func doubles() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            var backoff = ReconnectBackoff()
            for full in Self.full {
                let wait = backoff.next(using: &random)
                #expect(wait <= full)
                #expect(wait >= full / 2)
            }
        }
    }

    @Test("different clients wait for different lengths of time")
    func jitter() {
        var random = SystemRandomNumberGenerator()
        let waits = Set(
            (0..<20).map { _ in
                var backoff = ReconnectBackoff()
                return backoff.next(using: &random)
            })
        #expect(waits.count > 1)
    }

    @Test("a hundred thousand failures do not overflow the wait time")
    func manyFailures() {
        var backoff = ReconnectBackoff()
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100_000 { _ = backoff.next(using: &random) }
        #expect(backoff.next(using: &random) <= .seconds(2))
    }

    @Test("a successful connection resets the wait times")
    func reset() {
        var backoff = ReconnectBackoff()
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 { _ = backoff.next(using: &random) }
        backoff.reset()
        #expect(backoff.next(using: &random) <= .milliseconds(50))
    }
}
