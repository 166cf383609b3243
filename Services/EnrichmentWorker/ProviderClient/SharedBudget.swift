internal import Logging
internal import NIOConcurrencyHelpers
package import Observability

/// One provider's daily count and turns, shared by all processes that use the same ``BudgetStore``.
///
/// If the store is unavailable, requests are still sent: they are counted later, and their turns are not reserved.
struct SharedBudget: Sendable {
    private let provider: String
    private let store: any BudgetStore
    private let clock: any SuiteClock
    private let logger: Logger
    /// The requests of the last counted day that are not stored yet; negative if more were given back than counted in the meantime.
    private let unsaved = NIOLockedValueBox(DailyUsage(day: "", used: 0))

    init(provider: String, store: any BudgetStore, clock: any SuiteClock, logger: Logger) {
        self.provider = provider
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    /// The stored usage; nil if there is none.
    func usage() async throws -> DailyUsage? { try await store.usage(provider: provider) }

    /// Counts a request, together with the day's earlier ones that could not be stored. Those of other days no longer matter.
    /// - Returns: The stored usage afterwards; nil if the store is unavailable or the task is cancelled.
    func count(_ usage: DailyUsage) async -> DailyUsage? {
        let requests = unsaved.withLockedValue { unsaved in
            defer { unsaved = DailyUsage(day: usage.day, used: 0) }
            return 1 + (unsaved.day == usage.day ? unsaved.used : 0)
        }
        do {
            return try await store.add(requests, on: usage.day, provider: provider)
        } catch {
            if !(error is CancellationError) {
                logger.warning("daily budget not saved", metadata: ["provider": "\(provider)", "error": "\(error)"])
            }
            storeLater(requests, on: usage.day)
            return nil
        }
    }

    /// Removes a request from the count.
    /// - Returns: The stored usage afterwards; nil if the store is unavailable.
    func uncount(_ usage: DailyUsage) async -> DailyUsage? {
        do {
            return try await store.add(-1, on: usage.day, provider: provider)
        } catch {
            storeLater(-1, on: usage.day)
            return nil
        }
    }

    private func storeLater(_ requests: Int, on day: String) {
        unsaved.withLockedValue { if $0.day == day { $0.used += requests } }
    }

    /// Subtracts requests from the day's count, at most as many as it contains.
    /// - Returns: The stored usage afterwards.
    func allowMore(_ requests: Int, on day: String) async throws -> DailyUsage {
        try await store.add(-requests, on: day, provider: provider)
    }

    /// Reserves the next turn.
    /// - Returns: Nil if the store is unavailable.
    func reserveTurn(spacing: Duration) async -> MonotonicInstant? {
        do {
            return try await store.reserveTurn(provider: provider, spacing: spacing, clock: clock)
        } catch {
            logger.debug("turn not reserved", metadata: ["provider": "\(provider)", "error": "\(error)"])
            return nil
        }
    }
}

/// Storage that is shared by the budgets of several processes and outlives them. It contains each provider's daily count and the time of its next
/// request. The worker keeps it in its cache database.
package protocol BudgetStore: Sendable {
    /// The last stored usage of a provider; nil if there is none.
    func usage(provider: String) async throws -> DailyUsage?

    /// Adds requests to a day's count, or subtracts them if `count` is negative, but at most as many as the count contains. Returns the stored usage
    /// afterwards, which is for a later day if another process has already counted a request for that day.
    func add(_ count: Int, on day: String, provider: String) async throws -> DailyUsage

    /// Reserves the provider's next turn: now or, if later, `spacing` after the last turn reserved by any process.
    ///
    /// `clock` is read while no other process can reserve a turn. Otherwise, a slow store would return turns whose times passed while the callers
    /// were waiting for the store, and all of those requests would be sent at once.
    func reserveTurn(provider: String, spacing: Duration, clock: any SuiteClock) async throws -> MonotonicInstant
}
