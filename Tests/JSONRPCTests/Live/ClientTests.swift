import Glibc
import JSONRPC
import Logging
import NIOCore
import NIOPosix
import Testing

@Suite("A client's connection", .timeLimit(.minutes(1)))
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

    @Test("it comes back when its server does, and says so at each end of the gap")
    func reconnects() async throws {
        let directory = try SocketDirectory()
        let events = Mailbox<String>()
        let client = client(
            in: directory, onConnect: { _ in events.post("connected") },
            onDisconnect: { events.post("disconnected: \($0?.description ?? "shut down")") })
        let running = Task { await client.run() }
        for _ in 0..<3 {
            let server = try await RPCServer.listening(in: directory, echoing)
            try await client.waitUntilConnected(within: .seconds(30))
            let echoed = try await client.call(Echo.self, .init(text: "again"))
            #expect(echoed.text == "again")
            await server.shutdown()
            #expect(await events.take(2) == ["connected", "disconnected: connection lost"])
            #expect(!client.isConnected)
        }
        await client.shutdown()
        await running.value
    }

    @Test("without a server calls fail at once, notifications are refused, and waiting ends in time")
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

    @Test("a handshake that fails is tried again on a new connection, unseen by callers")
    func handshake() async throws {
        let directory = try SocketDirectory()
        let server = try await RPCServer.listening(in: directory, echoing)
        let tries = Mailbox<RPCConnectionID>()
        let gone = Mailbox<RPCError?>()
        let gate = Gate()
        let client = client(
            in: directory,
            onConnect: { connection in
                tries.post(connection.id)
                let echoed = try await connection.call(Echo.self, .init(text: "hello"))
                #expect(echoed.text == "hello")
                await gate.pass()
                if gate.arrived < 3 { throw Refused() }
            }, onDisconnect: { gone.post($0) })
        let running = Task { await client.run() }
        await gate.waitForArrivals(1)
        #expect(!client.isConnected)
        gate.open()
        try await client.waitUntilConnected(within: .seconds(30))
        #expect(Set(await tries.take(3)).count == 3)
        #expect(client.isConnected)
        // Only a connection whose handshake was done may be seen to go.
        await client.shutdown()
        await running.value
        #expect(await gone.take(1) == [nil])
        await server.shutdown()
    }

    @Test("a peer whose kernel accepts but which never answers is no connection")
    func stoppedBefore() async throws {
        let directory = try SocketDirectory()
        let silent = try await SilentServer.listen(at: directory.socket, answers: 0)
        let client = client(
            in: directory, pingInterval: .milliseconds(20), onConnect: { _ in Issue.record("nobody answered") })
        let running = Task { await client.run() }
        #expect(await silent.connections.take(3).count == 3)
        #expect(!client.isConnected)
        running.cancel()
        await running.value
        try await silent.close()
    }

    @Test("a peer that stops answering is dropped although its socket stays open")
    func stoppedAfterwards() async throws {
        let directory = try SocketDirectory()
        let silent = try await SilentServer.listen(at: directory.socket, answers: 1)
        let events = Mailbox<RPCError?>()
        let client = client(in: directory, pingInterval: .milliseconds(50), onDisconnect: { events.post($0) })
        let running = Task { await client.run() }
        try await client.waitUntilConnected(within: .seconds(30))
        #expect(await events.take(1) == [.connectionLost])
        running.cancel()
        await running.value
        try await silent.close()
    }

    @Test("a shut down client is disconnected without error and connects no more")
    func shutdown() async throws {
        let directory = try SocketDirectory()
        let events = Mailbox<RPCError?>()
        let server = try await RPCServer.listening(in: directory)
        let client = client(in: directory, onDisconnect: { events.post($0) })
        let running = Task { await client.run() }
        try await client.waitUntilConnected(within: .seconds(30))
        await client.shutdown()
        await running.value
        #expect(await events.take(1) == [nil])
        #expect(!client.isConnected)
        await server.shutdown()
    }
}
