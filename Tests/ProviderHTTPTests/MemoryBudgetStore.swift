import Foundation
import NIOConcurrencyHelpers
import ProviderHTTP

/// What budgets share, in memory.
final class MemoryBudgetStore: BudgetStore {
    private struct State: Sendable {
        var usages: [String: DailyUsage] = [:]
        var turns: [String: Date] = [:]
        var isRefusing = false
    }

    struct Refusal: Error {}

    private let state = NIOLockedValueBox(State())

    /// Whether everything is refused from now on.
    func refuses(_ isRefusing: Bool) { state.withLockedValue { $0.isRefusing = isRefusing } }

    func usage(provider: String) async throws -> DailyUsage? { state.withLockedValue { $0.usages[provider] } }

    func add(_ count: Int, on day: String, provider: String) async throws -> DailyUsage {
        try state.withLockedValue { state in
            if state.isRefusing { throw Refusal() }
            let used = state.usages[provider].flatMap { $0.day == day ? $0.used : nil } ?? 0
            let usage = DailyUsage(day: day, used: used + count)
            state.usages[provider] = usage
            return usage
        }
    }

    func reserveTurn(provider: String, at date: Date, spacing: Duration) async throws -> Date {
        try state.withLockedValue { state in
            if state.isRefusing { throw Refusal() }
            let turn = max(date, state.turns[provider] ?? date)
            state.turns[provider] = turn + spacing / .seconds(1)
            return turn
        }
    }
}
