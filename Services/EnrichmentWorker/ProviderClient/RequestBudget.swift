package import Logging
internal import NIOConcurrencyHelpers
package import Observability

/// The rate limiter of one provider: every request to the provider's origin, including retries and redirects, waits for its turn here, except those
/// of ``ProviderClient/probe()``.
///
/// ``RequestSchedule`` decides whose turn it is and when; this class keeps and wakes the waiting callers. With a ``BudgetStore``, several processes
/// share the day's count and the rate: a turn is granted here, then counted and reserved in ``SharedBudget``. Only one caller at a time waits for a
/// reservation, so more urgent callers still come first.
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

    /// The time between two requests; nil if the rate is not limited.
    package let spacing: Duration?
    private let isConcurrencyLimited: Bool
    private let clock: any SuiteClock
    /// The count and turns shared with other processes; nil if the budget is not shared.
    private let shared: SharedBudget?
    private let state: NIOLockedValueBox<State>

    /// Creates a budget whose daily count is lost when the process ends.
    package convenience init(limits: BudgetLimits, clock: any SuiteClock) {
        self.init(limits, usage: nil, shared: nil, clock: clock)
    }

    /// Creates a budget that continues the previous process's count and is shared with other processes using the same store.
    /// - Throws: The store's errors.
    package convenience init(
        provider: String, limits: BudgetLimits, store: any BudgetStore, clock: any SuiteClock, logger: Logger
    ) async throws {
        let shared = SharedBudget(provider: provider, store: store, clock: clock, logger: logger)
        self.init(limits, usage: try await shared.usage(), shared: shared, clock: clock)
    }

    private init(_ limits: BudgetLimits, usage: DailyUsage?, shared: SharedBudget?, clock: any SuiteClock) {
        spacing = limits.spacing
        isConcurrencyLimited = limits.concurrent > 0
        self.clock = clock
        self.shared = shared
        let schedule = RequestSchedule(limits: limits, usage: usage, sharesRate: shared != nil)
        state = NIOLockedValueBox(State(schedule: schedule))
    }

    /// The budget's current figures.
    package var snapshot: BudgetSnapshot {
        let date = clock.date
        return state.withLockedValue { state in
            BudgetSnapshot(
                waiting: state.schedule.waiting, leftToday: state.schedule.leftToday(at: date),
                perDay: state.schedule.dailyLimit,
                pausedUntil: state.schedule.pausedUntil(clock.now))
        }
    }

    /// Number of the day's requests that a client has used within its current hour (``ClientShares``).
    package func used(by client: String) -> Int {
        state.withLockedValue { $0.schedule.used(by: client, now: clock.now) }
    }

    /// Waits for the caller's turn: higher priorities come first, then order of arrival. A turn counts toward the day's budget once it is granted; if
    /// the budget is shared and its store is available, the count is saved before this returns. End each turn with ``finish(_:)``, or with
    /// ``giveBack(_:)`` if nothing was sent.
    /// - Throws: ``BudgetRefusal``, without waiting if the turn cannot come before the deadline.
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
                // The cancellation handler may have run before the caller was registered.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try await confirm(BudgetTurn(grant: try turn.get()), deadline: deadline)
    }

    /// The earliest instant at which the rate may allow a new request (``RequestSchedule/nextTurn(now:)``).
    package func nextTurn(now: MonotonicInstant) -> MonotonicInstant {
        state.withLockedValue { $0.schedule.nextTurn(now: now) }
    }

    /// Takes a turn that is available without waiting; nil if there is none. Pass it to ``confirm(_:deadline:)`` or
    /// ``giveBack(_:)-(BudgetTurn)``.
    package func takeTurn(client: String?) -> BudgetTurn? {
        let date = clock.date
        let grant = state.withLockedValue { $0.schedule.requestNow(client, now: clock.now, date: date) }
        return grant.map(BudgetTurn.init)
    }

    /// If the budget is shared, counts a turn toward the day's budget of all processes, reserves a time for it among their turns, and waits for it.
    /// - Throws: ``BudgetRefusal``; the turn has then ended.
    package func confirm(_ turn: BudgetTurn, deadline: MonotonicInstant) async throws(BudgetRefusal) -> BudgetGrant {
        let grant = turn.grant
        guard let shared else { return grant }
        do throws(BudgetRefusal) {
            if let usage = grant.usage { try await count(usage, in: shared) }
        } catch {
            settle { state, _ in
                state.schedule.cancelReservation()
                state.schedule.finish()
                state.schedule.giveBackShare(of: grant)
            }
            throw error
        }
        do throws(BudgetRefusal) {
            try await waitForSharedTurn(of: shared, deadline: deadline)
        } catch {
            await giveBack(grant)
            throw error
        }
        return grant
    }

    /// Ends a turn whose request has ended.
    package func finish(_ grant: BudgetGrant) {
        guard isConcurrencyLimited else { return }
        settle { state, _ in state.schedule.finish() }
    }

    /// Gives back a turn that was not confirmed.
    package func giveBack(_ turn: BudgetTurn) {
        settle { state, _ in
            state.schedule.cancelReservation()
            state.schedule.giveBack(turn.grant)
        }
    }

    /// Gives back a turn whose request was not sent.
    package func giveBack(_ grant: BudgetGrant) async {
        settle { state, _ in state.schedule.giveBack(grant) }
        await uncountStored(grant)
    }

    /// Removes a request from the day's count and from its client's share, because the provider refuses every call.
    package func uncount(_ grant: BudgetGrant) async {
        settle { state, _ in state.schedule.uncount(grant) }
        await uncountStored(grant)
    }

    private func uncountStored(_ grant: BudgetGrant) async {
        guard let usage = grant.usage, let total = await shared?.uncount(usage) else { return }
        note(total)
    }

    /// Starts a pause requested by the provider (`Retry-After` of a 429 or 503): no turn is granted until `instant`, but for at most
    /// ``RequestSchedule/maxPause``. Callers whose deadline does not come later are refused immediately.
    package func pause(until instant: MonotonicInstant, status: Int) {
        settle { state, now in state.schedule.pause(until: instant, status: status, now: now) }
    }

    /// Adds requests to the day's budget, up to its limit, for every process using the same store.
    /// - Returns: The requests left today; nil without a daily budget.
    /// - Throws: The store's errors; nothing is changed in that case.
    package func allowMore(_ requests: Int) async throws -> Int? {
        await refresh()
        let date = clock.date
        let (usage, limit) = state.withLockedValue { ($0.schedule.usage(at: date), $0.schedule.dailyLimit) }
        guard let usage, let limit else { return nil }
        // More requests than the limit may have been used, because an operator may have lowered the limit.
        let fewer = requests + max(0, usage.used - limit)
        if let shared {
            note(try await shared.allowMore(fewer, on: usage.day))
        } else {
            note(DailyUsage(day: usage.day, used: max(0, usage.used - fewer)))
        }
        return snapshot.leftToday
    }

    /// Updates ``snapshot`` with the requests used by other processes today.
    package func refresh() async {
        guard let usage = try? await shared?.usage() else { return }
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

    /// Changes the schedule, then wakes the callers whose wait is over.
    private func settle(_ change: (inout State, MonotonicInstant) -> Void) {
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

    // MARK: Sharing with other processes

    /// Counts one of the day's requests for all processes. While the store is unavailable, the count in memory is used.
    private func count(_ usage: DailyUsage, in shared: SharedBudget) async throws(BudgetRefusal) {
        guard let total = await shared.count(usage) else { return }
        note(total)
        guard total.day == usage.day, state.withLockedValue({ $0.schedule.exceedsDay(total) }) else { return }
        if let rest = await shared.uncount(usage) { note(rest) }
        throw .exhausted(resetsIn: DailyBudget.timeToReset(from: clock.date))
    }

    /// Adopts the stored usage, unless it is that of another day: of one that has just ended or begun, or from before the clock was set back.
    private func note(_ usage: DailyUsage) {
        let date = clock.date
        state.withLockedValue { state in
            if state.schedule.usage(at: date)?.day == usage.day { state.schedule.note(usage) }
        }
    }

    /// Reserves a turn among those of all processes and waits for it. While the store is unavailable, waits for one spacing instead.
    private func waitForSharedTurn(
        of shared: SharedBudget, deadline: MonotonicInstant
    ) async throws(BudgetRefusal) {
        guard let spacing else { return }
        let turn = await shared.reserveTurn(spacing: spacing)
        guard !Task.isCancelled else {
            settle { state, _ in state.schedule.cancelReservation() }
            throw .cancelled
        }
        var release: MonotonicInstant?
        settle { state, now in release = state.schedule.release(at: turn, deadline: deadline, now: now) }
        guard let release else { throw .deadline }
        guard release > clock.now else { return }
        guard (try? await clock.sleep(until: release)) != nil else { throw .cancelled }
    }
}
