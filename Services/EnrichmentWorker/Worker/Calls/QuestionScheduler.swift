import BookMetadata
import Foundation
import NIOConcurrencyHelpers
import Observability
import ProviderClient
import SuiteMethods

/// Answers the questions of items and searches from the cache, or otherwise from the providers. Questions share requests, a question that several
/// callers ask at the same time is sent once, and jobs take turns.
final class QuestionScheduler: Sendable {
    typealias Answer = Result<ProviderRecords, QuestionFailure>

    private struct State: Sendable {
        var batcher: CallBatcher
        var callers: [CallBatcher.Waiter: CheckedContinuation<Answer, Never>] = [:]
        var tasks: [ProviderCall.ID: Task<Void, Never>] = [:]
        var lastWaiter: CallBatcher.Waiter = 0
        var outages = OutageTimeout()
        /// The earliest time at which a failing provider with waiting questions may be queried again.
        var outageEnd: MonotonicInstant?
        /// When requests that are not full are sent.
        var gatheredAt: MonotonicInstant?
        var timer: Timer?
        /// Questions that are being refreshed in the cache.
        var refreshes: Set<Question> = []
    }

    private struct Timer: Sendable {
        let wakesAt: MonotonicInstant
        let task: Task<Void, Never>
    }

    /// Maximum number of concurrent refreshes; beyond this, a refresh is skipped until its question is asked again.
    private static let maxRefreshes = 1_000
    private static let refreshLimit = Duration.seconds(60)
    /// Time limit for refreshing an answer after all other work.
    private static let lateRefreshLimit = Duration.seconds(600)

    private let caller: ProviderCaller
    private let cache: ProviderCache
    /// How long a request that is not full waits for more questions, unless another request of its batch is in flight (``CallLimits/sharing``).
    private let gathering: Duration
    let clock: any SuiteClock
    private let state: NIOLockedValueBox<State>

    init(
        caller: ProviderCaller, cache: ProviderCache, limits: CallLimits = CallLimits(), gathering: Duration,
        clock: any SuiteClock
    ) {
        self.caller = caller
        self.cache = cache
        self.gathering = gathering
        self.clock = clock
        state = NIOLockedValueBox(State(batcher: CallBatcher(limits: limits)))
    }

    /// Returns the answer to a question, no later than `deadline`. An expired answer other than "none" is returned immediately and refreshed in the
    /// background (metadata.md "Cache"). If the question contains nothing to search for, the answer is "none" and nothing is sent.
    ///
    /// - Throws: ``QuestionFailure``; `withdrawn` if the task is cancelled.
    func ask(
        _ question: Question, for asker: Asker, deadline: MonotonicInstant
    ) async throws(QuestionFailure) -> QuestionAnswer {
        guard question.isSearchable else { return .fetched(.none) }
        let cached =
            asker.cached.covers(question)
            ? asker.cached[question] : await cache.answers(to: [question])[question]
        if let cached, cached.isFresh { return .cached(cached) }
        if let cached, !cached.records.isEmpty {
            refresh(question)
            return .cached(cached)
        }
        // The caller may have been cancelled while an earlier question or the cache was being read.
        guard !Task.isCancelled else { throw .withdrawn }
        let records = try await wait(for: question, asker, deadline).get()
        return .fetched(records)
    }

    /// Time until an answer expires.
    func freshness(of answer: QuestionAnswer, to question: Question) -> Duration {
        switch answer {
        case .fetched(let records): cache.ttl.ttl(of: records, to: question)
        case .cached(let answer): max(answer.freshFor, .zero)
        }
    }

    /// The cached answers, including expired ones.
    func cached(_ questions: [Question]) async -> CachedAnswers { await cache.answers(to: questions) }

    /// Number of waiting callers.
    var waiting: Int { state.withLockedValue { $0.callers.count } }

    /// Whether ISBNdb is configured.
    var hasISBNdb: Bool { caller.isbndb != nil }

    /// Whether Google Books or ISBNdb may be queried to fill gaps in another provider's record, or ISBNdb to search for a title. False if the
    /// provider is not configured. A fresh answer in the cache costs nothing and can always be used. Otherwise, calls to the provider must not be
    /// paused, half of the day's requests must be left, and more than twice as many as the client has used within its hour. The rest is reserved for
    /// books that only this provider has.
    func mayFillGaps(with question: Question, for asker: Asker) -> Bool {
        guard let client = caller.client(of: question.provider) else { return false }
        if asker.cached[question]?.isFresh == true { return true }
        let snapshot = client.snapshot
        guard snapshot.breaker == .closed, snapshot.budget.pausedUntil == nil else { return false }
        guard let left = snapshot.budget.leftToday else { return true }
        let used = asker.party.client.map { client.budget.used(by: $0) } ?? 0
        return left > caller.reserve(of: question.provider) && left > 2 * used
    }

