import BookstrackContract
import Observability

/// Metrics of items, such as their outcomes, failures and retries.
struct ItemMetrics: Sendable {
    private let items: Labeled<ItemLabels, Counter>
    private let failures: Labeled<ItemErrorCode, Counter>
    private let ages: Labeled<Pipeline, Histogram>
    private let leased: Histogram
    private let retries: Counter
    private let later: Labeled<ItemOutcomeLabel, Counter>
    private let open: Gauge
    private let leases: Gauge

    init(_ registry: MetricRegistry) {
        items = registry.counters(
            "bookstrack_items_total", help: "Items with a recorded outcome.", by: ItemLabels.self)
        failures = registry.counters(
            "bookstrack_item_failures_total", help: "Items without a result, by reason.", by: ItemErrorCode.self)
        ages = registry.histograms(
            "bookstrack_item_duration_seconds",
            help: "Time from a job's acceptance to the recorded outcome of each item that a worker processed.",
            by: Pipeline.self, .longDurations)
        leased = registry.histogram(
            "bookstrack_item_lease_duration_seconds", help: "Time from an item's claim to its recorded outcome.",
            .longDurations)
        retries = registry.counter(
            "bookstrack_item_retries_total", help: "Failed attempts that were repeated within the job.")
        later = registry.counters(
            "bookstrack_later_items_total", help: "Completed follow-ups and background retries, by outcome.",
            by: ItemOutcomeLabel.self)
        open = registry.gauge("bookstrack_items_open", help: "Items of open jobs without an outcome.")
        leases = registry.gauge("bookstrack_items_leased", help: "Items leased to workers.")
        showFromTheStart()
    }

    /// Creates the series at 0, so their first increase is visible.
    private func showFromTheStart() {
        _ = ages[.batchEnrichment]
        for outcome in ItemOutcomeLabel.allCases { _ = items[ItemLabels(.batchEnrichment, outcome)] }
        for outcome in [ItemOutcomeLabel.succeeded, .failed] { _ = later[outcome] }
        failures.showAll()
    }

    func count(_ tally: TurnTally) {
        for item in tally.items {
            items[ItemLabels(item.pipeline, item.errorCode == nil ? .succeeded : .failed)].add()
            if let code = item.errorCode { failures[code].add() }
            ages[item.pipeline].observe(item.age)
            if let time = item.leased { leased.observe(time) }
        }
        for ended in tally.endedItems {
            items[ItemLabels(ended.pipeline, ended.outcome)].add(ended.count)
            failures[ended.errorCode].add(ended.count)
        }
        retries.add(tally.retries)
        later[.succeeded].add(tally.later.succeeded)
        later[.failed].add(tally.later.failed)
    }

    func show(_ engine: JobEngine) {
        open.set(engine.jobs.openWork.items)
        leases.set(engine.work.leaseCount)
    }
}

/// The outcome of an item, as counted in the metrics.
enum ItemOutcomeLabel: String, MetricLabel {
    case succeeded, failed
    /// Had no outcome when its job was cancelled or failed with the import that the job waited for.
    case skipped

    static let labelName = "outcome"
}
