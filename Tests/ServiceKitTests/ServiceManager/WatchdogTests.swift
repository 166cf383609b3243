import NIOCore
import NIOPosix
import ServiceKit
import Testing

@Suite("The watchdog")
struct WatchdogTests {
    @Test("beats follow each other at the interval")
    func cadence() async {
        let clock = HandClock()
        let (beats, beat) = AsyncStream<Void>.makeStream()
        let watchdog = Watchdog(every: .seconds(10), clock: clock, liveness: Liveness()) { beat.yield() }
        let task = Task { await watchdog.run() }
        var arriving = beats.makeAsyncIterator()
        for round in 1...3 {
            await arriving.next()
            await clock.sleeperArrives()
            #expect(clock.sleepers == [.seconds(10 * round)])
            clock.advance(by: .seconds(10))
        }
        await arriving.next()
        await clock.sleeperArrives()
        task.cancel()
        clock.advance(by: .seconds(10))
        await task.value
    }

    @Test("while one part hangs there is no beat, however much time passes, and when it goes on there is")
    func hangingEventLoop() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let gate = BlockedEventLoop(group.next())
        await gate.isBlocked()
        let (steps, step) = AsyncStream<String>.makeStream()
        let liveness = Liveness()
        liveness.watch { step.yield("asked") }
        liveness.watch(group)
        let watchdog = Watchdog(every: .seconds(10), clock: ContinuousClock(), liveness: liveness) {
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

    @Test("the interval is half of what the manager waits, and only for the process it watches")
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
