internal import Foundation
package import Logging
internal import NIOConcurrencyHelpers

/// One provider's politeness, shared by all jobs: every request takes its turn here, retries and redirects too.
///
/// With a ``BudgetStore`` several processes share the day's count and the rate: a turn is granted here, then counted and timed there. Only one
/// caller at a time waits for the shared turn, so that the more urgent ones still go first.
package final class RequestBudget: Sendable {
    private typealias Turn = Result<BudgetGrant, BudgetRefusal>

    private struct Timer: Sendable {
        let wakesAt: MonotonicInstant
        let task: Task<Void, Never>
    }

    private struct State: Sendable {
        var schedule: RequestSchedule
        var callers: [UInt64: CheckedContinuation<Turn, Never>] = [:]
        var nextID: UInt64 = 0
        var timer: Timer?
        /// Requests of the day that the store did not take.
        var unsaved = 0
    }

    private let provider: String
    /// The time between two requests; nil without a limited rate.
    package let spacing: Duration?
    private let isConcurrencyLimited: Bool
    private let clock: any ProviderClock
    private let store: (any BudgetStore)?
    private let logger: Logger
    private let state: NIOLockedValueBox<State>

    /// A budget that forgets its day when the process ends.
    package init(provider: String, limits: BudgetLimits, clock: any ProviderClock, logger: Logger) {
        self.provider = provider
        self.clock = clock
        self.logger = logger
        spacing = limits.spacing
        isConcurrencyLimited = limits.concurrent > 0
        store = nil
        state = NIOLockedValueBox(State(schedule: RequestSchedule(limits: limits)))
    }

    /// A budget that goes on where the process before stopped, and is shared with other processes on the same store.
    /// - Throws: what the store throws.
    package init(
        provider: String, limits: BudgetLimits, store: any BudgetStore, clock: any ProviderClock, logger: Logger
    ) async throws {
        self.provider = provider
        self.clock = clock
        self.logger = logger
        spacing = limits.spacing
        isConcurrencyLimited = limits.concurrent > 0
        self.store = store
        let usage = try await store.usage(provider: provider)
        state = NIOLockedValueBox(State(schedule: RequestSchedule(limits: limits, usage: usage)))
    }

    /// The budget now.
    package var snapshot: BudgetSnapshot {
        let date = clock.date
        return state.withLockedValue { state in
            BudgetSnapshot(
                waiting: state.schedule.waiting, leftToday: state.schedule.leftToday(at: date),
                pausedUntil: state.schedule.pausedUntil(clock.now))
        }
    }

    /// What a client has used of the day within its hour.
    package func used(by client: String) -> Int {
        state.withLockedValue { $0.schedule.used(by: client, now: clock.now) }
    }

    /// Waits for the caller's turn: higher priorities first, then in order. A turn counts for the day once it is given, and is
    /// saved before this returns. Each turn ends by ``finish(_:)``, or by ``giveBack(_:)`` when nothing was sent.
    /// - Throws: ``BudgetRefusal``; at once where the wait is hopeless.
    package func acquire(
        priority: CallPriority, deadline: MonotonicInstant, client: String? = nil
    ) async throws(BudgetRefusal) -> BudgetGrant {
        let id = state.withLockedValue { state in
            state.nextID += 1
            return state.nextID
        }
        let turn = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                enter(id, priority: priority, deadline: deadline, client: client, caller: caller)
                // The handler may have run before the caller was registered.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try await confirm(BudgetTurn(grant: try turn.get()), deadline: deadline)
    }

    /// No request that is asked for now is sent before this instant, as far as the rate decides.
    package func nextTurn(now: MonotonicInstant) -> MonotonicInstant {
        state.withLockedValue { $0.schedule.nextTurn(now: now) }
    }

    /// Takes a turn that can be had without waiting; nil when there is none. It ends by ``confirm(_:deadline:)`` or
    /// ``giveBack(_:)-(BudgetTurn)``.
    package func takeTurn(client: String?) -> BudgetTurn? {
        let date = clock.date
        let grant = state.withLockedValue { $0.schedule.requestNow(client, now: clock.now, date: date) }
        return grant.map(BudgetTurn.init)
    }

    /// Counts a turn for the day and makes sure that no other process has it, waiting where one has.
    /// - Throws: ``BudgetRefusal``.
    package func confirm(_ turn: BudgetTurn, deadline: MonotonicInstant) async throws(BudgetRefusal) -> BudgetGrant {
        let grant = turn.grant
        guard let store else { return grant }
        do throws(BudgetRefusal) {
            if let usage = grant.usage { try await count(usage, in: store) }
        } catch {
            finish(grant)
            throw error
        }
        do throws(BudgetRefusal) {
            try await waitForSharedTurn(in: store, deadline: deadline)
        } catch {
            await giveBack(grant)
            throw error
        }
        return grant
    }

    /// The request of a turn is over.
    package func finish(_ grant: BudgetGrant) {
        guard isConcurrencyLimited else { return }
        settle { state, _ in state.schedule.finish() }
    }

    /// Gives back a turn that was not confirmed.
    package func giveBack(_ turn: BudgetTurn) {
        settle { state, _ in state.schedule.giveBack(turn.grant) }
    }

    /// Gives back a turn whose request was not sent.
    package func giveBack(_ grant: BudgetGrant) async {
        settle { state, _ in state.schedule.giveBack(grant) }
        await uncountStored(grant)
    }

    /// Takes a request out of the day's count: the provider refused it for good.
    package func uncount(_ grant: BudgetGrant) async {
        settle { state, _ in state.schedule.uncount(grant) }
        await uncountStored(grant)
    }

    private func uncountStored(_ grant: BudgetGrant) async {
        guard let store, let usage = grant.usage else { return }
        do {
            note(try await store.add(-1, on: usage.day, provider: provider))
        } catch {
            state.withLockedValue { $0.unsaved -= 1 }
        }
    }

    /// The provider asked for a pause (`Retry-After` of a 429 or 503): no request is let through before `instant`, and callers whose deadline
    /// is earlier are told at once.
    package func pause(until instant: MonotonicInstant, status: Int) {
        settle { state, now in state.schedule.pause(until: instant, status: status, now: now) }
    }

    /// Learns what other processes have used of the day.
    package func refresh() async {
        guard let store, let usage = try? await store.usage(provider: provider) else { return }
        note(usage)
    }

    private func enter(
        _ id: UInt64, priority: CallPriority, deadline: MonotonicInstant, client: String?,
        caller: CheckedContinuation<Turn, Never>
    ) {
        let date = clock.date
        let answer = state.withLockedValue { state in
            let answer = state.schedule.request(
                id, priority: priority, deadline: deadline, client: client, now: clock.now, date: date)
            if case .queued = answer {
                state.callers[id] = caller
                setTimer(&state)
            }
            return answer
        }
        switch answer {
        case .granted(let grant): caller.resume(returning: .success(grant))
        case .refused(let refusal): caller.resume(returning: .failure(refusal))
        case .queued: break
        }
    }

    private func cancel(_ id: UInt64) {
        let caller = state.withLockedValue { state in
            state.schedule.cancel(id) ? state.callers.removeValue(forKey: id) : nil
        }
        caller?.resume(returning: .failure(.cancelled))
    }

    /// Changes the schedule, then wakes the callers whose wait that ends.
    private func settle(_ change: (inout State, MonotonicInstant) -> Void = { _, _ in }) {
        let date = clock.date
        let woken = state.withLockedValue { state in
            let now = clock.now
            change(&state, now)
            let settled = state.schedule.advance(now: now, date: date)
            let woken = settled.map { (state.callers.removeValue(forKey: $0.id), $0.result) }
            setTimer(&state)
            return woken
        }
        for (caller, turn) in woken { caller?.resume(returning: turn) }
    }

    private func setTimer(_ state: inout State) {
        guard let wake = state.schedule.nextWake else {
            state.timer?.task.cancel()
            state.timer = nil
            return
        }
        if let timer = state.timer {
            guard wake < timer.wakesAt else { return }
            timer.task.cancel()
        }
        let task = Task { [weak self, clock] in
            guard (try? await clock.sleep(until: wake)) != nil else { return }
            self?.timerFired(wake)
        }
        state.timer = Timer(wakesAt: wake, task: task)
    }

    private func timerFired(_ wake: MonotonicInstant) {
        settle { state, _ in
            if state.timer?.wakesAt == wake { state.timer = nil }
        }
    }

    // MARK: What is shared with other processes

    /// Counts a request of the day for every process. While the store does not answer, the count in memory holds.
    private func count(_ usage: DailyUsage, in store: any BudgetStore) async throws(BudgetRefusal) {
        let unsaved = state.withLockedValue { state in
            defer { state.unsaved = 0 }
            return state.unsaved
        }
        let total: DailyUsage
        do {
            total = try await store.add(1 + unsaved, on: usage.day, provider: provider)
        } catch {
            logger.warning("daily budget not saved", metadata: ["provider": "\(provider)", "error": "\(error)"])
            state.withLockedValue { $0.unsaved += 1 + unsaved }
            return
        }
        note(total)
        guard total.day == usage.day, state.withLockedValue({ $0.schedule.exceedsDay(total) }) else { return }
        if let rest = try? await store.add(-1, on: usage.day, provider: provider) { note(rest) }
        throw .exhausted(resetsIn: DailyBudget.timeToReset(from: clock.date))
    }

    private func note(_ usage: DailyUsage) {
        state.withLockedValue { $0.schedule.note(usage) }
    }

    /// Waits until no other process has the turn.
    private func waitForSharedTurn(
        in store: any BudgetStore, deadline: MonotonicInstant
    ) async throws(BudgetRefusal) {
        guard let spacing else { return }
        state.withLockedValue { $0.schedule.beginReservation() }
        var turn: MonotonicInstant?
        do {
            turn = try await store.reserveTurn(provider: provider, spacing: spacing, clock: clock)
        } catch {
            guard !Task.isCancelled else {
                settle { state, _ in state.schedule.cancelReservation() }
                throw .cancelled
            }
            logger.debug("turn not reserved", metadata: ["provider": "\(provider)", "error": "\(error)"])
        }
        var release: MonotonicInstant?
        settle { state, now in release = state.schedule.release(at: turn, deadline: deadline, now: now) }
        guard let release else { throw .deadline }
        guard release > clock.now else { return }
        guard (try? await clock.sleep(until: release)) != nil else { throw .cancelled }
    }
}

