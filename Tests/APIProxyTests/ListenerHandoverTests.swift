import Foundation
import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceKit
import TestSupport
import Testing

@testable import APIProxy

@Suite("Handover of the listening sockets", .timeLimit(.minutes(1)))
final class ListenerHandoverTests {
    private let path = "/tmp/bt-\(UUID().uuidString.prefix(8))"
    private let group = MultiThreadedEventLoopGroup.singleton

    deinit { unlink(path) }

    /// Offers a listener on `port` at `path` while `body` is running; `taken` receives an element when a successor has taken over.
    private func offering(
        _ body: (ListenerHandover, _ taken: Inbox<Void>, _ port: Int) async throws -> Void
    ) async throws {
        let taken = Inbox<Void>()
        let handover = ListenerHandover(path: path) { taken.append(()) }
        let listener = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        await handover.offer(.public, listener)
        let successors = try await handover.listen(on: group)
        try await body(handover, taken, try #require(listener.localAddress?.port))
        await handover.end(successors)
        try await listener.close()
    }

    @Test("after a successor has refused to start, the process keeps serving and offers its sockets to the next one")
    func refusal() async throws {
        try await offering { handover, taken, _ in
            guard let refused = OfferedListeners.receive(from: path) else { throw NothingOffered() }
            close(try #require(refused.descriptors[.public]))
            _ = consume refused
            while true {
                guard let next = OfferedListeners.receive(from: path) else { continue }
                #expect(!handover.isDone)
                close(try #require(next.descriptors[.public]))
                next.accept()
                break
            }
            try await taken.take()
            #expect(handover.isDone)
        }
    }

    @Test("a successor reports the address of the socket that it has taken over, and tells it to clients")
    func address() async throws {
        try await offering { _, taken, port in
            let settings = try Settings.load(arguments: [], environment: ["BOOKSTRACK_HTTP_PORT": "9000"])
            var successor = ProxySettings(settings)
            try successor.takeOver(
                from: path, settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            guard case .passed(let descriptor, isKept: false) = successor.publicPlace else { throw NothingOffered() }
            defer { close(descriptor) }
            #expect(successor.reported("BOOKSTRACK_HTTP_PORT") == ["\(port)", "previous api-proxy"])
            #expect(successor.clientAddresses == ["http://127.0.0.1:\(port)"])
            try await taken.take()
        }
    }

    @Test("only one successor at a time receives the sockets")
    func second() async throws {
        try await offering { _, taken, _ in
            guard let first = OfferedListeners.receive(from: path) else { throw NothingOffered() }
            close(try #require(first.descriptors[.public]))
            let isSecondServed = OfferedListeners.receive(from: path) != nil
            #expect(!isSecondServed)
            first.accept()
            try await taken.take()
        }
    }

    @Test("a successor of an older version, which confirms nothing, takes over when it has received the sockets")
    func olderSuccessor() async throws {
        try await offering { handover, taken, _ in
            let peer = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
            let address = try SocketAddress(unixDomainSocketPath: path)
            try #require(address.withSockAddr { connect(peer, $0, socklen_t($1)) } == 0)
            let received = try #require(DescriptorMessage.receive(from: peer, count: 2))
            #expect(received.text == "public")
            for descriptor in received.descriptors { close(descriptor) }
            close(peer)
            try await taken.take()
            #expect(handover.isDone)
        }
    }

    @Test("a process of an older version, which waits for no confirmation, hands over its sockets")
    func olderProcess() async throws {
        let older = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(OlderHandover())
                }
            }
            .bind(unixDomainSocketPath: path).get()
        guard let offered = OfferedListeners.receive(from: path) else { throw NothingOffered() }
        close(try #require(offered.descriptors[.admin]))
        offered.accept()
        try await older.close()
    }

    private struct NothingOffered: Error {}
}

/// Sends a descriptor and closes the connection without reading.
private final class OlderHandover: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelActive(context: ChannelHandlerContext) {
        _ = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) {
            DescriptorMessage.send([$0], text: "admin", to: $0)
        }
        context.close(promise: nil)
    }
}
