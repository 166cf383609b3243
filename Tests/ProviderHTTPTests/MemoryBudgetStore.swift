import NIOConcurrencyHelpers
import ProviderHTTP

/// A store that keeps the larger count of a day, as the protocol asks.
final class MemoryBudgetStore: DailyBudgetStore {
    private let saved = NIOLockedValueBox<[String: DailyUsage]>([:])

    func usage(provider: String) async throws -> DailyUsage? { saved.withLockedValue { $0[provider] } }

    func save(_ usage: DailyUsage, provider: String) async throws {
        saved.withLockedValue { saved in
            if let old = saved[provider], old.day == usage.day, old.used > usage.used { return }
            saved[provider] = usage
        }
    }
}
