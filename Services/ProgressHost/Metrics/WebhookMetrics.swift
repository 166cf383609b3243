import Observability

/// Counters of attempts to send webhooks, and a gauge of undelivered webhooks.
struct WebhookMetrics: Sendable {
    /// The outcome of an attempt to send a webhook.
    enum Outcome: String, MetricLabel, CaseIterable {
        static var labelName: String { "outcome" }

        case delivered
        case failed
        /// The last attempt failed too. This is counted in addition to that attempt.
        case abandoned
    }

    private let tries: Labeled<Outcome, Counter>
    private let waiting: Gauge

    init(_ registry: MetricRegistry) {
        tries = registry.counters(
            "bookstrack_webhooks_total",
            help: "Attempts to deliver a webhook, by outcome, and webhooks abandoned after the last attempt.",
            by: Outcome.self)
        waiting = registry.gauge("bookstrack_webhooks_waiting", help: "Webhooks not yet delivered.")
        tries.showAll()
    }

    func count(_ tally: TurnTally) {
        for outcome in tally.webhooks { tries[outcome].add() }
    }

    func show(_ engine: JobEngine) { waiting.set(engine.webhooks.waiting.count) }
}
