import Dispatch
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ServiceKit
import TestSupport
import Testing

@Suite("The watchdog")
struct WatchdogTests {
    @Test("keep-alives are sent at the specified interval")
    func cadence() async {
        let clock = ManualClock()
        let (beats, beat) = AsyncStream<Void>.makeStream()
        let watchdog = Watchdog(every: .seconds(10), clock: clock, liveness: Liveness()) { beat.yield() }
        let task = Task { await watchdog.run() }
        var arriving = beats.makeAsyncIterator()
        for round in 1...3 {
            await arriving.next()
            await clock.sleeperArrives()
            #expect(clock.sleepers == [.seconds(10 * round)])
            clock.move(by: .seconds(10))
        }
        await arriving.next()
        await clock.sleeperArrives()
        task.cancel()
        clock.move(by: .seconds(10))
        await task.value
    }

    @Test("keep-alives stop while an event loop hangs, and continue once it runs again")
    func hangingEventLoop() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let gate = BlockedEventLoop(group.next())
        await gate.waitUntilBlocked()
        let (steps, step) = AsyncStream<String>.makeStream()
        let liveness = Liveness()
        liveness.watch { step.yield("asked") }
        liveness.watch(group)
        let watchdog = Watchdog(every: .seconds(10), liveness: liveness) {
            step.yield("beat")
        }
        let task = Task { await watchdog.run() }
        var arriving = steps.makeAsyncIterator()
        #expect(await arriving.next() == "asked")
        step.yield("still no beat")
        gate.open()
        #expect(await arriving.next() == "still no beat")
        #expect(await arriving.next() == "beat")
        task.cancel()
        await task.value
        try await group.shutdownGracefully()
    }

    @Test(
        "keep-alives are sent twice per service manager timeout, and only if the watchdog is meant for this process"
    )
    func demand() {
        func interval(_ environment: [String: String]) -> Duration? {
            WatchdogDemand.interval(environment: environment, processID: 7)
        }
        #expect(interval(["WATCHDOG_USEC": "20000000"]) == .seconds(10))
        #expect(interval(["WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"]) == .seconds(10))
        #expect(interval(["WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "8"]) == nil)
        #expect(interval([:]) == nil)
        for text in ["", "0", "-5", "soon"] { #expect(interval(["WATCHDOG_USEC": text]) == nil) }
    }
}

/// Blocks an event loop's thread until ``open()`` is called.
struct BlockedEventLoop: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let blocked: AsyncStream<Void>

    init(_ eventLoop: any EventLoop) {
        let (blocked, signal) = AsyncStream<Void>.makeStream()
        self.blocked = blocked
        eventLoop.execute { [gate] in
            signal.finish()
            gate.wait()
        }
    }

    /// Returns once the thread is blocked.
    func waitUntilBlocked() async {
        for await _ in blocked {}
    }

    func open() { gate.signal() }
}
