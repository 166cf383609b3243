import Glibc
import JSONRPC
import NIOCore
import TestSupport
import Testing

@Suite("Calls over a socket", .timeLimit(.minutes(1)))
struct CallTests {
    private var echoing: RPCRouter {
        var router = RPCRouter()
        router.handle(Echo.self) { parameters, _ in parameters }
        router.handleInline(InlineEcho.self) { parameters, _, reply in reply.succeed(parameters) }
        return router
    }

    @Test("a typed call returns the value that the handler returns")
    func typedCall() async throws {
        try await Pair.with(serving: echoing) { pair in
            let echoed = try await pair.client.call(Echo.self, .init(text: "Dune"))
            #expect(echoed.text == "Dune")
            let inline = try await pair.client.call(InlineEcho.self, .init(text: "Žluť\n\""))
            #expect(inline.text == "Žluť\n\"")
        }
    }

    @Test("each of a thousand concurrent calls receives its own response")
    func concurrentCalls() async throws {
        try await Pair.with(serving: echoing) { pair in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        let text = "call \(number)"
                        let echoed = try await pair.client.call(Echo.self, .init(text: text))
                        return echoed.text == text
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test("while a client has as many calls in flight as it may have, its pings are still sent and answered")
    func pingsAtTheLimit() async throws {
        let gate = Gate()
        let count = RPCLimits().maximumInFlightOutbound
        var serving = RPCRouter()
        serving.handleRaw("hold") { body, _ in
            await gate.pass()
            return body
        }
        try await Pair.with(serving: serving) { pair in
            let empty = ByteBuffer(string: "{}")
            let calls = Task {
                await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            (try? await pair.client.callRaw("hold", empty, deadline: .seconds(600))) != nil
                        }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
            }
            await gate.waitForArrivals(count)
            let pong = try await pair.client.callRaw("rpc.ping", empty, deadline: .seconds(600))
            #expect(pong == empty)
            gate.open()
            #expect(await calls.value == count)
        }
    }

    @Test("the server can call its client on the same connection during the client's call")
    func bothDirections() async throws {
        var serving = RPCRouter()
        serving.handle(Echo.self) { parameters, connection in
            let echoed = try await connection.call(InlineEcho.self, .init(text: parameters.text + "!"))
            return echoed
        }
        try await Pair.with(serving: serving, calling: echoing) { pair in
            let answer = try await pair.client.call(Echo.self, .init(text: "a"))
            #expect(answer.text == "a!")
        }
    }

    @Test("a frame of nearly 1 MiB can be transferred in both directions")
    func largeFrames() async throws {
        try await Pair.with(serving: echoing) { pair in
            let text = String(repeating: "x", count: (1 << 20) - 1_024)
            let echoed = try await pair.client.call(Echo.self, .init(text: text))
            #expect(echoed.text == text)
        }
    }

    @Test("each end receives the other's credentials")
    func credentials() async throws {
        var serving = RPCRouter()
        serving.handle(Echo.self) { _, connection in .init(text: "\(connection.peer.pid) \(connection.peer.uid)") }
        try await Pair.with(serving: serving) { pair in
            let seen = try await pair.client.call(Echo.self, .init(text: ""))
            #expect(seen.text == "\(getpid()) \(getuid())")
            #expect(pair.client.connection?.peer == PeerCredentials(pid: getpid(), uid: getuid(), gid: getgid()))
        }
    }

    @Test("notifications from one thread arrive in order")
    func order() async throws {
        let seen = Inbox<Int>()
        var serving = echoing
        serving.on(Count.self) { parameters, _ in seen.append(parameters.value) }
        try await Pair.with(serving: serving) { pair in
            for value in 0..<10_000 { #expect(pair.client.notify(Count.self, .init(value: value))) }
            let values = try await seen.take(10_000)
            #expect(values == Array(0..<10_000))
        }
    }
}
