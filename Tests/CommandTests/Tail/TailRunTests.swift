import Foundation
import JSONRPC
import Logging
import NIOCore
import Observability
import SuiteMethods
import TestSupport
import Testing

@testable import BookstrackCLI

@Suite("Following services", .timeLimit(.minutes(1)))
struct TailRunTests {
    private func logged(_ text: String, at offset: Int64 = 0) throws -> TailEvent {
        try TailSamples.logged(at: offset, .notice, text)
    }

    @Test("a subscription contains the filter and the replay, and events are shown as they arrive")
    func follows() async throws {
        let stage = try TailStage()
        let service = try await stage.service(.apiProxy, pid: 7)
        let tail = try stage.tail([.apiProxy], replay: .init(last: 5))
        let subscription = try await service.subscriptions.take()
        #expect(subscription.parameters.replay == .init(last: 5))
        #expect(try await stage.next() == "Following api-proxy (1.4.0, pid 7)")
        subscription.send([try logged("a"), try logged("b")])
        subscription.send([try logged("c")])
        #expect(try await stage.next() == "notice     a")
        #expect(try await stage.next() == "notice     b")
        #expect(try await stage.next() == "notice     c")
        tail.cancel()
        #expect(await tail.value == .success)
        await service.stop()
    }

    @Test("events from several services are shown in time order")
    func merges() async throws {
        let stage = try TailStage()
        let (proxy, host) = (try await stage.service(.apiProxy), try await stage.service(.progressHost))
        // No time passes, so all events are delayed until the end.
        let tail = try stage.tail([.apiProxy, .progressHost], .json, clock: ManualClock())
        let (first, second) = try await (proxy.subscriptions.take(), host.subscriptions.take())
        _ = try await (stage.next(), stage.next())
        first.send([try logged("1", at: 1), try logged("3", at: 3)], dropped: 1)
        second.send([try logged("2", at: 2), try logged("4", at: 4)], dropped: 1)
        // The messages are printed as soon as the events have arrived.
        #expect(try await Set([stage.next(), stage.next()]).count == 2)
        tail.cancel()
        #expect(await tail.value == .success)
        for text in ["1", "2", "3", "4"] { #expect((try await stage.next()).contains("\"\(text)\"")) }
        await proxy.stop()
        await host.stop()
    }

    @Test("delayed events are shown when the tail ends")
    func endsWithTheLast() async throws {
        let stage = try TailStage()
        let (proxy, host) = (try await stage.service(.apiProxy), try await stage.service(.progressHost))
        let tail = try stage.tail([.apiProxy, .progressHost], .json, clock: ManualClock())
        let subscription = try await proxy.subscriptions.take()
        _ = try await (stage.next(), stage.next())
        subscription.send([try logged("last")], dropped: 1)
        // The message is printed as soon as the event has arrived.
        #expect(try await stage.next() == "… 1 event of api-proxy dropped: this reader is too slow")
        #expect(stage.outputs.elements.isEmpty)
        tail.cancel()
        #expect(await tail.value == .success)
        #expect((try await stage.next()).contains("last"))
        await proxy.stop()
        await host.stop()
    }

    @Test("a restart is announced, and missed events are requested and shown once")
    func restart() async throws {
        let stage = try TailStage()
        let before = try await stage.service(.apiProxy, pid: 7)
        let tail = try stage.tail([.apiProxy])
        let first = try await before.subscriptions.take()
        #expect(first.parameters.replay == nil)
        first.send([try logged("a")])
        #expect(try await stage.next() == "Following api-proxy (1.4.0, pid 7)")
        #expect(try await stage.next() == "notice     a")
        await before.stop()
        #expect(try await stage.next() == "api-proxy closed the connection; retrying in 1 s (1 of 5)")
        try await stage.pauses.take().end.finish()
        #expect(
            try await stage.next()
                == "api-proxy is not available: there is no DIR/api-proxy.sock; retrying in 2 s (2 of 5)")
        let after = try await stage.service(.apiProxy, pid: 8)
        try await stage.pauses.take().end.finish()
        let second = try await after.subscriptions.take()
        #expect(second.parameters.replay == .init(since: TailSamples.time - 1_000))
        second.send([try logged("a")])
        #expect(try await stage.next() == "Following api-proxy again: it was restarted (1.4.0, pid 8)")
        #expect(try await stage.next() == "notice     a")
        second.connection.close()
        #expect(try await stage.next() == "api-proxy closed the connection; retrying in 1 s (1 of 5)")
        try await stage.pauses.take().end.finish()
        let third = try await after.subscriptions.take()
        third.send([try logged("a"), try logged("b", at: 1)])
        #expect(try await stage.next() == "Following api-proxy again: the same process (1.4.0, pid 8)")
        #expect(try await stage.next() == "notice     b")
        tail.cancel()
        #expect(await tail.value == .success)
        await after.stop()
    }

