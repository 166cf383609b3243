import Logging
import NIOConcurrencyHelpers
import Observability
import ProviderClient
import Testing
import TestSupport

@Suite("Request budget", .timeLimit(.minutes(1)))
struct RequestBudgetTests {
    let clock = ManualClock(uptime: .seconds(1_000))
    let logger = Logger(label: "test")

    func budget(_ limits: BudgetLimits) -> RequestBudget {
        RequestBudget(limits: limits, clock: clock)
    }

    func turn(
        _ budget: RequestBudget, _ priority: CallPriority = .bulk, seconds: Int = 600
    ) async -> Result<MonotonicInstant, BudgetRefusal> {
        do throws(BudgetRefusal) {
            _ = try await budget.acquire(priority: priority, deadline: clock.after(.seconds(seconds)))
            return .success(clock.now)
        } catch {
            return .failure(error)
        }
    }

    func waiting(_ budget: RequestBudget, _ count: Int) async throws {
        try await until { budget.snapshot.waiting == count }
    }

    @Test("callers are woken one request interval apart, the most urgent first")
    func spacing() async throws {
        let budget = budget(BudgetLimits(requestsPerSecond: 3))
        #expect(await turn(budget) == .success(clock.now))
        let second = Task { await turn(budget) }
        try await waiting(budget, 1)
        let urgent = Task { await turn(budget, .interactive) }
        try await waiting(budget, 2)
        let start = clock.now
        let spacing = Duration.milliseconds(1030) / 3
        await clock.sleeperArrives()
        clock.move(by: spacing)
        #expect(await urgent.value == .success(start.advanced(by: spacing)))
        await clock.sleeperArrives()
        clock.move(by: spacing)
        #expect(await second.value == .success(start.advanced(by: spacing * 2)))
    }

    @Test("an exhausted daily budget can be raised for all processes, up to its limit")
    func allowsMore() async throws {
        let store = MemoryBudgetStore()
        func shared() async throws -> RequestBudget {
            try await RequestBudget(
                provider: "test", limits: BudgetLimits(requestsPerDay: 2), store: store, clock: clock, logger: logger)
        }
        let (one, other) = (try await shared(), try await shared())
        for _ in 0..<2 { _ = await turn(one) }
        #expect(one.snapshot.leftToday == 0)
        #expect(try await one.allowMore(1) == 1)
        await other.refresh()
        #expect(other.snapshot.leftToday == 1)
        #expect(await turn(one) == .success(clock.now))
        #expect(try await one.allowMore(100) == 2)
    }

