import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import JSONRPC

@Suite("Messages written by the calling thread", .timeLimit(.minutes(1)))
struct GatheredWritesTests {
    /// Runs `body` with the server's end of a connection and with a peer that reads only on request.
    private func connected(_ body: (RPCConnection, RawPeer) async throws -> Void) async throws {
        let directory = try SocketDirectory()
        let connections = Inbox<RPCConnection>()
        let server = try await RPCServer.listening(in: directory, onConnect: { connections.append($0) })
        let peer = try await RawPeer.connect(to: directory.socket, reading: false)
        try await body(connections.take(), peer)
        await peer.close()
        await server.shutdown()
    }

    private func number(_ value: Int, padding: Int = 0) -> ByteBuffer {
        ByteBuffer(string: "{\"n\":\(value),\"x\":\"\(String(repeating: "x", count: padding))\"}")
    }

    @Test("a message is written before the thread continues, bypassing the event loop")
    func written() async throws {
        try await connected { connection, peer in
            try await connection.channel.eventLoop.submit {
                GatheredWrites.write { for value in 0..<3 { connection.notifyRaw("n", number(value)) } }
                #expect(connection.bufferedBytes == 0)
            }.get()
            try await peer.read()
            #expect(await peer.lines(3).count == 3)
        }
    }

    @Test("bytes that the kernel does not accept immediately are sent later, in order")
    func rest() async throws {
        try await connected { connection, peer in
            GatheredWrites.write { for value in 0..<2_000 { connection.notifyRaw("n", number(value, padding: 1_000)) } }
            #expect(connection.bufferedBytes > 0)
            GatheredWrites.write { connection.notifyRaw("n", number(2_000)) }
            try await peer.read()
            let lines = await peer.lines(2_001)
            #expect(
                lines.map { $0.prefix { $0 != "x" } }
                    == (0...2_000).map { value in
                        "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{\"n\":\(value),\""
                    })
        }
    }

    /// The events in the two columns may interleave in any order:
    ///
    ///     a thread that gathers          others
    ///     frames are queued
    ///                                    a frame is queued, a loop write is scheduled
    ///     writes the whole queue         the loop writes, a frame is queued
    @Test("frames from several threads arrive complete, and each thread's frames arrive in order")
    func severalThreads() async throws {
        try await connected { connection, peer in
            try await peer.read()
            await withTaskGroup { group in
                for thread in 0..<4 {
                    group.addTask {
                        for round in 0..<500 {
                            let value = thread * 1_000 + round
                            if thread.isMultiple(of: 2) {
                                GatheredWrites.write { connection.notifyRaw("n", number(value, padding: 200)) }
                            } else {
                                connection.notifyRaw("n", number(value, padding: 200))
                            }
                        }
                    }
                }
            }
            let values = try await peer.lines(2_000).map { line in
                let digits = try #require(line.split(separator: "\"n\":").last).prefix { $0.isNumber }
                return try #require(Int(digits))
            }
            for thread in 0..<4 {
                #expect(values.filter { $0 / 1_000 == thread } == (0..<500).map { thread * 1_000 + $0 })
            }
        }
    }

    @Test("frames that a task sends after the gathering has ended are written by the event loop")
    func laterTask() async throws {
        try await connected { connection, peer in
            try await peer.read()
            var task: Task<Void, Never>?
            GatheredWrites.write {
                task = Task {
                    while GatheredWrites.current?.add(connection) == true { await Task.yield() }
                    connection.notifyRaw("n", number(7))
                }
            }
            await task?.value
            #expect(await peer.lines(1).count == 1)
        }
    }

    @Test("a call from a thread without an event loop is sent without waiting for the connection's event loop")
    func call() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let directory = try SocketDirectory()
        let connections = Inbox<RPCConnection>()
        let server = try await RPCServer.bind(
            path: directory.socket, router: RPCRouter(), allowedUIDs: [getuid()], group: group, logger: .silent,
            onConnect: { connections.append($0) })
        let peer = try await RawPeer.connect(to: directory.socket)
        let connection = try await connections.take()
        let mayGoOn = ConditionLock(value: false)
        let loop = group.next().submit {
            let isTold = mayGoOn.lock(whenValue: true, timeoutSeconds: 20)
            if isTold { mayGoOn.unlock() }
            return isTold
        }
        let call = Task { try? await connection.callRaw("m", number(1), deadline: .seconds(60)) }
        #expect(await peer.lines(1).count == 1)
        mayGoOn.lock()
        mayGoOn.unlock(withValue: true)
        #expect(try await loop.get())
        call.cancel()
        await peer.close()
        await server.shutdown()
        try await group.shutdownGracefully()
    }

    @Test("writing to a connection that has since been closed is harmless")
    func closed() async throws {
        try await connected { connection, peer in
            await peer.close()
            try await connection.closed.get()
            GatheredWrites.write { #expect(!connection.notifyRaw("n", number(1))) }
            connection.writeDirectly()
        }
    }
}