    @Test("the tail gives up on an unavailable service after five more attempts, and ends when no service is left")
    func givesUp() async throws {
        let stage = try TailStage()
        let host = try await stage.service(.progressHost)
        let tail = try stage.tail([.apiProxy, .progressHost])
        let subscription = try await host.subscriptions.take()
        var waits: [Int64] = []
        for _ in 0..<5 {
            let pause = try await stage.pauses.take()
            waits.append(pause.length.components.seconds)
            pause.end.finish()
        }
        #expect(waits == [1, 2, 4, 8, 16])
        // Six messages about the missing service, and one about the other.
        var said: [String] = []
        for _ in 0..<7 { said.append(try await stage.next()) }
        #expect(
            said.last { $0.contains("api-proxy") }
                == "bookstrack: api-proxy is not available: there is no DIR/api-proxy.sock; no longer following it")
        subscription.send([try logged("alone")])
        #expect(try await stage.next() == "progress-host  notice     alone")
        await host.stop()
        for _ in 0..<5 { try await stage.pauses.take().end.finish() }
        #expect(await tail.value == .unavailable)
    }

    @Test("the tail gives up immediately on a service whose version does not support it")
    func oldVersion() async throws {
        let stage = try TailStage()
        let old = try await FakeTailService(at: stage.socket(of: .apiProxy), RPCRouter())
        let tail = try stage.tail([.apiProxy])
        #expect(await tail.value == .unavailable)
        #expect(
            try await stage.next()
                == "bookstrack: api-proxy cannot be followed: its version does not support tail; no longer following it"
        )
        await old.stop()
    }

    @Test(
        "the number of lost events is shown: in JSON with the next event and in a notice, in pretty text before the next event"
    )
    func dropped() async throws {
        for format in TailFormat.allCases {
            let stage = try TailStage()
            let service = try await stage.service(.apiProxy)
            let tail = try stage.tail([.apiProxy], format)
            let subscription = try await service.subscriptions.take()
            _ = try await stage.next()
            subscription.send([], dropped: 2)
            subscription.send([try logged("a")], dropped: 3)
            var said: [TailStage.Output] = []
            for _ in 0..<(format == .json ? 3 : 2) { said.append(try await stage.outputs.take()) }
            let count = "… 5 events of api-proxy dropped: this reader is too slow"
            switch format {
            case .pretty: #expect(said.first == .line(count))
            case .json:
                #expect(said.first == .note(count.replacing("5", with: "2")))
                if case .line(let line)? = said.last {
                    #expect(line.hasSuffix(#""dropped":5}"#))
                } else {
                    Issue.record("the event was not written")
                }
            }
            tail.cancel()
            _ = await tail.value
            await service.stop()
        }
    }

    @Test("while the output is not read, the sockets are not read either, and later everything arrives in order")
    func stuckReader() async throws {
        let stage = try TailStage()
        let service = try await stage.service(.apiProxy)
        let gate = AsyncStream.makeStream(of: Void.self)
        let tail = try stage.tail([.apiProxy], isRead: { for await _ in gate.stream {} })
        let subscription = try await service.subscriptions.take()
        _ = try await stage.next()
        let padding = String(repeating: "x", count: 64 << 10)
        let ping = ByteBuffer(string: "{}")
        var sent = 0
        // A ping is answered as long as the tail reads. A timely response shows that the batches before it were read.
        while sent < 1_000 {
            subscription.send([try logged("\(sent) \(padding)")])
            sent += 1
            guard (try? await subscription.connection.callRaw("rpc.ping", ping, deadline: .milliseconds(300))) != nil
            else { break }
        }
        #expect(sent < 3 * TailConnection.maxBatches)
        #expect(stage.outputs.elements.isEmpty)
        gate.continuation.finish()
        for number in 0..<sent { #expect((try await stage.next()).hasPrefix("notice     \(number) x")) }
        tail.cancel()
        #expect(await tail.value == .success)
        await service.stop()
    }
}
