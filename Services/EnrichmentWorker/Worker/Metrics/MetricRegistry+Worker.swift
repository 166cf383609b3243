import Observability
import ProviderHTTP
import ServiceKit
import SuiteMethods

extension MetricRegistry {
    /// Declares what the worker has in hand.
    func declare(_ worker: Worker) {
        families("bookstrack_items_in_hand", "bookstrack_outbox_outcomes", "bookstrack_questions_waiting") {
            [
                MetricFamily(
                    .gauge, "bookstrack_items_in_hand", help: "Items that the worker holds, by class.",
                    worker.held.countPerClass.map { (labels: $0.workClass.pairs, value: Double($0.count)) }),
                MetricFamily(
                    .gauge, "bookstrack_outbox_outcomes", help: "Outcomes that progress-host has not confirmed.",
                    value: Double(worker.outbox.count)),
                MetricFamily(
                    .gauge, "bookstrack_questions_waiting", help: "Look-ups and searches that wait for an answer.",
                    value: Double(worker.desk.waiting)),
            ]
        }
        declarePeers { [host = worker.host] in [(.progressHost, host)] }
    }

    /// Declares the calls, the breakers and the budgets of providers and of the hosts of covers.
    func declare(_ clients: [ProviderClient]) {
        families(
            "bookstrack_provider_calls_total", "bookstrack_provider_call_duration_seconds",
            "bookstrack_provider_calls_joined_total", "bookstrack_provider_requests_total",
            "bookstrack_provider_calls_in_flight", "bookstrack_provider_breaker_state",
            "bookstrack_provider_budget_remaining", "bookstrack_provider_budget_waiting"
        ) {
            let table = ProviderReadings(clients)
            return [table.calls, table.durations] + table.traffic + [table.breakers] + table.budgets
        }
    }
}
