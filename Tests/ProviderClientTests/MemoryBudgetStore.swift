import Foundation
import NIOConcurrencyHelpers
import Observability
import ProviderClient
import TestSupport

/// An in-memory store shared by budgets.
final class MemoryBudgetStore: BudgetStore {
    private struct State: Sendable {
        var usages: [String: DailyUsage] = [:]
        var turns: [String: MonotonicInstant] = [:]
        var reserved: [MonotonicInstant] = []
        var isRefusing = false
        var stall: Stall?
        var stalled: [CheckedContinuation<Void, Never>] = []
    }

    /// The point at which a reservation stalls.
    enum Stall: Hashable, CaseIterable { case beforeWriting, beforeAnswering }

    struct Refusal: Error {}

    private let state = NIOLockedValueBox(State())

    /// The reserved turns, in order.
    var reservedTurns: [MonotonicInstant] { state.withLockedValue(\.reserved) }

    /// Sets whether the store refuses additions and reservations from now on.
    func refuses(_ isRefusing: Bool) { state.withLockedValue { $0.isRefusing = isRefusing } }

    /// Makes reservations wait at this point; nil lets them continue.
    func stalls(_ stall: Stall?) {
        let stalled = state.withLockedValue { state in
            state.stall = stall
            defer { if stall == nil { state.stalled = [] } }
            return stall == nil ? state.stalled : []
        }
        for reservation in stalled { reservation.resume() }
    }

    /// Returns once `count` reservations are waiting.
    func stalledReservations(_ count: Int) async throws {
        try await until { state.withLockedValue({ $0.stalled.count }) >= count }
    }

    private func wait(at stall: Stall) async {
        await withCheckedContinuation { reservation in
            let waits = state.withLockedValue { state in
                if state.stall == stall { state.stalled.append(reservation) }
                return state.stall == stall
            }
            if !waits { reservation.resume() }
        }
    }

    func usage(provider: String) async throws -> DailyUsage? { state.withLockedValue { $0.usages[provider] } }

    func add(_ count: Int, on day: String, provider: String) async throws -> DailyUsage {
        try state.withLockedValue { state in
            if state.isRefusing { throw Refusal() }
            let used = state.usages[provider].flatMap { $0.day == day ? $0.used : nil } ?? 0
            let usage = DailyUsage(day: day, used: max(0, used + count))
            state.usages[provider] = usage
            return usage
        }
    }

    func reserveTurn(provider: String, spacing: Duration, clock: any SuiteClock) async throws -> MonotonicInstant {
        await wait(at: .beforeWriting)
        let turn = try state.withLockedValue { state in
            if state.isRefusing { throw Refusal() }
            let turn = max(clock.now, state.turns[provider] ?? clock.now)
            state.turns[provider] = turn.advanced(by: spacing)
            state.reserved.append(turn)
            return turn
        }
        await wait(at: .beforeAnswering)
        return turn
    }
}
