import Observability

/// What progress-host measures.
struct HostMetrics: Sendable {
    let engine: EngineMetrics
    private let jobs: JobMetrics
    private let items: ItemMetrics
    private let peers: PeerMetrics

    init(_ registry: MetricRegistry) {
        jobs = JobMetrics(registry)
        items = ItemMetrics(registry)
        peers = PeerMetrics(registry)
        engine = EngineMetrics(registry)
    }

    /// Counts a turn that is committed.
    func count(_ tally: TurnTally) {
        jobs.count(tally)
        items.count(tally)
        peers.count(tally)
    }

    /// Shows how much there is in the engine now; nothing is walked for it.
    func show(_ engine: JobEngine) {
        jobs.show(engine)
        items.show(engine)
        peers.show(engine)
    }
}