/// The politeness of one provider (metadata.md "Providers").
package struct BudgetLimits: Hashable, Sendable {
    /// Requests in any one second, all jobs together; 0 = no limit.
    package var requestsPerSecond: Int
    /// Requests a day, reset at midnight Pacific; 0 = no limit.
    package var requestsPerDay: Int
    /// A longer time between two requests, for a rate that is not a whole number; default none.
    package var leastSpacing: Duration
    /// Requests under way at the same time, of this process; 0 = no limit.
    package var concurrent: Int
    /// Maximum number of callers that wait for their turn; default 8192.
    package var waiting: Int

    package init(
        requestsPerSecond: Int = 0, requestsPerDay: Int = 0, leastSpacing: Duration = .zero, concurrent: Int = 0,
        waiting: Int = 8192
    ) {
        self.requestsPerSecond = requestsPerSecond
        self.requestsPerDay = requestsPerDay
        self.leastSpacing = leastSpacing
        self.concurrent = concurrent
        self.waiting = waiting
    }

    /// The time between two requests; nil without a limit.
    ///
    /// There is no burst, so the first and the last of N + 1 requests are a second apart; 30 ms more keep them apart at the
    /// provider too, where one may arrive faster than the other.
    package var spacing: Duration? {
        requestsPerSecond > 0 ? max(leastSpacing, .milliseconds(1030) / requestsPerSecond) : nil
    }
}

