import GRDB
import JSONRPC
import NIOConcurrencyHelpers
import SuiteMethods
import Testing
@testable import ProgressHost

@Suite("Engine turns, as the watchdog sees them")
struct EngineTurnTests {
    @Test(
        "an engine turn completes while storage refuses writes and after the engine has ended, but not while the thread hangs"
    )
    func turns() async throws {
        let host = try LiveHost()
        let engine = host.methods.engine
        await engine.turn()
        try await host.database.pool.write { try $0.execute(sql: "PRAGMA query_only = 1") }
        await engine.turn()
        let (steps, step) = AsyncStream<String>.makeStream()
        let hold = BlockedThread()
        engine.post(writes: false) { _, _ in hold.block() }
        await hold.waitUntilBlocked()
        let turn = Task {
            await engine.turn()
            step.yield("turn")
        }
        step.yield("still no turn")
        hold.open()
        var arriving = steps.makeAsyncIterator()
        #expect(await arriving.next() == "still no turn")
        #expect(await arriving.next() == "turn")
        await turn.value
        await engine.stop()
        await engine.turn()
        await host.stop(engineIsStopped: true)
    }
}

@Suite("Threads that run the engine")
struct EngineGatheringTests {
    @Test("a gathered command runs after the handler that posted it")
    func small() async throws {
        let host = try LiveHost()
        let engine = host.methods.engine
        await engine.turn()
        let order = NIOLockedValueBox<[String]>([])
        engine.gather {
            engine.post(writes: false) { _, _ in order.withLockedValue { $0.append("command") } }
            order.withLockedValue { $0.append("handler") }
        }
        // If the engine's thread was just about to sleep, it may run the command, rather than the thread that gathered it.
        await engine.turn()
        #expect(order.withLockedValue { $0 } == ["handler", "command"])
        await host.stop()
    }

    @Test("a command from a task that a gathered handler started is run")
    func inherited() async throws {
        let host = try LiveHost()
        let engine = host.methods.engine
        await engine.turn()
        let ran = await withCheckedContinuation { (ran: CheckedContinuation<Bool, Never>) in
            engine.gather {
                Task {
                    engine.submit(writes: false, reply: { ran.resume(returning: (try? $0.get()) == 1) }) { _, _ in 1 }
                }
            }
        }
        #expect(ran)
        await host.stop()
    }

    @Test("the engine's thread is woken for a timer that is due before it planned to wake, and only once")
    func timers() {
        var plan = SleepPlan()
        var wakes: [Bool] = []
        for timer: Duration? in [nil, .seconds(9), .seconds(9), .seconds(12), .seconds(3)] {
            wakes.append(plan.mustWake(for: timer))
        }
        #expect(wakes == [false, true, false, false, true])
        plan.wakes(at: .seconds(20))
        let isEarlier = plan.mustWake(for: .seconds(19))
        #expect(isEarlier)
    }
}

@Suite("Registered methods")
struct MethodRegistrationTests {
    @Test("the host handles exactly the RPC methods that the method list assigns to it")
    func names() async throws {
        let live = try LiveHost()
        #expect(live.methods.router().methodNames == MethodList.names(answeredBy: .progressHost))
        await live.stop()
    }
}
