import Logging
import ProviderHTTP
import Testing

@Suite("Request budget", .timeLimit(.minutes(1)))
struct RequestBudgetTests {
    let clock = HandMovedClock()
    let logger = Logger(label: "test")

    func budget(_ limits: BudgetLimits) -> RequestBudget {
        RequestBudget(provider: "test", limits: limits, clock: clock, logger: logger)
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

    func waiting(_ budget: RequestBudget, _ count: Int) async {
        while budget.snapshot.waiting != count { await Task.yield() }
    }

    @Test("callers are woken one spacing apart, the more urgent first")
    func spacing() async {
        let budget = budget(BudgetLimits(requestsPerSecond: 3))
        #expect(await turn(budget) == .success(clock.now))
        let second = Task { await turn(budget) }
        await waiting(budget, 1)
        let urgent = Task { await turn(budget, .interactive) }
        await waiting(budget, 2)
        let start = clock.now
        let spacing = Duration.milliseconds(1030) / 3
        await clock.sleepers()
        clock.advance(by: spacing)
        #expect(await urgent.value == .success(start.advanced(by: spacing)))
        await clock.sleepers()
        clock.advance(by: spacing)
        #expect(await second.value == .success(start.advanced(by: spacing * 2)))
    }

    @Test("a cancelled caller leaves the queue, and a given-back turn wakes the next")
    func cancelsAndGivesBack() async throws {
        let budget = budget(BudgetLimits(requestsPerSecond: 1))
        let grant = try await budget.acquire(priority: .bulk, deadline: clock.after(.seconds(60)))
        let first = Task { await turn(budget) }
        await waiting(budget, 1)
        let second = Task { await turn(budget) }
        await waiting(budget, 2)
        first.cancel()
        #expect(await first.value == .failure(.cancelled))
        budget.giveBack(grant)
        #expect(await second.value == .success(clock.now))
    }

    @Test("a caller that is cancelled before it asks is not left waiting")
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
    func deadline() async {
        let budget = budget(BudgetLimits(requestsPerSecond: 1))
        _ = await turn(budget)
        let patient = Task { await turn(budget, seconds: 2) }
        await waiting(budget, 1)
        let urgent = Task { await turn(budget, .interactive) }
        await waiting(budget, 2)
        await clock.sleepers()
        clock.advance(by: .milliseconds(1030))
        _ = await urgent.value
        await clock.sleepers()
        clock.advance(by: .milliseconds(970))
        #expect(await patient.value == .failure(.deadline))
    }

    @Test("a restart goes on with the day's count")
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
        clock.advance(by: .seconds(20 * 3600))
        #expect(await turn(budget) == .success(clock.now))
    }
}
