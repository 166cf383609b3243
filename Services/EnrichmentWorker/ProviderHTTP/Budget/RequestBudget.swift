package import Logging
internal import NIOConcurrencyHelpers

/// One provider's politeness, shared by all jobs: every request takes its turn here, retries and redirects too.
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
    }

    private let provider: String
    private let clock: any ProviderClock
    private let store: (any DailyBudgetStore)?
    private let logger: Logger
    private let state: NIOLockedValueBox<State>

    /// A budget that forgets its day when the process ends.
    package init(provider: String, limits: BudgetLimits, clock: any ProviderClock, logger: Logger) {
        self.provider = provider
        self.clock = clock
        self.logger = logger
        store = nil
        state = NIOLockedValueBox(State(schedule: RequestSchedule(limits: limits)))
    }

    /// A budget that goes on where the process before stopped.
    /// - Throws: what the store throws.
    package init(
        provider: String, limits: BudgetLimits, store: any DailyBudgetStore, clock: any ProviderClock, logger: Logger
    ) async throws {
        self.provider = provider
        self.clock = clock
        self.logger = logger
        self.store = store
        let usage = try await store.usage(provider: provider)
        state = NIOLockedValueBox(State(schedule: RequestSchedule(limits: limits, usage: usage)))
    }

    /// The budget now.
    package var snapshot: BudgetSnapshot {
        let date = clock.date
        return state.withLockedValue { state in
            BudgetSnapshot(waiting: state.schedule.waiting, leftToday: state.schedule.leftToday(at: date))
        }
    }

    /// What a client has used of the day within its hour.
    package func used(by client: String) -> Int {
        state.withLockedValue { $0.schedule.used(by: client, now: clock.now) }
    }

    /// Waits for the caller's turn: higher priorities first, then in order. A turn counts for the day once it is given, and is
    /// saved before this returns.
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
                // The handler may have run before there was anybody to cancel.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        let grant = try turn.get()
        await save(grant)
        return grant
    }

    /// Gives back a turn whose request was not sent.
    package func giveBack(_ grant: BudgetGrant) {
        settle { state, _ in state.schedule.giveBack(grant) }
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

    /// Changes the schedule, then wakes everybody whose wait that ends.
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

    private func save(_ grant: BudgetGrant) async {
        guard let store, let usage = grant.usage else { return }
        do {
            try await store.save(usage, provider: provider)
        } catch {
            // The count in memory is right, and the next request saves it.
            logger.warning("daily budget not saved", metadata: ["provider": "\(provider)", "error": "\(error)"])
        }
    }
}
