import Observability

/// What progress-host measures.
struct HostMetrics: Sendable {
    let jobs: JobMetrics
    let engine: EngineMetrics

    init(_ registry: MetricRegistry) {
        jobs = JobMetrics(registry)
        engine = EngineMetrics(registry)
    }

    /// Counts a turn that is committed, and shows the engine as it is after it.
    func keep(_ tally: TurnTally, _ state: JobEngine) {
        jobs.count(tally)
        jobs.show(state)
    }
}
