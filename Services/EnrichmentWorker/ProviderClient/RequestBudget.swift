package import Logging
internal import NIOConcurrencyHelpers
package import Observability

/// One provider's politeness, shared by all jobs: every request, including retries and redirects, waits for its turn
/// here.
///
/// ``RequestSchedule`` decides whose turn it is and when; this class keeps the callers that wait for theirs, and wakes them. With a
/// ``BudgetStore`` several processes share the day's count and the rate: a turn is granted here, then counted and reserved in
/// ``SharedBudget``. Only one caller at a time waits there, so that more urgent ones still come first.
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

    /// The time between two requests; nil without a limited rate.
    package let spacing: Duration?
    private let isConcurrencyLimited: Bool
    private let clock: any SuiteClock
    /// Nil if the budget is not shared.
    private let shared: SharedBudget?
    private let state: NIOLockedValueBox<State>

    /// A budget whose daily count is lost when the process ends.
    package convenience init(limits: BudgetLimits, clock: any SuiteClock) {
        self.init(limits, usage: nil, shared: nil, clock: clock)
    }

    /// A budget that continues the previous process's count, and is shared with other processes on the same store.
    /// - Throws: the store's errors.
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
        state = NIOLockedValueBox(State(schedule: RequestSchedule(limits: limits, usage: usage)))
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

    /// The day's requests that a client has used within its hour.
    package func used(by client: String) -> Int {
        state.withLockedValue { $0.schedule.used(by: client, now: clock.now) }
    }

    /// Waits for the caller's turn: higher priorities first, then in order. A turn counts for the day once it is given, and is
    /// saved before this returns. End each turn with ``finish(_:)``, or with ``giveBack(_:)`` if nothing was sent.
    /// - Throws: ``BudgetRefusal``; at once if the turn cannot come before the deadline.
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

    /// The earliest instant at which the rate allows a new request.
    package func nextTurn(now: MonotonicInstant) -> MonotonicInstant {
        state.withLockedValue { $0.schedule.nextTurn(now: now) }
    }

    /// Takes a turn that is available without waiting; nil if there is none. End it with ``confirm(_:deadline:)`` or
    /// ``giveBack(_:)-(BudgetTurn)``.
    package func takeTurn(client: String?) -> BudgetTurn? {
        let date = clock.date
        let grant = state.withLockedValue { $0.schedule.requestNow(client, now: clock.now, date: date) }
        return grant.map(BudgetTurn.init)
    }

    /// Counts a turn for the day, and waits while another process has it.
    /// - Throws: ``BudgetRefusal``.
    package func confirm(_ turn: BudgetTurn, deadline: MonotonicInstant) async throws(BudgetRefusal) -> BudgetGrant {
        let grant = turn.grant
        guard let shared else { return grant }
        do throws(BudgetRefusal) {
            if let usage = grant.usage { try await count(usage, in: shared) }
        } catch {
            finish(grant)
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

    /// Ends a turn whose request is over.
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

    /// Removes a request from the day's count, because the provider's refusal lasts.
    package func uncount(_ grant: BudgetGrant) async {
        settle { state, _ in state.schedule.uncount(grant) }
        await uncountStored(grant)
    }

    private func uncountStored(_ grant: BudgetGrant) async {
        guard let usage = grant.usage, let total = await shared?.uncount(usage) else { return }
        note(total)
    }

    /// The provider asked for a pause (`Retry-After` of a 429 or 503): no request is sent before `instant`, and callers
    /// whose deadline is earlier are refused at once.
    package func pause(until instant: MonotonicInstant, status: Int) {
        settle { state, now in state.schedule.pause(until: instant, status: status, now: now) }
    }

    /// Gives the day further requests, at most up to its limit, for every process on the same store.
    /// - Returns: The requests left today; nil without a daily budget.
    /// - Throws: The store's errors; nothing is changed then.
    package func allowMore(_ requests: Int) async throws -> Int? {
        await refresh()
        let date = clock.date
        let (usage, limit) = state.withLockedValue { ($0.schedule.usage(at: date), $0.schedule.dailyLimit) }
        guard let usage, let limit else { return nil }
        // More may have been used than the limit, which an operator may have lowered.
        let fewer = requests + max(0, usage.used - limit)
        if let shared {
            note(try await shared.allowMore(fewer, on: usage.day))
        } else {
            note(DailyUsage(day: usage.day, used: max(0, usage.used - fewer)))
        }
        return snapshot.leftToday
    }

    /// Reads the requests that other processes have used of the day.
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

    /// Changes the schedule, then wakes the callers whose wait has ended.
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

    /// Counts a request of the day for every process. While the store does not answer, the count in memory is used.
    private func count(_ usage: DailyUsage, in shared: SharedBudget) async throws(BudgetRefusal) {
        guard let total = await shared.count(usage) else { return }
        note(total)
        guard total.day == usage.day, state.withLockedValue({ $0.schedule.exceedsDay(total) }) else { return }
        if let rest = await shared.uncount(usage) { note(rest) }
        throw .exhausted(resetsIn: DailyBudget.timeToReset(from: clock.date))
    }

    private func note(_ usage: DailyUsage) {
        state.withLockedValue { $0.schedule.note(usage) }
    }

    /// Waits until no other process has the turn.
    private func waitForSharedTurn(
        of shared: SharedBudget, deadline: MonotonicInstant
    ) async throws(BudgetRefusal) {
        guard let spacing else { return }
        state.withLockedValue { $0.schedule.beginReservation() }
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
