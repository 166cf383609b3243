import Foundation
import JSONRPC
import Logging
import NIOPosix
import Observability
import ServiceKit
import SuiteMethods
import TestSupport
import Testing

@Suite("Following a process over its socket", .timeLimit(.minutes(1)))
struct TailFeedTests {
    /// The messages sent to a follower.
    private struct Received {
        let stream: AsyncStream<TailEvents.Parameters>

        /// Waits for at least this many log messages, and returns them and the number of events that were dropped.
        func take(_ count: Int) async -> (messages: [String], dropped: Int) {
            var messages: [String] = []
            var dropped = 0
            for await parameters in stream {
                dropped += parameters.dropped
                messages += parameters.events.flatMap(\.logs).map(\.message)
                if messages.count >= count { break }
            }
            return (messages, dropped)
        }
    }

    private func log(_ message: String, _ level: Logger.Level = .info, at time: Int64 = 0, to hub: TailHub) {
        hub.publish(TailEntry(LoggedLine(time: time, level: level, message: message, metadata: [:])))
    }

    /// Runs `body` with a connected peer of a process that has a tail hub.
    private func following(
        _ hub: TailHub, _ body: (RPCClient, Received) async throws -> Void
    ) async throws {
        let directory = try ScratchDirectory()
        let path = "\(directory.path)/tail.sock"
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let group = MultiThreadedEventLoopGroup.singleton
        var serving = RPCRouter()
        serving.answerTail(of: .apiProxy, from: hub)
        let server = try await RPCServer.bind(
            path: path, router: serving, allowedUIDs: [getuid()], group: group, logger: logger)
        let (stream, continuation) = AsyncStream.makeStream(of: TailEvents.Parameters.self)
        var calling = RPCRouter()
        calling.on(TailEvents.self) { parameters, _ in continuation.yield(parameters) }
        let client = RPCClient(path: path, router: calling, group: group, logger: logger)
        let running = Task { await client.run() }
        defer { running.cancel() }
        try await client.waitUntilConnected(within: .seconds(60))
        try await body(client, Received(stream: stream))
        await client.shutdown()
        await server.shutdown()
    }

    @Test("a follower receives new events in order")
    func live() async throws {
        let hub = TailHub()
        log("before", to: hub)
        try await following(hub) { client, received in
            let answer = try await client.call(SubscribeToTail.self, .init(filter: TailFilter(), replay: nil))
            #expect(answer.service == .apiProxy)
            #expect(answer.pid == getpid())
            for number in 1...600 { log("\(number)", to: hub) }
            let (messages, dropped) = await received.take(600)
            #expect(messages == (1...600).map { "\($0)" })
            #expect(dropped == 0)
        }
    }

    @Test("a follower may request stored events, limited by number or time")
    func replay() async throws {
        let hub = TailHub()
        for number in 1...9 { log("\(number)", number % 2 == 0 ? .error : .info, at: Int64(number), to: hub) }
        var filter = TailFilter()
        filter.outcomes = [.error]
        for (replay, expected) in [
            (SubscribeToTail.Replay(last: 2), ["6", "8"]), (.init(since: 5), ["6", "8"]),
            (.init(since: 3, last: 9), ["4", "6", "8"]), (.init(last: 9), ["2", "4", "6", "8"]),
        ] {
            try await following(hub) { client, received in
                _ = try await client.call(SubscribeToTail.self, .init(filter: filter, replay: replay))
                #expect(await received.take(expected.count).messages == expected)
            }
        }
    }

    @Test("a slow follower learns how many events it missed")
    func dropped() async throws {
        let hub = TailHub(capacity: 100)
        try await following(hub) { client, received in
            _ = try await client.call(SubscribeToTail.self, .init(filter: TailFilter(), replay: nil))
            // The subscription call is also an event and precedes these.
            for number in 1...5_000 { log("\(number)", to: hub) }
            var messages: [String] = []
            var dropped = 0
            while messages.last != "5000" {
                let (some, lost) = await received.take(1)
                messages += some
                dropped += lost
            }
            #expect(messages.count + dropped >= 5_000)
            #expect(messages.count + dropped <= 5_001)
        }
    }

    @Test("routine events are delivered only on request")
    func routine() async throws {
        let hub = TailHub()
        func publish(_ method: String) {
            let activity = Activity(TraceContext())
            activity.note(LoggedLine(time: 1, level: .info, message: method, metadata: [:]))
            hub.publish(TailEntry(.rpc(.init(method: method, peerPID: 1, code: nil)), of: activity, .ok))
        }
        try await following(hub) { client, received in
            _ = try await client.call(SubscribeToTail.self, .init(filter: TailFilter(), replay: nil))
            publish("service.health")
            log("shown", to: hub)
            #expect(await received.take(1).messages == ["shown"])
            var filter = TailFilter()
            filter.includesRoutine = true
            filter.methods = ["service.health"]
            _ = try await client.call(SubscribeToTail.self, .init(filter: filter, replay: nil))
            publish("service.health")
            #expect(await received.take(1).messages == ["service.health"])
        }
    }

    @Test("the process's own log level is restored after the last follower has disconnected")
    func level() async throws {
        let hub = TailHub()
        var filter = TailFilter()
        filter.level = .trace
        let detailed = filter
        try await following(hub) { client, _ in
            _ = try await client.call(SubscribeToTail.self, .init(filter: detailed, replay: nil))
            #expect(hub.followedLevel == .trace)
        }
        // The server may count the connection as gone just before the follower is forgotten.
        try await until { hub.followedLevel == nil }
    }
}
