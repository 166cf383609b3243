import BookstrackContract
import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import SuiteMethods
import TestSupport
import Testing
@testable import APIProxy

@Suite("Connections to progress-host, restarts and stops", .timeLimit(.minutes(2))) struct HostRestartTests {
    @Test("a socket stays open and resumes after its last event, and messages sent during the restart arrive")
    func reattaches() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port, query: "jobId=job-12345&token=t")
            let fresh = try await WebSocketClient(
                port: proxy.port, query: "jobId=job-12345&token=t&since=3&reconnect=true")
            let (id, _) = try await proxy.host.nextOpened()
            let (freshId, _) = try await proxy.host.nextOpened()
            proxy.host.deliver("{\"seq\":41}", to: [id], .event, seq: 41)
            #expect(try await client.next().text == "{\"seq\":41}")
            await proxy.host.stop()
            try await until { !proxy.isConnectedToHost }
            try await client.send(#"{"type":"ready"}"#)
            try await client.send(#"{"type":"sync_request"}"#)
            // A PONG shows that the messages before it have been read.
            try await client.send(opcode: 9, [])
            #expect(try await client.next().opcode == 10)

            try await proxy.host.start()
            let resumed = Array(try await proxy.host.nextResumed(2).joined())
            let old = try #require(resumed.first { $0.socket == id })
            #expect(old.lastSeq == 41)
            #expect(old.begun)
            #expect(old.tokenNumber == 7)
            #expect(old.since == nil)
            let new = try #require(resumed.first { $0.socket == freshId })
            #expect(new.lastSeq == 0)
            #expect(!new.begun)
            #expect(new.since == 3)
            #expect(new.reconnect)
            #expect(try await proxy.host.nextMessage().1 == #"{"type":"ready"}"#)
            #expect(try await proxy.host.nextMessage().1 == #"{"type":"sync_request"}"#)

            proxy.host.deliver("{\"seq\":41}", to: [id], .event, seq: 41)
            proxy.host.deliver("{\"seq\":42}", to: [id], .event, seq: 42)
            #expect(try await client.next().text == "{\"seq\":42}")
            proxy.host.close([freshId], .normal)
            #expect(try await fresh.next().closeCode == 1000)
        }
    }

    @Test("a socket that uses the v1 dialect is resumed in that dialect")
    func dialect() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port, query: "jobId=job-12345&token=t")
            let (id, _) = try await proxy.host.nextOpened()
            proxy.host.noteV1(id)
            proxy.host.deliver("{\"type\":\"progress\"}", to: [id], .progress, seq: 1)
            #expect(try await client.next().text == "{\"type\":\"progress\"}")
            await proxy.host.stop()
            try await until { !proxy.isConnectedToHost }
            try await proxy.host.start()
            #expect(try await proxy.host.nextResumed().map(\.v1) == [true])
        }
    }

    @Test("a socket that closes during the restart is not resumed")
    func closedMeanwhile() async throws {
        try await RunningProxy.run { proxy in
            let leaving = try await WebSocketClient(port: proxy.port)
            let staying = try await WebSocketClient(port: proxy.port)
            let (gone, _) = try await proxy.host.nextOpened()
            let (left, _) = try await proxy.host.nextOpened()
            await proxy.host.stop()
            try await until { !proxy.isConnectedToHost }
            await leaving.connection.close()
            try await until { proxy.services.hub.socketLimiter.total <= 1 }
            try await proxy.host.start()
            let resumed = try await proxy.host.nextResumed().map(\.socket)
            #expect(resumed == [left])
            #expect(!resumed.contains(gone))
            await staying.connection.close()
        }
    }

    @Test("too many messages while progress-host is down close the socket with 1013")
    func keptBound() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            _ = try await proxy.host.nextOpened()
            await proxy.host.stop()
            try await until { !proxy.isConnectedToHost }
            for _ in 0...SocketShard.keptMessages { try await client.send("{}") }
            #expect(try await client.framesToClose().last?.closeCode == 1013)
        }
    }

    @Test("many sockets are resumed in pages, each exactly once, and all of them continue")
    func pages() async throws {
        try await RunningProxy.run {
            $0.resumePage = 2
        } _: { proxy in
            var clients: [SocketID: WebSocketClient] = [:]
            for _ in 0..<5 {
                let client = try await WebSocketClient(port: proxy.port)
                clients[try await proxy.host.nextOpened().0] = client
            }
            await proxy.host.stop()
            try await until { !proxy.isConnectedToHost }
            try await proxy.host.start()
            let pages = try await proxy.host.nextResumed(clients.count)
            #expect(pages.allSatisfy { $0.count <= 2 })
            #expect(pages.joined().count == clients.count)
            #expect(Set(pages.joined().map(\.socket)) == Set(clients.keys))
            proxy.host.deliver("{\"seq\":1}", to: Array(clients.keys), .event, seq: 1)
            for client in clients.values { #expect(try await client.next().text == "{\"seq\":1}") }
        }
    }

    @Test("each of up to four event loops has its own connection to progress-host, on which its sockets are opened")
    func connectionPerLoop() async throws {
        try await RunningProxy.run { proxy in
            let (shards, count) = (proxy.services.hub.shards, proxy.services.host.clients.count)
            var connections: [Int?: RPCConnectionID] = [:]
            for number in 0..<4 * shards.count {
                _ = try await WebSocketClient(port: proxy.port, query: "jobId=job-\(10_000 + number)&token=t")
                let (id, _) = try await proxy.host.nextOpened()
                let connection = try #require(proxy.host.opener(of: id))
                let loop = shards.firstIndex { $0.owns(id) }.map { $0 % count }
                let known = connections.updateValue(connection.id, forKey: loop)
                #expect(known == nil || known == connection.id)
            }
            #expect(Set(connections.values).count == connections.count)
        }
    }

    @Test("a socket opened while its event loop's connection is being re-established waits for the connection")
    func waitsForConnection() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            let release = Inbox<Void>()
            proxy.host.script.withLockedValue { $0.resumeRelease = release }
            try #require(proxy.host.opener(of: id)).close()
            #expect(try await proxy.host.nextResumed().map(\.socket) == [id])
            #expect(!proxy.services.host.isConnected)
            var late: [RawConnection] = []
            for _ in proxy.services.hub.shards {
                let connection = try await RawConnection(port: proxy.port)
                try await connection.send(WebSocketClient.request())
                late.append(connection)
            }
            try await until { proxy.services.hub.socketLimiter.total > late.count }
            release.append(())
            for connection in late { #expect(try await connection.answers(1).map(\.status) == [101]) }
            proxy.host.deliver("{\"seq\":1}", to: [id], .event, seq: 1)
            #expect(try await client.next().text == "{\"seq\":1}")
        }
    }

    @Test(
        "an event that arrives before the connection is re-established answers the requests that wait for it",
        arguments: [true, false])
    func waitingRequests(poll: Bool) async throws {
        var script = FakeHost.Script(rows: [[#"{"success":false,"errorCode":"NOT_FOUND"}"#]])
        script.state = JobState(
            jobId: try job("job-12345"), pipeline: .batchEnrichment, totalCount: 1,
            createdAt: "2025-11-15T20:00:00.000Z")
        try await RunningProxy.run(script: script) { proxy in
            // One on each event loop, since only those of one loop use the connection that also carries their calls.
            var asked: [Task<HTTPAnswer, any Error>] = []
            var watched: [SocketID: JobID] = [:]
            for _ in proxy.services.hub.shards {
                asked.append(
                    Task {
                        poll
                            ? try await proxy.request("GET", "/v1/jobs/job-12345?wait=30")
                            : try await proxy.post(BookRoutes.path, #"{"title":"Dune"}"#)
                    })
                let (id, request) = try await proxy.host.nextOpened()
                watched[id] = request.jobId
            }
            let hub = proxy.services.hub
            for job in Set(watched.values) {
                try await until { try await hub.watchers(of: job).allSatisfy { $0.token != nil } }
            }
            await proxy.host.stop()
            try await until { !proxy.isConnectedToHost }
            let release = Inbox<Void>()
            proxy.host.script.withLockedValue {
                $0.resumeRelease = release
                $0.state?.status = .completed
                $0.state?.endedAt = "2025-11-15T20:00:01.000Z"
            }
            try await proxy.host.start()
            let pages = try await proxy.host.nextResumed(watched.count)
            proxy.host.deliver(#"{"type":"job_complete","seq":3}"#, to: Array(watched.keys), .terminal, seq: 3)
            try await until { hub.socketLimiter.total == 0 }
            for _ in pages { release.append(()) }
            for request in asked { #expect(try await request.value.status == (poll ? 200 : 404)) }
        }
    }

    @Test("when api-proxy stops, it closes sockets with 1012, ends unused connections and accepts no new ones")
    func shutdown() async throws {
        try await RunningProxy.run {
            $0.timeouts.closeReply = .seconds(3_600)
        } _: { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            let silent = try await RawConnection(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            proxy.host.deliver("{\"seq\":1}", to: [id], .event, seq: 1)
            #expect(try await client.next().text == "{\"seq\":1}")
            async let ended: Void = proxy.shutdown()
            #expect(try await client.next().closeCode == 1012)
            try await client.send(opcode: 8, [0x03, 0xF4])
            try await ended
            #expect(try await silent.readToEnd().isEmpty)
            await #expect(throws: (any Error).self) { try await RawConnection(port: proxy.port) }
        }
    }
}

@Suite("Replacing api-proxy while clients are connected", .timeLimit(.minutes(2))) struct RestartTests {
    private static let request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let lastRequest = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    @Test(
        "a connection that was accepted but never used receives a response to its first request",
        arguments: [false, true])
    func firstRequest(_ isAdmin: Bool) async throws {
        try await RunningProxy.run {
            $0.timeouts.lastRequest = .seconds(60)
        } _: { proxy in
            let port = isAdmin ? proxy.adminPort : proxy.port
            let unused = try await RawConnection(port: port)
            // Connections are accepted in order: once this one has received a response, the other one has been
            // accepted.
            let idle = try await RawConnection(port: port)
            try await idle.send(Self.request)
            _ = try await idle.arrivals.take()
            async let ended: Void = proxy.shutdown()
            #expect(try await idle.arrivals.take() == .end)
            try await unused.send(Self.request)
            let answer = try HTTPAnswer(await unused.readToEnd())
            #expect(answer.status == 200)
            #expect(answer["connection"] == "close")
            try await ended
        }
    }

    @Test("every request sent during ten restarts receives a response")
    func restarts() async throws {
        let socket = try OpenPort()
        let isOver = NIOLockedValueBox(false)
        let answers = Inbox<Int>()
        try await withThrowingTaskGroup { clients in
            for _ in 0..<8 {
                clients.addTask {
                    while !isOver.withLockedValue({ $0 }) {
                        let connection = try await RawConnection(port: socket.port)
                        try await connection.send(Self.lastRequest)
                        answers.append(try HTTPAnswer(await connection.readToEnd()).status)
                        await connection.close()
                    }
                }
            }
            for restart in 0...10 {
                try await RunningProxy.run(startsHost: false) {
                    $0.publicPlace = .passed(descriptor: socket.copy())
                } _: { _ in
                    for _ in 0..<50 { #expect(try await answers.take() == 200) }
                    guard restart == 10 else { return }
                    isOver.withLockedValue { $0 = true }
                    try await clients.waitForAll()
                }
            }
        }
    }
}
