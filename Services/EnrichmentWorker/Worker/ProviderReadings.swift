import JSONRPC
import Observability
import ProviderClient
import ServiceKit
import SuiteMethods

/// The figures of providers at one point in time, as metric families.
struct ProviderReadings {
    private let providers: [(labels: [Sample.Label], snapshot: ProviderSnapshot)]

    init(_ clients: [ProviderClient]) {
        providers = clients.filter(\.isPresent).map(\.snapshot).map { ([Sample.Label("provider", $0.provider)], $0) }
    }

    /// Finished calls by provider and outcome; every outcome is exposed from the start.
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
            help: "Duration of a call, including retries and waits for a turn, by provider and outcome.",
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
                .counter, "bookstrack_provider_requests_total",
                "Requests sent, including retries and redirects."
            ) { $0.requests },
            family(.gauge, "bookstrack_provider_calls_in_flight", "Calls in progress.") { $0.inFlight },
        ]
    }

    var breakers: MetricFamily {
        MetricFamily(
            .gauge, "bookstrack_provider_breaker_state",
            help: "1 for the circuit breaker's current state, 0 for the others.",
            providers.flatMap { labels, snapshot in
                let state = BreakerLabel(snapshot.breaker)
                return BreakerLabel.allCases.map { (labels: labels + $0.pairs, value: $0 == state ? 1.0 : 0.0) }
            })
    }

    var budgets: [MetricFamily] {
        [
            family(.gauge, "bookstrack_provider_budget_remaining", "Requests left today, if there is a daily budget.") {
                $0.budget.leftToday
            },
            family(.gauge, "bookstrack_provider_budget_waiting", "Requests waiting for their turn.") {
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

/// The state of a circuit breaker.
enum BreakerLabel: String, MetricLabel {
    case closed, open
    case halfOpen = "half_open"

    static let labelName = "state"

    init(_ status: BreakerStatus) {
        self =
            switch status {
            case .closed: .closed
            case .open: .open
            case .halfOpen: .halfOpen
            }
    }
}

extension MetricRegistry {
    /// Declares metrics that are read from the worker.
    func declare(_ worker: Worker) {
        families("bookstrack_items_in_hand", "bookstrack_outbox_outcomes", "bookstrack_questions_waiting") {
            [
                MetricFamily(
                    .gauge, "bookstrack_items_in_hand", help: "Claimed items without a confirmed outcome, by class.",
                    worker.leased.countPerClass.map { (labels: $0.workClass.pairs, value: Double($0.count)) }),
                MetricFamily(
                    .gauge, "bookstrack_outbox_outcomes", help: "Outcomes not yet confirmed by progress-host.",
                    value: Double(worker.outbox.count)),
                MetricFamily(
                    .gauge, "bookstrack_questions_waiting", help: "Callers waiting for an answer to a provider query.",
                    value: Double(worker.scheduler.waiting)),
            ]
        }
        gauge("bookstrack_files_in_hand", help: "Library files being read, or waiting for a model.") {
            Double(worker.readings.count)
        }
        declarePeers { [host = worker.host] in [(.progressHost, host.isConnected)] }
    }

    /// Declares metrics about the calls, breakers and budgets of providers and cover hosts.
    func declare(_ clients: [ProviderClient]) {
        families(
            "bookstrack_provider_calls_total", "bookstrack_provider_call_duration_seconds",
            "bookstrack_provider_requests_total",
            "bookstrack_provider_calls_in_flight", "bookstrack_provider_breaker_state",
            "bookstrack_provider_budget_remaining", "bookstrack_provider_budget_waiting"
        ) {
            let table = ProviderReadings(clients)
            return [table.calls, table.durations] + table.traffic + [table.breakers] + table.budgets
        }
    }
}
