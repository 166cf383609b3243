import BookMetadata
import ProviderClient
import SuiteMethods

/// The questions waiting for providers, their callers, and the calls in flight.
///
/// A value type: ``QuestionScheduler`` feeds it, makes the calls that it composes, and resumes the callers. A question that several items have in
/// common is sent once.
struct CallBatcher: Sendable {
    /// Identifies a caller that is waiting for an answer.
    typealias Waiter = UInt64

    private struct Waiting: Sendable {
        let question: Question
        let deadline: MonotonicInstant
    }

    private struct Entry: Sendable {
        var waiters: Set<Waiter> = []
        var call: ProviderCall.ID?
        /// The highest rank under which the question is queued.
        var rank: CallRank

        /// Whether no caller is waiting for the answer and no call is in flight.
        var isIdle: Bool { waiters.isEmpty && call == nil }
    }

    private let limits: CallLimits
    private var entries: [Question: Entry] = [:]
    private var waiters: [Waiter: Waiting] = [:]
    private var rings: [CallRank: [RequestBatch: RoundRobin]] = [:]
    private(set) var calls: [ProviderCall.ID: ProviderCall] = [:]
    private var callsPerParty: [CallParty: Int] = [:]
    private var callsPerBatch: [RequestBatch: Int] = [:]
    /// When the oldest waiting question was queued or, if later, when the last request was composed.
    private var waitsSince: [CallRank: [RequestBatch: MonotonicInstant]] = [:]
    /// Number of calls in flight to each provider.
    private(set) var callsPerProvider: [ProviderName: Int] = [:]
    private var lastCall: UInt64 = 0
    /// All requested batches; the one whose last turn was longest ago comes first.
    private var batchesInTurn: [RequestBatch] = []

    /// The time by which ``expire(now:)`` must be called next, if any caller is waiting.
    private(set) var nextDeadline: MonotonicInstant?

    init(limits: CallLimits) { self.limits = limits }

    /// Adds a caller waiting for the answer to a question. Returns whether this fills a request; a request that is not full may gather more
    /// questions.
    mutating func ask(
        _ question: Question, waiter: Waiter, party: CallParty, rank: CallRank, isAlone: Bool,
        now: MonotonicInstant, deadline: MonotonicInstant
    ) -> Bool {
        waiters[waiter] = Waiting(question: question, deadline: deadline)
        nextDeadline = min(nextDeadline ?? deadline, deadline)
        let mustQueue = entries[question].map { $0.call == nil && rank < $0.rank } ?? true
        entries[question, default: Entry(rank: rank)].waiters.insert(waiter)
        guard mustQueue else { return false }
        entries[question]?.rank = rank
        let batch = isAlone ? question.kind.loneBatch : question.kind.batch
        if !batchesInTurn.contains(batch) { batchesInTurn.append(batch) }
        rings[rank, default: [:]][batch, default: RoundRobin()].append(question, of: party)
        if waitsSince[rank]?[batch] == nil { waitsSince[rank, default: [:]][batch] = now }
        return (rings[rank]?[batch]?.count ?? 0) >= batch.size
    }

    /// Removes a caller that no longer waits. Returns its call if the call has no callers left.
    mutating func leave(_ waiter: Waiter) -> ProviderCall.ID? {
        guard let question = waiters.removeValue(forKey: waiter)?.question, var entry = entries[question] else {
            return nil
        }
        entry.waiters.remove(waiter)
        entries[question] = entry
        if entry.isIdle { entries[question] = nil }
        guard entry.waiters.isEmpty, let id = entry.call else { return nil }
        let questions = calls[id]?.questions ?? []
        guard questions.allSatisfy({ entries[$0]?.waiters.isEmpty ?? true }) else { return nil }
        // Later callers must not join an abandoned call.
        for question in questions { entries[question] = nil }
        return id
    }

    /// Whether any question for a provider is not yet part of a call.
    func isAsked(_ provider: ProviderName) -> Bool {
        rings.values.contains { $0.contains { $0.key.provider == provider && !$0.value.isEmpty } }
    }

    /// The next request that may be sent now, if there is one. Within a rank, batches take turns, so titles do not wait behind another job's ISBNs.
    mutating func nextCall(now: MonotonicInstant, mayAsk: (ProviderName, CallRank) -> Bool) -> ProviderCall? {
        for rank in CallRank.all {
            for (turn, batch) in batchesInTurn.enumerated()
            where rings[rank]?[batch]?.isEmpty == false && hasRoom(batch, rank) && !isGathering(batch, rank, now)
                && mayAsk(batch.provider, rank)
            {
                guard let call = compose(batch, from: rank, now) else { continue }
                batchesInTurn.append(batchesInTurn.remove(at: turn))
                return call
            }
        }
        return nil
    }

    /// Ends a call and returns its callers.
    mutating func finish(_ id: ProviderCall.ID) -> [(waiter: Waiter, question: Question)] {
        guard let call = calls.removeValue(forKey: id) else { return [] }
        callsPerProvider[call.batch.provider, default: 1] -= 1
        callsPerBatch[call.batch, default: 1] -= 1
        for party in call.parties {
            let left = (callsPerParty[party] ?? 1) - 1
            callsPerParty[party] = left > 0 ? left : nil
        }
        return call.questions.filter { entries[$0]?.call == id }.flatMap { question in
            (entries.removeValue(forKey: question)?.waiters ?? []).map { waiter in
                waiters[waiter] = nil
                return (waiter, question)
            }
        }
    }