    /// Refreshes a cached answer, or fetches a missing one, in the background, unless this is already being done or too many others are in progress.
    func refresh(_ question: Question) {
        let isNew = state.withLockedValue {
            $0.refreshes.count < Self.maxRefreshes && $0.refreshes.insert(question).inserted
        }
        guard isNew else { return }
        let asker = Asker(party: .refresh, workClass: .followUp, isAlone: false, cached: CachedAnswers())
        Task {
            // The caller may have read the cache just before another call stored the answer.
            if await cache.known([question])?[question]?.isFresh != true {
                _ = await wait(for: question, asker, clock.now.advanced(by: Self.refreshLimit))
            }
            state.withLockedValue { _ = $0.refreshes.remove(question) }
        }
    }

    /// Queries the providers again on behalf of the cache, after all other work, even if the cache has a fresh answer (http-api.md "Reports").
    func askAgain(_ questions: [Question]) {
        let asker = Asker(party: .refresh, workClass: .backgroundRetry, isAlone: false, cached: CachedAnswers())
        let deadline = clock.now.advanced(by: Self.lateRefreshLimit)
        for question in questions { Task { _ = await wait(for: question, asker, deadline) } }
    }

    /// How long a question that only adds to a record would wait for its request if it were asked now, estimated from the provider's rate, the
    /// requests ahead of it and any pause that the provider has requested.
    func expectedWait(of provider: ProviderName, for asker: Asker) -> Duration {
        let budget = caller.client(of: provider)?.snapshot.budget
        let pause = budget?.pausedUntil.map { clock.now.duration(to: $0) } ?? .zero
        guard let spacing = caller.pacers[provider]?.spacing else { return pause }
        let rank = CallRank(workClass: asker.workClass, isAddition: true)
        return pause + spacing * state.withLockedValue { $0.batcher.requestsAhead(of: rank, to: provider) }
    }

