import BookstrackContract
import GRDB
import JSONRPC
import NIOConcurrencyHelpers
import Observability
import ServiceKit
import SuiteMethods
import SuiteStorage

/// The behavior of progress-host while its database cannot be opened (jobs.md "Durability"): it reports the reason as its readiness, refuses all
/// requests about jobs, and keeps retrying.
struct StorageOutage: Sendable {
    private let health: HealthReporter
    private let currentReason: NIOLockedValueBox<String>

    /// Records the reason for an outage; nil for an error that waiting does not resolve, for example if another process owns the database or the
    /// schema is too new.
    init?(_ error: any Error, health: HealthReporter) {
        guard let reason = Self.reason(error) else { return nil }
        self.health = health
        currentReason = NIOLockedValueBox(reason)
        note(reason)
    }

    /// The reason, in words.
    var reason: String { currentReason.withLockedValue { $0 } }

    /// A router that answers health checks and status requests with the reason, serves tails, metrics and settings, and refuses all other methods.
    func router(
        tail: TailHub, metrics: ServerMetrics, settings: [ReadSettings.Setting] = []
    ) -> RPCRouter {
        var router = RPCRouter()
        for name in MethodList.names(answeredBy: .progressHost) {
            router.handleRaw(name) { [currentReason] _, _ in
                throw HostFailure.storage(currentReason.withLockedValue { $0 }).rpc
            }
        }
        router.answerHealthChecks(of: .progressHost, from: health)
        router.answerTail(of: .progressHost, from: tail)
        router.answerMetrics(from: metrics)
        router.answerSettings(of: .progressHost, settings)
        router.handle(ReadStatus.self) { [health] _, _ in
            ReadStatus.Result(of: .progressHost, health, health.readiness)
        }
        return router
    }

    /// Calls `open` after each `pause` until it succeeds. Throws errors that waiting does not resolve, and errors from `pause`.
    func over(pause: () async throws -> Void, open: () throws -> JobDatabase) async throws -> JobDatabase {
        while true {
            try await pause()
            do {
                return try open()
            } catch {
                guard let reason = Self.reason(error) else { throw error }
                note(reason)
            }
        }
    }

    private func note(_ reason: String) {
        currentReason.withLockedValue { $0 = reason }
        health.report("storage", .unavailable, reason: reason)
    }

    private static func reason(_ error: any Error) -> String? {
        switch error {
        case let error as DatabaseError: error.storageReason
        case OwnerLock.Refusal.failed: "\(error)"
        default: nil
        }
    }
}