    /// Removes callers whose deadline has passed; returns them with their questions and whether these were sent. Their calls continue, because the
    /// cache can use the answers.
    mutating func expire(now: MonotonicInstant) -> [(waiter: Waiter, question: Question, wasSent: Bool)] {
        let late = waiters.filter { $0.value.deadline <= now }
        let sent = late.filter { entries[$0.value.question]?.call != nil }
        for (waiter, waiting) in late {
            waiters[waiter] = nil
            entries[waiting.question]?.waiters.remove(waiter)
            if entries[waiting.question]?.isIdle == true { entries[waiting.question] = nil }
        }
        nextDeadline = waiters.values.lazy.map(\.deadline).min()
        return late.map { ($0.key, $0.value.question, sent[$0.key] != nil) }
    }

    /// The estimated number of requests to a provider that precede the one for a question of `rank` asked now.
    func requestsAhead(of rank: CallRank, to provider: ProviderName) -> Int {
        CallRank.all.filter { $0 <= rank }.reduce(0) { sum, rank in
            (rings[rank] ?? [:]).filter { $0.key.provider == provider }.reduce(sum) { sum, waiting in
                sum + (waiting.value.count + waiting.key.size - 1) / waiting.key.size
            }
        }
    }

    /// When the first request stops waiting for more questions; nil if no request is waiting.
    func gatheringEnd(after now: MonotonicInstant) -> MonotonicInstant? {
        waitsSince.flatMap { rank, batches in
            batches.compactMap { batch, since in
                let end = since.advanced(by: limits.sharing(rank))
                return (callsPerBatch[batch] ?? 0) > 0 && end > now ? end : nil
            }
        }.min()
    }

    /// Whether a request that is not full waits for questions from other jobs. It does so only while another request of its batch is in flight, so
    /// the first request is sent immediately, and the following requests have time to fill up.
    private func isGathering(_ batch: RequestBatch, _ rank: CallRank, _ now: MonotonicInstant) -> Bool {
        guard batch.size > 1, (callsPerBatch[batch] ?? 0) > 0, let since = waitsSince[rank]?[batch],
            now < since.advanced(by: limits.sharing(rank))
        else { return false }
        let waiting = CallRank.all.filter { $0 >= rank }.reduce(0) { $0 + (rings[$1]?[batch]?.count ?? 0) }
        return waiting < batch.size
    }

    private func hasRoom(_ batch: RequestBatch, _ rank: CallRank) -> Bool {
        let extra = rank.workClass == .interactive ? limits.interactiveExtra : 0
        return (callsPerProvider[batch.provider] ?? 0) < limits.perProvider + extra
    }

    /// Composes a request from questions of rank `first`, and fills it up with questions of lower ranks.
    private mutating func compose(_ batch: RequestBatch, from first: CallRank, _ now: MonotonicInstant) -> ProviderCall?
    {
        var taken: [(question: Question, party: CallParty)] = []
        for rank in CallRank.all where rank >= first && taken.count < batch.size {
            let (perParty, limit, entries) = (callsPerParty, limits.perParty, entries)
            var chosen = Set(taken.map(\.question))
            taken +=
                rings[rank]?[batch]?.take(batch.size - taken.count) {
                    (perParty[$0] ?? 0) < limit
                } isWanted: {
                    entries[$0].map { $0.call == nil } == true && chosen.insert($0).inserted
                } ?? []
            waitsSince[rank]?[batch] = rings[rank]?[batch]?.isEmpty == false ? now : nil
            if rank == first, taken.isEmpty { return nil }
        }
        lastCall += 1
        let questions = taken.map(\.question)
        let deadlines = questions.flatMap { entries[$0]?.waiters ?? [] }.compactMap { waiters[$0]?.deadline }
        guard let kind = questions.first?.kind, let deadline = deadlines.max() else { return nil }
        let call = ProviderCall(
            id: ProviderCall.ID(number: lastCall), kind: kind, batch: batch, rank: first, questions: questions,
            parties: Set(taken.map(\.party)), deadline: deadline)
        begin(call)
        return call
    }

    private mutating func begin(_ call: ProviderCall) {
        calls[call.id] = call
        callsPerProvider[call.batch.provider, default: 0] += 1
        callsPerBatch[call.batch, default: 0] += 1
        for party in call.parties { callsPerParty[party, default: 0] += 1 }
        for question in call.questions { entries[question]?.call = call.id }
    }
}

/// The limits for calls in flight, and how long requests gather questions.
struct CallLimits: Sendable {
    /// Maximum number of calls in flight in which one ``CallParty`` takes part.
    var perParty = 10
    /// Maximum number of calls in flight to one provider.
    var perProvider = 32
    /// Number of calls in flight that interactive jobs and searches may add beyond a provider's limit.
    var interactiveExtra = 8
    /// How long a request that is not full waits for questions from other jobs while another request of its batch is in flight.
    var sharing: Duration = .milliseconds(40)
    /// Like ``sharing``, for requests of interactive jobs and searches.
    var interactiveSharing: Duration = .milliseconds(15)

    func sharing(_ rank: CallRank) -> Duration { rank.workClass == .interactive ? interactiveSharing : sharing }
}
