import Foundation
import JSONRPC
import NIOCore
import TestSupport
import Testing

@testable import struct JSONRPC.SocketFile

@Suite("Server sockets", .timeLimit(.minutes(1)))
struct ServerTests {
    @Test("the socket has mode 0660 and is removed when its server shuts down")
    func mode() async throws {
        let directory = try SocketDirectory()
        let server = try await RPCServer.listening(in: directory)
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.socket)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o660)
        await server.shutdown()
        #expect(!FileManager.default.fileExists(atPath: directory.socket))
    }

    @Test("a socket left behind by a dead process is replaced")
    func staleSocket() async throws {
        let directory = try SocketDirectory()
        let (_, descriptor) = try SocketFile.bind(directory.socket)
        close(descriptor)
        #expect(FileManager.default.fileExists(atPath: directory.socket))
        let server = try await RPCServer.listening(in: directory)
        let peer = try await RawPeer.connect(to: directory.socket)
        await peer.close()
        await server.shutdown()
    }

    @Test("a socket on which another process is listening is not replaced")
    func liveSocket() async throws {
        let directory = try SocketDirectory()
        let server = try await RPCServer.listening(in: directory)
        await #expect(throws: SocketFile.Failure.inUse(directory.socket)) {
            _ = try await RPCServer.listening(in: directory)
        }
        let peer = try await RawPeer.connect(to: directory.socket)
        await peer.close()
        await server.shutdown()
    }

    @Test("a socket whose server does not accept connections yet is not replaced")
    func boundSocket() throws {
        let directory = try SocketDirectory()
        let descriptor = try SocketFile.bind(directory.socket).descriptor
        #expect(throws: SocketFile.Failure.inUse(directory.socket)) { _ = try SocketFile.bind(directory.socket) }
        close(descriptor)
    }

    @Test("if several servers start at the same time, one of them replaces a dead process's socket and keeps its own")
    func simultaneous() async throws {
        let directory = try SocketDirectory()
        let socket = directory.socket
        for _ in 0..<50 {
            close(try SocketFile.bind(socket).descriptor)
            let descriptors = await withTaskGroup(of: CInt?.self) { group in
                for _ in 0..<8 { group.addTask { try? SocketFile.bind(socket).descriptor } }
                var all: [CInt] = []
                for await descriptor in group { if let descriptor { all.append(descriptor) } }
                return all
            }
            #expect(descriptors.count == 1)
            for descriptor in descriptors { close(descriptor) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["s.sock"])
    }

    @Test("a file that is not a socket is not replaced")
    func notASocket() async throws {
        let directory = try SocketDirectory()
        try Data("precious".utf8).write(to: URL(filePath: directory.socket))
        await #expect(throws: SocketFile.Failure.notASocket(directory.socket)) {
            _ = try await RPCServer.listening(in: directory)
        }
        #expect(try Data(contentsOf: URL(filePath: directory.socket)) == Data("precious".utf8))
    }

    @Test("a socket of another kind is not replaced, and the error states why connecting to it failed")
    func datagramSocket() throws {
        let directory = try SocketDirectory()
        let other = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        defer { close(other) }
        let bound = try #require(UnixSocketAddress(directory.socket)).pass { bind(other, $0, $1) }
        try #require(bound == 0)
        #expect(
            throws: SocketFile.Failure.system(call: "connect", path: directory.socket, errno: EPROTOTYPE)
        ) { _ = try SocketFile.bind(directory.socket) }
        #expect(FileManager.default.fileExists(atPath: directory.socket))
    }

    @Test("a path that is too long for a socket is rejected with an error that contains the path")
    func longPath() async throws {
        let path = "/tmp/" + String(repeating: "x", count: 103)
        #expect(throws: SocketFile.Failure.pathTooLong(path)) { _ = try SocketFile.bind(path) }
    }

    @Test("a server that shuts down does not remove its successor's socket")
    func successor() async throws {
        let directory = try SocketDirectory()
        let first = try await RPCServer.listening(in: directory)
        try FileManager.default.removeItem(atPath: directory.socket)
        let second = try await RPCServer.listening(in: directory)
        await first.shutdown()
        let peer = try await RawPeer.connect(to: directory.socket)
        await peer.close()
        await second.shutdown()
    }

    @Test("a connection from a disallowed user is closed before anything is read")
    func otherUser() async throws {
        let directory = try SocketDirectory()
        let server = try await RPCServer.listening(
            in: directory, allowedUIDs: [], onConnect: { _ in Issue.record("a disallowed user was admitted") })
        let peer = try await RawPeer.connect(to: directory.socket)
        peer.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.ping\"}\n")
        #expect(await peer.lines(1) == [])
        try await peer.waitForClose()
        #expect(server.connectionCount == 0)
        await server.shutdown()
    }

    @Test("a connection beyond the limit is closed")
    func tooManyConnections() async throws {
        let directory = try SocketDirectory()
        let gone = Inbox<RPCConnectionID>()
        var limits = RPCLimits()
        limits.maximumConnections = 1
        let server = try await RPCServer.listening(in: directory, limits: limits, onDisconnect: { gone.append($0.id) })
        let first = try await RawPeer.connect(to: directory.socket)
        first.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.ping\"}\n")
        #expect(await first.lines(1).count == 1)
        let second = try await RawPeer.connect(to: directory.socket)
        try await second.waitForClose()
        await first.close()
        _ = try await gone.take()
        await server.shutdown()
    }

    @Test("a connection is reported before its first message, and a disconnection after the last message")
    func observers() async throws {
        let directory = try SocketDirectory()
        let events = Inbox<String>()
        var router = RPCRouter()
        router.onRaw("n") { _, _ in events.append("message") }
        let server = try await RPCServer.listening(
            in: directory, router, onConnect: { _ in events.append("connected") },
            onDisconnect: { _ in events.append("disconnected") })
        let peer = try await RawPeer.connect(to: directory.socket)
        peer.send("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n")
        #expect(try await events.take(3) == ["connected", "message", "message"])
        await peer.close()
        #expect(try await events.take() == "disconnected")
        await server.shutdown()
    }
}