    private func wait(for question: Question, _ asker: Asker, _ deadline: MonotonicInstant) async -> Answer {
        let waiter = state.withLockedValue { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let rank = CallRank(workClass: asker.workClass, isAddition: question.kind.isAddition)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                state.withLockedValue { state in
                    state.callers[waiter] = caller
                    let isFull = state.batcher.ask(
                        question, waiter: waiter, party: asker.party, rank: rank, isAlone: asker.isAlone,
                        now: clock.now, deadline: deadline)
                    if isFull || asker.isAlone {
                        sendCalls(&state)
                    } else if state.gatheredAt == nil {
                        state.gatheredAt = clock.now.advanced(by: gathering)
                    }
                    setTimer(&state)
                }
                // The handler may have run before the caller was registered.
                if Task.isCancelled { leave(waiter) }
            }
        } onCancel: {
            leave(waiter)
        }
    }

    private func leave(_ waiter: CallBatcher.Waiter) {
        let (caller, task) = state.withLockedValue { state in
            let call = state.batcher.leave(waiter)
            return (state.callers.removeValue(forKey: waiter), call.flatMap { state.tasks[$0] })
        }
        task?.cancel()
        caller?.resume(returning: .failure(.withdrawn))
    }

    /// Starts all calls that may be sent.
    private func sendCalls(_ state: inout State) {
        let now = clock.now
        state.outageEnd = nil
        while let call = nextCall(&state, now) {
            let turn = caller.pacers[call.kind.provider]?.takeTurn(client: call.client)
            // A call serves many items, so the task is detached: its log lines do not belong to any single item. Changing the task-local value here
            // instead could deadlock: it would wait for an ongoing cancellation of the current task, whose handler waits for `state`.
            state.tasks[call.id] = Task.detached { [self] in
                let answers = await caller.answers(to: call, turn: turn)
                let seconds = Int64(clock.date.timeIntervalSince1970)
                finish(call, answers.mapValues { $0.map { $0.retrieved(at: seconds) } })
            }
        }
    }

    private func nextCall(_ state: inout State, _ now: MonotonicInstant) -> ProviderCall? {
        let inFlight = state.batcher.callsPerProvider
        var (outages, outageEnd) = (state.outages, state.outageEnd)
        defer { (state.outages, state.outageEnd) = (outages, outageEnd) }
        return state.batcher.nextCall(now: now) { provider, rank in
            // A request is not composed before it can be sent. Until then, questions gather, so the request contains more of them, including the most
            // urgent ones.
            if let pacer = caller.pacers[provider], pacer.nextTurn(now: now) > now { return false }
            // An interactive caller does not wait for a failing provider; another provider serves it sooner.
            guard rank.workClass != .interactive else { return true }
            let breaker = caller.client(of: provider)?.snapshot.breaker ?? .closed
            switch outages.verdict(
                on: provider, breaker, callsInFlight: inFlight[provider] ?? 0, now: now)
            {
            case .ask: return true
            case .waitForCall: return false
            case .wait(let until):
                outageEnd = min(outageEnd ?? until, until)
                return false
            }
        }
    }

    /// Sends the waiting questions that may be sent now; to be called after an operator's action on a provider.
    func providersResumed() {
        state.withLockedValue { state in
            sendCalls(&state)
            setTimer(&state)
        }
    }

    private func finish(_ call: ProviderCall, _ answers: [Question: Answer]) {
        cache.store(answers.compactMapValues { try? $0.get() })
        let served = state.withLockedValue { state in
            state.tasks[call.id] = nil
            let served = state.batcher.finish(call.id).map { waiter, question in
                (caller: state.callers.removeValue(forKey: waiter), question: question)
            }
            sendCalls(&state)
            setTimer(&state)
            return served
        }
        for (caller, question) in served { caller?.resume(returning: answers[question] ?? .success(.none)) }
    }

    /// Schedules ``tick(_:)`` for the next time at which a caller's deadline passes, gathering ends, or a provider may be queried again.
    private func setTimer(_ state: inout State) {
        let now = clock.now
        let paced = caller.pacers.compactMap { provider, pacer in
            state.batcher.isAsked(provider) ? pacer.nextTurn(now: now) : nil
        }.filter { $0 > now }.min()
        let gathered = state.batcher.gatheringEnd(after: now)
        let wakes = [state.batcher.nextDeadline, state.gatheredAt, gathered, paced, state.outageEnd]
        guard let wake = wakes.compactMap(\.self).min() else { return }
        if let timer = state.timer {
            guard wake < timer.wakesAt else { return }
            timer.task.cancel()
        }
        let task = Task { [weak self, clock] in
            guard (try? await clock.sleep(until: wake)) != nil else { return }
            self?.tick(wake)
        }
        state.timer = Timer(wakesAt: wake, task: task)
    }

    private func tick(_ wake: MonotonicInstant) {
        let late = state.withLockedValue { state in
            if state.timer?.wakesAt == wake { state.timer = nil }
            let now = clock.now
            if let gatheredAt = state.gatheredAt, gatheredAt <= now { state.gatheredAt = nil }
            var late: [(caller: CheckedContinuation<Answer, Never>?, failure: QuestionFailure)] = []
            if let deadline = state.batcher.nextDeadline, deadline <= now {
                late = state.batcher.expire(now: now).map { waiter, question, wasSent in
                    let failure =
                        wasSent ? QuestionFailure.tooLate(question.provider) : .call(question.provider, .busy)
                    return (state.callers.removeValue(forKey: waiter), failure)
                }
            }
            sendCalls(&state)
            setTimer(&state)
            return late
        }
        for (caller, failure) in late { caller?.resume(returning: .failure(failure)) }
    }
}

/// The item, search or refresh on whose behalf a question is asked.
struct Asker: Sendable {
    let party: CallParty
    let workClass: WorkClass
    /// Whether questions are sent immediately instead of waiting until others fill the request, and alone if their kind allows it
    /// (``QuestionKind/loneBatch``): those of a search, and those of an item whose earlier attempt may have failed because it shared a request.
    let isAlone: Bool
    /// The answers that were cached when the item was claimed; empty for a search or a refresh.
    let cached: CachedAnswers
}

/// An answer from the scheduler, and its source.
enum QuestionAnswer: Sendable {
    /// Just received from the provider, or "none" for a question that contains nothing to search for.
    case fetched(ProviderRecords)
    /// From the cache; an expired answer is being refreshed in the background.
    case cached(CachedAnswer)

    var records: ProviderRecords {
        switch self {
        case .fetched(let records): records
        case .cached(let answer): answer.records
        }
    }
}