/// Permission to send one request now.
package struct BudgetGrant: Hashable, Sendable {
    /// When it was given.
    let slot: MonotonicInstant
    /// The day it counts for and the count with it, where the provider has a daily budget.
    let usage: DailyUsage?
    /// Whose share of the day it counts against; nil where shares do not count.
    let client: String?
}

/// A turn in this process, which other processes have not confirmed.
package struct BudgetTurn: Sendable {
    let grant: BudgetGrant
}

/// Why a budget does not let a request through.
package enum BudgetRefusal: Error, Hashable, Sendable {
    /// The day's requests, or the client's share of them, are used up; there are some again after `resetsIn`.
    case exhausted(resetsIn: Duration)
    /// The maximum number of callers wait.
    case queueFull
    /// The turn does not come before the deadline.
    case deadline
    /// The provider asked for a pause that ends after the deadline, in an answer with that status.
    case paused(for: Duration, status: Int)
    /// The waiting task was cancelled.
    case cancelled
}

/// A budget at one moment, for metrics.
package struct BudgetSnapshot: Hashable, Sendable {
    /// Callers that wait for their turn.
    package let waiting: Int
    /// Requests left today; nil without a daily budget.
    package let leftToday: Int?
    /// When the pause ends that the provider asked for; nil without one.
    package let pausedUntil: MonotonicInstant?
}
