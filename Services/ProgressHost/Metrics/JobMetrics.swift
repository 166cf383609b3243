import BookstrackContract
import Observability
import SuiteMethods

/// What is counted of jobs, their items and their events.
struct JobMetrics: Sendable {
    private let created: Labelled<Pipeline, Counter>
    private let ended: Labelled<JobLabels, Histogram>
    private let open: Labelled<JobLabels, Gauge>
    private let items: Labelled<ItemLabels, Counter>
    private let failures: Labelled<ItemErrorCode, Counter>
    private let ages: Labelled<Pipeline, Histogram>
    private let leased: Histogram
    private let retries: Counter
    private let later: Labelled<ItemFate, Counter>
    private let openItems: Gauge
    private let leases: Gauge
    private let workers: Gauge
    private let sessions: Gauge
    private let drafts: Gauge
    private let events: Labelled<EventKind, Counter>
    private let deliveries: Labelled<SocketDelivery.Kind, Counter>
    private let unknownMessages = Gauge()

    init(_ registry: MetricRegistry) {
        created = registry.counters(
            "bookstrack_jobs_created_total", help: "Jobs that were accepted.", by: Pipeline.self)
        ended = registry.histograms(
            "bookstrack_job_duration_seconds", help: "Time from a job's acceptance to its end, by how it ended.",
            by: JobLabels.self, .patience)
        open = registry.gauges("bookstrack_jobs_open", help: "Jobs that have not ended.", by: JobLabels.self)
        items = registry.counters(
            "bookstrack_items_total", help: "Items that got their outcome.", by: ItemLabels.self)
        failures = registry.counters(
            "bookstrack_item_failures_total", help: "Items that got no result, by why.", by: ItemErrorCode.self)
        ages = registry.histograms(
            "bookstrack_item_duration_seconds",
            help: "Time from a job's acceptance to the recorded outcome of each of its items.", by: Pipeline.self,
            .patience)
        leased = registry.histogram(
            "bookstrack_item_lease_duration_seconds", help: "Time from an item's claim to its recorded outcome.",
            .patience)
        retries = registry.counter(
            "bookstrack_item_retries_total", help: "Failed attempts that are repeated within the job.")
        later = registry.counters(
            "bookstrack_later_items_total", help: "Follow-ups and background retries that came back, by outcome.",
            by: ItemFate.self)
        openItems = registry.gauge("bookstrack_items_open", help: "Items of open jobs that have no outcome.")
        leases = registry.gauge("bookstrack_items_leased", help: "Items that workers hold.")
        workers = registry.gauge("bookstrack_workers_attached", help: "Workers that claim items.")
        sessions = registry.gauge("bookstrack_sessions_open", help: "Sockets that progress-host knows.")
        drafts = registry.gauge("bookstrack_drafts_open", help: "Jobs whose items are still arriving.")
        events = registry.counters(
            "bookstrack_events_total", help: "Job events that were stored, by kind.", by: EventKind.self)
        deliveries = registry.counters(
            "bookstrack_deliveries_total", help: "Frames handed to api-proxy, one for each socket, by kind.",
            by: SocketDelivery.Kind.self)
        registry.counter(
            "bookstrack_unknown_messages_total", help: "Messages of clients that nobody understands."
        ) { [unknownMessages] in unknownMessages.value }
        showFromTheStart()
    }

    /// What has to show before anything has happened, so that its first event counts.
    private func showFromTheStart() {
        _ = created[.batchEnrichment]
        _ = ages[.batchEnrichment]
        for status in [JobStatus.completed, .failed, .cancelled] { _ = ended[JobLabels(.batchEnrichment, status)] }
        for status in [JobStatus.pending, .processing] { _ = open[JobLabels(.batchEnrichment, status)] }
        for fate in ItemFate.allCases { _ = items[ItemLabels(.batchEnrichment, fate)] }
        failures.showAll()
        events.showAll()
        deliveries.showAll()
        for fate in [ItemFate.succeeded, .failed] { _ = later[fate] }
    }
}

extension JobMetrics {
    func count(_ tally: TurnTally) {
        for pipeline in tally.created { created[pipeline].add() }
        for job in tally.ended { ended[JobLabels(job.pipeline, job.status)].observe(job.duration) }
        for item in tally.items {
            items[ItemLabels(item.pipeline, item.errorCode == nil ? .succeeded : .failed)].add()
            if let code = item.errorCode { failures[code].add() }
            ages[item.pipeline].observe(item.age)
            if let time = item.leased { leased.observe(time) }
        }
        for rest in tally.rests {
            items[ItemLabels(rest.pipeline, rest.fate)].add(rest.count)
            failures[rest.errorCode].add(rest.count)
        }
        retries.add(tally.retries)
        later[.succeeded].add(tally.later.succeeded)
        later[.failed].add(tally.later.failed)
        for kind in tally.events { events[kind].add() }
        for delivery in tally.deliveries { deliveries[delivery.kind].add(delivery.sockets) }
    }

    /// Shows how much is open now; nothing is counted for it.
    func show(_ engine: JobEngine) {
        for (labels, gauge) in open.occurred { gauge.set(engine.openWork.jobs[labels.place]) }
        openItems.set(engine.openWork.items)
        leases.set(engine.leases.count)
        workers.set(engine.workers.count)
        sessions.set(engine.sessions.count)
        drafts.set(engine.drafts.count)
        unknownMessages.set(engine.unknownMessages)
    }
}