    @Test("a request refused because of another process's requests does not use its client's share")
    func keepsShare() async throws {
        let store = MemoryBudgetStore()
        let budget = try await RequestBudget(
            provider: "test", limits: BudgetLimits(requestsPerDay: 4), store: store, clock: clock, logger: logger)
        let day = DailyBudget(limit: 4).usage(at: clock.date).day
        _ = try await store.add(4, on: day, provider: "test")
        await #expect(throws: BudgetRefusal.self) {
            try await budget.acquire(priority: .bulk, deadline: clock.after(.seconds(60)), client: "ann")
        }
        #expect(budget.used(by: "ann") == 0)
    }

    @Test("usage that was stored while the clock was ahead does not replace today's")
    func usageOfLaterDay() async throws {
        let store = MemoryBudgetStore()
        let budget = try await RequestBudget(
            provider: "test", limits: BudgetLimits(requestsPerDay: 9), store: store, clock: clock, logger: logger)
        _ = await turn(budget)
        _ = try await store.add(3, on: "2099-01-01", provider: "test")
        await budget.refresh()
        #expect(budget.snapshot.leftToday == 8)
    }

    @Test("the budget of a single process can be raised, and a budget with no limit is left unchanged")
    func allowsMoreAlone() async throws {
        let limited = budget(BudgetLimits(requestsPerDay: 3))
        for _ in 0..<3 { _ = await turn(limited) }
        #expect(try await limited.allowMore(2) == 2)
        #expect(limited.snapshot.perDay == 3)
        #expect(try await budget(BudgetLimits()).allowMore(2) == nil)
    }

    @Test("usage beyond a lowered limit is not deducted from additional requests")
    func allowsMoreThanLowered() async throws {
        let store = MemoryBudgetStore()
        let day = DailyBudget(limit: 1).usage(at: clock.date).day
        _ = try await store.add(900, on: day, provider: "test")
        let budget = try await RequestBudget(
            provider: "test", limits: BudgetLimits(requestsPerDay: 500), store: store, clock: clock, logger: logger)
        #expect(budget.snapshot.leftToday == 0)
        #expect(try await budget.allowMore(20) == 20)
    }

    @Test("no additional requests are allowed if the store fails")
    func cannotAllowMore() async throws {
        let store = MemoryBudgetStore()
        let budget = try await RequestBudget(
            provider: "test", limits: BudgetLimits(requestsPerDay: 1), store: store, clock: clock, logger: logger)
        _ = await turn(budget)
        store.refuses(true)
        await #expect(throws: MemoryBudgetStore.Refusal.self) { try await budget.allowMore(1) }
        #expect(budget.snapshot.leftToday == 0)
    }

    @Test("a cancelled caller leaves the queue, and a returned turn wakes the next caller")
    func cancelsAndGivesBack() async throws {
        let budget = budget(BudgetLimits(requestsPerSecond: 1))
        let grant = try await budget.acquire(priority: .bulk, deadline: clock.after(.seconds(60)))
        let first = Task { await turn(budget) }
        try await waiting(budget, 1)
        let second = Task { await turn(budget) }
        try await waiting(budget, 2)
        first.cancel()
        #expect(await first.value == .failure(.cancelled))
        await budget.giveBack(grant)
        #expect(await second.value == .success(clock.now))
    }

    @Test("a caller that is already cancelled does not wait")
    func cancelledBefore() async throws {
        let budget = budget(BudgetLimits(requestsPerSecond: 1))
        _ = await turn(budget)
        for _ in 0..<200 {
            let call = Task { await turn(budget) }
            call.cancel()
            #expect(await call.value == .failure(.cancelled))
        }
        #expect(budget.snapshot.waiting == 0)
    }

    @Test("a wait ends at its deadline")
    func deadline() async throws {
        let budget = budget(BudgetLimits(requestsPerSecond: 1))
        _ = await turn(budget)
        let patient = Task { await turn(budget, seconds: 2) }
        try await waiting(budget, 1)
        let urgent = Task { await turn(budget, .interactive) }
        try await waiting(budget, 2)
        await clock.sleeperArrives()
        clock.move(by: .milliseconds(1030))
        _ = await urgent.value
        await clock.sleeperArrives()
        clock.move(by: .milliseconds(970))
        #expect(await patient.value == .failure(.deadline))
    }

    @Test(
        "processes that share a store share the daily count, and a turn returned by one process can be used by another")
    func sharedCount() async throws {
        let store = MemoryBudgetStore()
        let limits = BudgetLimits(requestsPerDay: 3)
        var budgets: [RequestBudget] = []
        for _ in 1...2 {
            budgets.append(
                try await RequestBudget(
                    provider: "google", limits: limits, store: store, clock: clock, logger: logger))
        }
        let grant = try await budgets[0].acquire(priority: .bulk, deadline: clock.after(.seconds(60)))
        #expect(await turn(budgets[1]) == .success(clock.now))
        #expect(await turn(budgets[1]) == .success(clock.now))
        let exhausted = BudgetRefusal.exhausted(resetsIn: .seconds(20 * 3600))
        #expect(await turn(budgets[0]) == .failure(exhausted))
        await budgets[0].refresh()
        #expect(budgets[0].snapshot.leftToday == 0)
        await budgets[0].giveBack(grant)
        await budgets[1].refresh()
        #expect(await turn(budgets[1]) == .success(clock.now))
        #expect(await turn(budgets[0]) == .failure(exhausted))
    }

    @Test("a request that the store failed to record is counted with the next one")
    func unsavedCount() async throws {
        let store = MemoryBudgetStore()
        let budget = try await RequestBudget(
            provider: "google", limits: BudgetLimits(requestsPerDay: 3), store: store, clock: clock, logger: logger)
        store.refuses(true)
        #expect(await turn(budget) == .success(clock.now))
        store.refuses(false)
        #expect(await turn(budget) == .success(clock.now))
        #expect(try await store.usage(provider: "google")?.used == 2)
    }

    @Test("a request that the store failed to record does not count toward the next day")
    func unsavedCountOfEarlierDay() async throws {
        let store = MemoryBudgetStore()
        let budget = try await RequestBudget(
            provider: "google", limits: BudgetLimits(requestsPerDay: 3), store: store, clock: clock, logger: logger)
        store.refuses(true)
        #expect(await turn(budget) == .success(clock.now))
        clock.move(by: .seconds(20 * 3600))
        store.refuses(false)
        #expect(await turn(budget) == .success(clock.now))
        #expect(try await store.usage(provider: "google")?.used == 1)
    }

    @Test("a request that could not be stored while the clock was ahead is not charged when that day comes")
    func unsavedCountOfLaterDay() async throws {
        let store = MemoryBudgetStore()
        let budget = try await RequestBudget(
            provider: "google", limits: BudgetLimits(requestsPerDay: 3), store: store, clock: clock, logger: logger)
        let ahead = Duration.seconds(10 * 86_400)
        store.refuses(true)
        clock.stepDate(by: ahead)
        #expect(await turn(budget) == .success(clock.now))
        clock.stepDate(by: .zero - ahead)
        store.refuses(false)
        #expect(await turn(budget) == .success(clock.now))
        clock.move(by: ahead)
        #expect(await turn(budget) == .success(clock.now))
        #expect(try await store.usage(provider: "google")?.used == 1)
    }

    @Test("two processes together stay within one rate limit")
    func sharedRate() async throws {
        let store = MemoryBudgetStore()
        var calls: [Task<Result<MonotonicInstant, BudgetRefusal>, Never>] = []
        let start = clock.now
        for _ in 1...2 {
            let budget = try await RequestBudget(
                provider: "openlibrary", limits: BudgetLimits(requestsPerSecond: 1), store: store, clock: clock,
                logger: logger)
            for _ in 1...3 { calls.append(Task { await turn(budget) }) }
        }
        let watched = calls
        let isOver = NIOLockedValueBox(false)
        let all = Task {
            defer { isOver.withLockedValue { $0 = true } }
            var times: [Duration] = []
            for call in watched { times.append(start.duration(to: try await call.value.get())) }
            return times.sorted()
        }
        // The callers' deadlines are ten minutes away.
        let limit = clock.after(.seconds(60)).sinceStart
        while !isOver.withLockedValue({ $0 }), !Task.isCancelled {
            if let wake = clock.sleepers.filter({ $0 < limit }).min() { clock.move(by: wake - clock.now.sinceStart) }
            await Task.yield()
        }
        let times = try await all.value
        let reserved = store.reservedTurns.map { start.duration(to: $0) }
        #expect(reserved.count == 6)
        for (one, next) in zip(reserved, reserved.dropFirst()) { #expect(next - one >= .milliseconds(1_000)) }
        for (time, turn) in zip(times, reserved) { #expect(time >= turn) }
    }

    func sharedBudget(_ store: MemoryBudgetStore) async throws -> RequestBudget {
        try await RequestBudget(
            provider: "openlibrary", limits: BudgetLimits(requestsPerSecond: 1), store: store, clock: clock,
            logger: logger)
    }

    @Test(
        "after the store stalls, requests are spaced by the usual interval", arguments: MemoryBudgetStore.Stall.allCases
    )
    func stall(_ stall: MemoryBudgetStore.Stall) async throws {
        let store = MemoryBudgetStore()
        let budget = try await sharedBudget(store)
        store.stalls(stall)
        let first = Task { await turn(budget) }
        try await store.stalledReservations(1)
        let second = Task { await turn(budget) }
        try await waiting(budget, 1)
        let third = Task { await turn(budget) }
        try await waiting(budget, 2)
        for _ in 0..<3 {
            clock.move(by: .milliseconds(1_100))
            for _ in 0..<50 { await Task.yield() }
        }
        let end = clock.now
        store.stalls(nil)
        #expect(await first.value == .success(end))
        try await clock.move(to: end.advanced(by: .milliseconds(1_030)))
        #expect(await second.value == .success(end.advanced(by: .milliseconds(1_030))))
        try await clock.move(to: end.advanced(by: .milliseconds(2_060)))
        #expect(await third.value == .success(end.advanced(by: .milliseconds(2_060))))
    }

    @Test("after the store stalls, requests of two processes are spaced by the usual interval")
    func stallOfTwo() async throws {
        let store = MemoryBudgetStore()
        let budgets = [try await sharedBudget(store), try await sharedBudget(store)]
        store.stalls(.beforeWriting)
        try await withThrowingTaskGroup(of: MonotonicInstant.self) { calls in
            for budget in budgets { calls.addTask { try await self.turn(budget).get() } }
            try await store.stalledReservations(2)
            clock.move(by: .seconds(5))
            let end = clock.now
            store.stalls(nil)
            let first = try await calls.next()
            #expect(first == end)
            try await clock.move(to: end.advanced(by: .milliseconds(1_030)))
            let second = try await calls.next()
            #expect(second == end.advanced(by: .milliseconds(1_030)))
        }
    }

    @Test(
        "a turn that a stalled store confirms after the caller's deadline is refused, and the next caller receives a turn"
    )
    func stallBeyondDeadline() async throws {
        let store = MemoryBudgetStore()
        let budget = try await sharedBudget(store)
        store.stalls(.beforeAnswering)
        let first = Task { await turn(budget, seconds: 5) }
        try await store.stalledReservations(1)
        let second = Task { await turn(budget) }
        try await waiting(budget, 1)
        clock.move(by: .seconds(5))
        let end = clock.now
        store.stalls(nil)
        #expect(await first.value == .failure(.deadline))
        #expect(await second.value == .success(end))
    }

    @Test("a caller whose turn after the stall would come after its deadline is refused immediately")
    func turnBeyondDeadline() async throws {
        let store = MemoryBudgetStore()
        let budget = try await sharedBudget(store)
        store.stalls(.beforeAnswering)
        let first = Task { await turn(budget) }
        try await store.stalledReservations(1)
        let second = Task { await turn(budget, seconds: 6) }
        try await waiting(budget, 1)
        clock.move(by: .seconds(5))
        let end = clock.now
        store.stalls(nil)
        #expect(await first.value == .success(end))
        #expect(await second.value == .failure(.deadline))
    }

    @Test("while the store fails, a process leaves every second turn to another process")
    func refusingStore() async throws {
        let store = MemoryBudgetStore()
        let budget = try await sharedBudget(store)
        store.refuses(true)
        let start = clock.now
        let first = Task { await turn(budget) }
        try await clock.move(to: start.advanced(by: .milliseconds(1_030)))
        #expect(await first.value == .success(start.advanced(by: .milliseconds(1_030))))
        let second = Task { await turn(budget) }
        try await clock.move(to: start.advanced(by: .milliseconds(2_060)))
        try await clock.move(to: start.advanced(by: .milliseconds(3_090)))
        #expect(await second.value == .success(start.advanced(by: .milliseconds(3_090))))
    }

    @Test("the daily count continues after a restart")
    func restart() async throws {
        let store = MemoryBudgetStore()
        let limits = BudgetLimits(requestsPerDay: 3)
        for left in [2, 1, 0] {
            let budget = try await RequestBudget(
                provider: "google", limits: limits, store: store, clock: clock, logger: logger)
            _ = await turn(budget)
            #expect(budget.snapshot.leftToday == left)
        }
        let budget = try await RequestBudget(
            provider: "google", limits: limits, store: store, clock: clock, logger: logger)
        #expect(await turn(budget) == .failure(.exhausted(resetsIn: .seconds(20 * 3600))))
        clock.move(by: .seconds(20 * 3600))
        #expect(await turn(budget) == .success(clock.now))
    }
}
