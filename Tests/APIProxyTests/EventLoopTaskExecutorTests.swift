import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

@testable import APIProxy

@Suite("Tasks on an event loop")
struct EventLoopTaskExecutorTests {
    /// Signals that its channel has read something.
    private final class Arrival: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        let hasRead = NIOLockedValueBox(false)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { hasRead.withLockedValue { $0 = true } }
    }

    @Test("sockets are read while tasks keep the loop busy", .timeLimit(.minutes(1)))
    func readsBetweenTasks() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let executors = EventLoopTaskExecutors(group)
        let arrival = Arrival()
        let busy = Task(executorPreference: executors[group.next()]) {
            while !arrival.hasRead.withLockedValue({ $0 }) { await Task.yield() }
        }
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        #expect(send(ends[1], "x", 1, 0) == 1)
        let channel = try await ClientBootstrap(group: group)
            .channelInitializer { $0.pipeline.addHandler(arrival) }
            .withConnectedSocket(ends[0]).get()
        await busy.value
        try await channel.close()
        close(ends[1])
        try await group.shutdownGracefully()
    }

    @Test("tasks run on the loop's thread, in the order in which they were created")
    func order() async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let executor = EventLoopTaskExecutor(eventLoop)
        let order = NIOLockedValueBox<[Int]>([])
        let tasks = (0..<1_000).map { number in
            Task(executorPreference: executor) {
                eventLoop.preconditionInEventLoop()
                order.withLockedValue { $0.append(number) }
            }
        }
        for task in tasks { await task.value }
        #expect(order.withLockedValue { $0 } == Array(0..<1_000))
    }
}
