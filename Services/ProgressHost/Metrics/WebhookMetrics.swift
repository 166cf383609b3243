import Observability

/// Metrics of webhooks.
struct WebhookMetrics: Sendable {
    /// The outcome of an attempt to send a webhook.
    enum Outcome: String, MetricLabel, CaseIterable {
        static var labelName: String { "outcome" }

        case delivered
        case failed
        /// The last try failed, too. Counted in addition to it.
        case abandoned
    }

    private let tries: Labelled<Outcome, Counter>
    private let waiting: Gauge

    init(_ registry: MetricRegistry) {
        tries = registry.counters(
            "bookstrack_webhooks_total",
            help: "Tries to send a webhook, by outcome, and webhooks that were abandoned after the last one.",
            by: Outcome.self)
        waiting = registry.gauge("bookstrack_webhooks_waiting", help: "Webhooks that have not been delivered yet.")
        tries.showAll()
    }

    func count(_ tally: TurnTally) {
        for outcome in tally.webhooks { tries[outcome].add() }
    }

    func show(_ engine: JobEngine) { waiting.set(engine.webhooks.waiting.count) }
}
