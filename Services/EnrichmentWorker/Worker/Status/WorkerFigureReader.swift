import ProviderHTTP
import SuiteMethods

/// Gathers what operators want to know of the worker, from memory and the cache's page counts.
struct WorkerFigureReader: Sendable {
    let worker: Worker
    let providers: [ProviderClient]
    let cache: ProviderCache
    let policy: WorkerPolicy
    let clock: any ProviderClock

    /// - Throws: what SQLite says of the cache.
    func figures() async throws -> WorkerFigures {
        let uses = cache.uses
        for provider in providers { await provider.refreshBudget() }
        return WorkerFigures(
            held: QueueFigure(length: worker.held.count, limit: policy.firstLookups + policy.laterItems),
            outbox: QueueFigure(length: worker.outbox.count, limit: policy.outcomes), questions: worker.desk.waiting,
            providers: providers.map { ProviderFigure($0.snapshot, now: clock.now) },
            cache: CacheFigure(
                bytes: try await cache.bytesInUse(), limit: cache.limit, hits: uses.hits, staleHits: uses.staleHits,
                misses: uses.misses))
    }
}

extension ProviderFigure {
    fileprivate init(_ snapshot: ProviderSnapshot, now: MonotonicInstant) {
        self.init(
            name: snapshot.provider, requests: snapshot.requests, inFlight: snapshot.inFlight,
            waiting: snapshot.budget.waiting, leftToday: snapshot.budget.leftToday, breaker: .closed)
        pausedForMilliseconds = snapshot.budget.pausedUntil.map { Int(now.duration(to: $0) / .milliseconds(1)) }
        switch snapshot.breaker {
        case .closed: break
        case .open(let until, let cause):
            (breaker, self.cause, refusal) = (.open, cause.code, cause.refusal.map(ProviderFigure.Refusal.init))
            opensForMilliseconds = max(0, Int(now.duration(to: until) / .milliseconds(1)))
        case .halfOpen(let cause):
            (breaker, self.cause, refusal) = (.halfOpen, cause.code, cause.refusal.map(ProviderFigure.Refusal.init))
        }
    }
}

extension ProviderFigure.Refusal {
    fileprivate init(_ refusal: LastingRefusal) {
        self.init(statement: refusal.statement, setting: refusal.setting)
    }
}
