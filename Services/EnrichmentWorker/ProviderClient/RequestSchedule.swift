package import Foundation

/// Decides which caller may send the next request to a provider, and when, based on spacing, requests in flight, requested pauses, the daily budget,
/// and a priority queue.
///
/// A value type: ``RequestBudget`` feeds it and wakes the callers. Spacing is measured from the last turn actually granted, so lost time is not made
/// up by a burst.
package struct RequestSchedule: Sendable {
    /// The response to a request for a turn.
    package enum Answer: Hashable, Sendable {
        /// Send now.
        case granted(BudgetGrant)
        /// Wait until ``RequestSchedule/advance(now:date:)`` returns the result.
        case queued
        /// The turn is refused.
        case refused(BudgetRefusal)
    }

    /// A caller whose wait has ended.
    package struct Settlement: Hashable, Sendable {
        package let id: UInt64
        package let result: Result<BudgetGrant, BudgetRefusal>
    }

    private struct Waiter: Hashable, Sendable {
        let id: UInt64
        let deadline: MonotonicInstant
        let client: String?
    }

    /// A pause that the provider has requested with `Retry-After`.
    private struct Pause: Sendable {
        let until: MonotonicInstant
        /// Status of the response that requested the pause.
        let status: Int
    }

    /// Maximum length of a requested pause; after that, the provider is called again.
    package static let maxPause = Duration.seconds(3_600)

    private let spacing: Duration?
    private let capacity: Int
    /// Maximum number of requests in flight; nil without a limit.
    private let concurrent: Int?
    private var underWay = 0
    private var daily: DailyBudget?
    private var shares = ClientShares()
    private var nextSlot: MonotonicInstant?
    /// Whether each turn granted here must then be reserved among the processes that share the rate.
    private let reservesTurns: Bool
    /// Number of granted turns whose reservation has not ended.
    private var reservations = 0
    /// When the request of the last reserved turn may be sent; this may be in the future.
    private var lastRelease: MonotonicInstant?
    private var pause: Pause?
    private var lanes: [[Waiter]] = Array(repeating: [], count: CallPriority.allCases.count)

    /// - Parameter sharesRate: Whether other processes share the rate. Each granted turn must then be reserved among them, and no other turn is
    ///   granted before ``release(at:deadline:now:)`` or ``cancelReservation()``: if the store is slow, callers wait here, where the most urgent
    ///   caller is served next.
    package init(limits: BudgetLimits, usage: DailyUsage? = nil, sharesRate: Bool = false) {
        spacing = limits.spacing
        reservesTurns = sharesRate && limits.spacing != nil
        capacity = limits.waiting
        concurrent = limits.concurrent > 0 ? limits.concurrent : nil
        daily = limits.requestsPerDay > 0 ? DailyBudget(limit: limits.requestsPerDay, usage: usage) : nil
    }

    /// Number of waiting callers.
    package var waiting: Int { lanes.reduce(0) { $0 + $1.count } }

    /// Requests left today; nil without a daily budget.
    package func leftToday(at date: Date) -> Int? { daily?.left(at: date) }

    /// When ``advance(now:date:)`` next has something to do; nil if no caller is waiting.
    package var nextWake: MonotonicInstant? {
        let deadlines = lanes.joined().map(\.deadline)
        guard hasRoom, reservations == 0 else { return deadlines.min() }
        let turn = [nextSlot, pause?.until].compactMap(\.self).max()
        return deadlines.min().map { min($0, turn ?? $0) }
    }

    /// End of the pause requested by the provider; nil if there is none.
    package func pausedUntil(_ now: MonotonicInstant) -> MonotonicInstant? {
        pause.flatMap { $0.until > now ? $0.until : nil }
    }

    /// Number of the day's requests that a client has used within its current hour (``ClientShares``).
    package func used(by client: String, now: MonotonicInstant) -> Int { shares.used(by: client, now: now) }

    /// Requests a turn.
    ///
    /// - Parameter client: The client whose share of a daily budget is charged; nil if shares do not apply.
    package mutating func request(
        _ id: UInt64, priority: CallPriority, deadline: MonotonicInstant, client: String? = nil, now: MonotonicInstant,
        date: Date
    ) -> Answer {
        guard deadline > now else { return .refused(.deadline) }
        if waiting == 0, isDue(now) {
            switch take(client, now: now, date: date) {
            case .success(let grant): return .granted(grant)
            case .failure(let refusal): return .refused(refusal)
            }
        }
        if let refusal = dailyRefusal(client, now: now, date: date) { return .refused(refusal) }
        if let refusal = pauseRefusal(deadline: deadline, now: now) { return .refused(refusal) }
        guard waiting < capacity else { return .refused(.queueFull) }
        guard earliestTurn(priority, now: now) < deadline else { return .refused(.deadline) }
        lanes[priority.rawValue].append(Waiter(id: id, deadline: deadline, client: client))
        return .queued
    }

    /// The earliest instant at which the rate allows a new request. While callers are waiting or a reservation is late, it is one spacing from now,
    /// because it is not known how many of these callers will get a turn, or when the reservation will end.
    package func nextTurn(now: MonotonicInstant) -> MonotonicInstant {
        let isOpen = waiting == 0 && (reservations == 0 || nextSlot.map { $0 > now } ?? false)
        return isOpen ? max(now, nextSlot ?? now) : now.advanced(by: spacing ?? .zero)
    }

    /// Takes a turn that is available without waiting; nil if there is none.
    package mutating func requestNow(_ client: String?, now: MonotonicInstant, date: Date) -> BudgetGrant? {
        guard waiting == 0, isDue(now) else { return nil }
        return try? take(client, now: now, date: date).get()
    }

    /// Settles the callers whose turn has come, and those whose turn cannot come before their deadline.
    package mutating func advance(now: MonotonicInstant, date: Date) -> [Settlement] {
        var settled: [Settlement] = []
        for lane in lanes.indices where lanes[lane].contains(where: { $0.deadline <= now }) {
            let late = lanes[lane].filter { $0.deadline <= now }
            settled += late.map { Settlement(id: $0.id, result: .failure(.deadline)) }
            lanes[lane].removeAll { $0.deadline <= now }
        }
        if pausedUntil(now) != nil { settled += refuseHopeless(now) }
        while isDue(now), let lane = lanes.firstIndex(where: { !$0.isEmpty }) {
            let next = lanes[lane].removeFirst()
            settled.append(Settlement(id: next.id, result: take(next.client, now: now, date: date)))
        }
        return settled
    }

    /// Removes a waiting caller whose task was cancelled; false if the caller is already settled.
    package mutating func cancel(_ id: UInt64) -> Bool {
        for lane in lanes.indices {
            guard let index = lanes[lane].firstIndex(where: { $0.id == id }) else { continue }
            lanes[lane].remove(at: index)
            return true
        }
        return false
    }

    /// Takes back a turn whose request was not sent. The next caller can use it, unless another turn has been granted since.
    package mutating func giveBack(_ grant: BudgetGrant) {
        if let spacing, nextSlot == grant.slot.advanced(by: spacing) { nextSlot = grant.slot }
        finish()
        uncount(grant)
    }

    /// Ends a turn whose request has ended, which makes room for the next.
    package mutating func finish() { underWay -= 1 }

    /// Removes a request from the day's count and from its client's share.
    package mutating func uncount(_ grant: BudgetGrant) {
        guard let usage = grant.usage else { return }
        daily?.giveBack(day: usage.day)
        giveBackShare(of: grant)
    }

    /// Removes a request from its client's share.
    package mutating func giveBackShare(of grant: BudgetGrant) {
        if let client = grant.client { shares.giveBack(client) }
    }

    /// Starts a pause requested by the provider. Of several pauses, the one that ends last applies; none is longer than ``maxPause``.
    package mutating func pause(until instant: MonotonicInstant, status: Int, now: MonotonicInstant) {
        let until = min(instant, now.advanced(by: Self.maxPause))
        if until > pause?.until ?? now { pause = Pause(until: until, status: status) }
    }

    /// Ends the reservation of a granted turn whose request is not sent.
    package mutating func cancelReservation() {
        if reservesTurns { reservations -= 1 }
    }

    /// When the request for a reserved turn may be sent: not before its turn, and at least one spacing after the previous request, regardless of
    /// how long the reservation took.
    ///
    /// - Parameter turn: The reserved turn; nil if the store is unavailable. Every second turn is then left to other processes.
    /// - Returns: nil if that time is not before the deadline.
    package mutating func release(
        at turn: MonotonicInstant?, deadline: MonotonicInstant, now: MonotonicInstant
    ) -> MonotonicInstant? {
        reservations -= 1
        let spacing = spacing ?? .zero
        let release = max(turn ?? now.advanced(by: spacing), now, lastRelease?.advanced(by: spacing) ?? now)
        let next = turn == nil ? release.advanced(by: spacing) : release
        nextSlot = max(nextSlot ?? next, next)
        guard release < deadline else { return nil }
        lastRelease = release
        return release
    }

    /// Maximum requests per day; nil without a daily budget.
    package var dailyLimit: Int? { daily?.limit }

    /// The day's usage; nil without a daily budget.
    package func usage(at date: Date) -> DailyUsage? { daily?.usage(at: date) }

    /// Adopts the day's count, to which other processes contribute.
    package mutating func note(_ usage: DailyUsage) { daily?.note(usage) }

    /// Whether a count exceeds the day's maximum.
    package func exceedsDay(_ usage: DailyUsage) -> Bool { daily.map { usage.used > $0.limit } ?? false }

    private func pauseRefusal(deadline: MonotonicInstant, now: MonotonicInstant) -> BudgetRefusal? {
        guard let pause, pause.until > now, pause.until >= deadline else { return nil }
        return .paused(for: now.duration(to: pause.until), status: pause.status)
    }

    /// Refuses callers whose deadline is not after the end of the pause.
    private mutating func refuseHopeless(_ now: MonotonicInstant) -> [Settlement] {
        let refused = lanes.joined().compactMap { waiter in
            pauseRefusal(deadline: waiter.deadline, now: now).map { Settlement(id: waiter.id, result: .failure($0)) }
        }
        let ids = Set(refused.map(\.id))
        for lane in lanes.indices { lanes[lane].removeAll { ids.contains($0.id) } }
        return refused
    }

    private func isDue(_ now: MonotonicInstant) -> Bool {
        hasRoom && reservations == 0 && pausedUntil(now) == nil && nextSlot.map { $0 <= now } ?? true
    }

    private var hasRoom: Bool { concurrent.map { underWay < $0 } ?? true }

    private func earliestTurn(_ priority: CallPriority, now: MonotonicInstant) -> MonotonicInstant {
        let ahead = lanes[...priority.rawValue].reduce(0) { $0 + $1.count }
        return max(now, nextSlot ?? now, pause?.until ?? now).advanced(by: (spacing ?? .zero) * ahead)
    }

    private func dailyRefusal(_ client: String?, now: MonotonicInstant, date: Date) -> BudgetRefusal? {
        guard let daily else { return nil }
        let (left, reset) = (daily.left(at: date), DailyBudget.timeToReset(from: date))
        guard left > 0 else { return .exhausted(resetsIn: reset) }
        let wait = client.flatMap { shares.wait(of: $0, left: left, now: now) }
        return wait.map { .exhausted(resetsIn: min($0, reset)) }
    }

    private mutating func take(
        _ client: String?, now: MonotonicInstant, date: Date
    ) -> Result<BudgetGrant, BudgetRefusal> {
        if let refusal = dailyRefusal(client, now: now, date: date) { return .failure(refusal) }
        if daily?.take(at: date) == true, let client { shares.take(client, now: now) }
        nextSlot = spacing.map { now.advanced(by: $0) }
        underWay += 1
        if reservesTurns { reservations += 1 }
        return .success(BudgetGrant(slot: now, usage: daily?.usage(at: date), client: client))
    }
}

/// Priority of a provider call; earlier cases are served first.
package enum CallPriority: Int, Hashable, Sendable, CaseIterable {
    /// A user is waiting for the response: searches, previews, covers, interactive jobs, and photos of shelves.
    case interactive
    /// Calls that find a bulk job's books, or the meaning of an import's columns.
    case bulk
    /// Follow-ups, background retries, refreshes, and calls for bulk jobs that only add details to a book.
    case background
}
