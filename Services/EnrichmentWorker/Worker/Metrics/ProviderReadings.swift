import Observability
import ProviderHTTP

/// The figures of all providers at one moment, as families.
struct ProviderReadings {
    private let providers: [(labels: [Sample.Label], snapshot: ProviderSnapshot)]

    init(_ clients: [ProviderClient]) {
        providers = clients.map(\.snapshot).map { ([Sample.Label("provider", $0.provider)], $0) }
    }

    /// Every outcome shows from the start.
    var calls: MetricFamily {
        MetricFamily(
            .counter, "bookstrack_provider_calls_total", help: "Finished calls, by provider and outcome.",
            providers.flatMap { labels, snapshot in
                ProviderOutcome.allCases.map { outcome in
                    (labels: labels + outcome.pairs, value: Double(snapshot.calls[outcome] ?? 0))
                }
            })
    }

    var durations: MetricFamily {
        MetricFamily(
            "bookstrack_provider_call_duration_seconds",
            help: "Time of a call with its retries and its waits for a turn, by provider and outcome.",
            kind: .histogram,
            bounds: ProviderClient.durationBounds.shown,
            samples: providers.flatMap { labels, snapshot in
                ProviderOutcome.allCases.compactMap { outcome in
                    snapshot.durations[outcome].map { Sample(labels: labels + outcome.pairs, .distribution($0)) }
                }
            })
    }

    var traffic: [MetricFamily] {
        [
            family(
                .counter, "bookstrack_provider_calls_joined_total", "Calls that shared another one's result."
            ) { $0.joined },
            family(
                .counter, "bookstrack_provider_requests_total",
                "Requests that were sent, retries and redirects included."
            ) { $0.requests },
            family(.gauge, "bookstrack_provider_calls_in_flight", "Calls under way.") { $0.inFlight },
        ]
    }

    var breakers: MetricFamily {
        MetricFamily(
            .gauge, "bookstrack_provider_breaker_state",
            help: "1 for the state that the circuit breaker is in, 0 for the others.",
            providers.flatMap { labels, snapshot in
                let state = BreakerLabel(snapshot.breaker)
                return BreakerLabel.allCases.map { (labels: labels + $0.pairs, value: $0 == state ? 1.0 : 0.0) }
            })
    }

    var budgets: [MetricFamily] {
        [
            family(.gauge, "bookstrack_provider_budget_remaining", "Requests left today, where the day has a budget.") {
                $0.budget.leftToday
            },
            family(.gauge, "bookstrack_provider_budget_waiting", "Requests that wait for their turn.") {
                $0.budget.waiting
            },
        ]
    }

    private func family(
        _ kind: MetricFamily.Kind, _ name: MetricName, _ help: String, _ value: (ProviderSnapshot) -> Int?
    ) -> MetricFamily {
        MetricFamily(
            kind, name, help: help,
            providers.compactMap { labels, snapshot in
                value(snapshot).map { (labels: labels, value: Double($0)) }
            })
    }
}
