import BookstrackContract
import JSONRPC
import Observability
import ProviderClient
import ServiceKit
import SuiteMethods
import Transfer

/// The worker's readiness. If the host or a provider is unavailable, the worker still serves what it can (Services/README.md "When a process is
/// down").
struct WorkerStatus: Sendable {
    let host: RPCClient
    let providers: [ProviderClient]
    let health: HealthReporter
    /// The engines that read photos.
    let engines: [Engine]
    /// Reports which engines are reachable.
    let watch: EngineWatch

    /// Whether an engine that reads photos is available or, if none is, whether a used-up daily budget or quota is the reason.
    var photos: PhotoReadiness {
        let usable = engines.filter { $0.client.isPresent && watch.fault(of: $0.name) == nil }
        let snapshots = usable.map(\.client.snapshot)
        let reachable = snapshots.filter { if case .open = $0.breaker { false } else { true } }
        if reachable.contains(where: { $0.budget.leftToday != 0 }) { return .available }
        return snapshots.contains(where: \.isQuotaExhausted) ? .quotaExhausted : .unavailable
    }

    /// Checks the connection to progress-host and the state of each provider.
    func readiness() -> ReadinessReport {
        reportHost()
        for provider in providers {
            if provider.isPresent { report(provider.snapshot) } else { health.withdraw(provider.name) }
        }
        return health.readiness
    }

    /// The figures of all providers that are present.
    func figures(at clock: any SuiteClock) -> [ProviderFigure] {
        let (now, reset) = (clock.now, DailyBudget.timeToReset(from: clock.date))
        return providers.filter(\.isPresent).map { provider in
            var figure = ProviderFigure(provider.snapshot, now: now)
            if figure.dailyBudget != nil { figure.resetsInMilliseconds = Int(reset / .milliseconds(1)) }
            if let engine = engines.first(where: { $0.client === provider }) {
                figure.model = engine.model
                figure.fault = watch.fault(of: engine.name)
            }
            return figure
        }
    }

    /// Reports the connection to progress-host. Must be called whenever it is established or lost.
    func reportHost() {
        if host.isConnected {
            health.report("progress-host", .ready, reason: "connected")
        } else {
            health.report("progress-host", .degraded, reason: "no connection; finished items are kept")
        }
    }

    private func report(_ snapshot: ProviderSnapshot) {
        let reason: String? =
            if let fault = EngineName(rawValue: snapshot.provider).flatMap(watch.fault) {
                fault
            } else if snapshot.budget.leftToday == 0 {
                "the day's budget is used up"
            } else {
                snapshot.breaker.trouble
            }
        health.report(snapshot.provider, reason == nil ? .ready : .degraded, reason: reason ?? "answers")
    }
}

extension ProviderSnapshot {
    /// Whether our daily budget or the provider's own quota is used up.
    fileprivate var isQuotaExhausted: Bool {
        if case .open(_, .quota) = breaker { true } else { budget.leftToday == 0 }
    }
}

extension BreakerStatus {
    /// Why the provider is degraded; nil while the breaker is closed.
    var trouble: String? {
        switch self {
        case .closed: nil
        case .open(_, .refusal(let refusal)), .halfOpen(.refusal(let refusal)):
            "it \(refusal.statement); correct \(refusal.setting)"
        case .open: "the circuit breaker is open"
        case .halfOpen: "the circuit breaker is half-open"
        }
    }
}

/// Checks whether each provider is reachable. Concurrent callers share one round, so they cause at most one probe of a provider at a time.
actor ProviderProbes {
    private let providers: [ProviderClient]
    private var round: Task<[ProbeProviders.Probe], Never>?

    init(providers: [ProviderClient]) { self.providers = providers }

    /// The outcome of each probe, in the order of the providers.
    func run() async -> [ProbeProviders.Probe] {
        if let round { return await round.value }
        let round = Task { [providers] in await Self.ask(providers) }
        self.round = round
        let probes = await round.value
        self.round = nil
        return probes
    }

    private static func ask(_ providers: [ProviderClient]) async -> [ProbeProviders.Probe] {
        await withTaskGroup { group in
            for (place, provider) in providers.enumerated() where provider.isPresent {
                group.addTask { (place, ProbeProviders.Probe(await provider.probe())) }
            }
            var probes: [(place: Int, probe: ProbeProviders.Probe)] = []
            for await probe in group { probes.append(probe) }
            return probes.sorted { $0.place < $1.place }.map(\.probe)
        }
    }
}

extension ProbeProviders.Probe {
    fileprivate init(_ probe: ProviderProbe) {
        self.init(
            provider: probe.provider, address: probe.address, milliseconds: Int(probe.duration / .milliseconds(1)),
            status: try? probe.outcome.get(), failure: nil)
        guard case .failure(let error) = probe.outcome else { return }
        failure = error.words
        if case .connectionFailed(let fault, _) = error { cause = fault.rawValue }
    }
}

extension TransferError {
    /// The failure as a clause for operators.
    var words: String {
        switch self {
        case .connectionFailed(let fault, let reason): "\(fault.words) (\(reason))"
        case .malformedAnswer(let reason), .invalidRequest(let reason): reason
        case .timedOut(.connect): "the connection was not established in time"
        case .timedOut(.firstByte): "it did not respond in time"
        case .timedOut(.total): "its response was not complete in time"
        case .privateAddress: "its host has a private address"
        case .tooLarge: "its response is too large"
        case .saturated: "enrichment-worker is sending too many requests"
        case .cancelled: "the request was cancelled"
        case .stopped: "enrichment-worker is not sending requests"
        }
    }
}

/// Collects the worker's figures for operators, from memory and the cache database.
struct WorkerFigureReader: Sendable {
    let worker: Worker
    let providers: [ProviderClient]
    let cache: ProviderCache
    let policy: WorkerPolicy
    let clock: any SuiteClock

    /// - Throws: SQLite's errors from the cache.
    func figures() async throws -> WorkerFigures {
        let uses = cache.uses
        for provider in providers { await provider.budget.refresh() }
        return WorkerFigures(
            held: QueueFigure(length: worker.leased.count, limit: policy.leasedItems),
            outbox: QueueFigure(length: worker.outbox.count, limit: policy.outcomes),
            waitingCallers: worker.scheduler.waiting,
            providers: worker.status.figures(at: clock),
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
        dailyBudget = snapshot.budget.perDay
        key = snapshot.isKeyReplaced ? .operator : snapshot.hasKey ? .settings : nil
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
