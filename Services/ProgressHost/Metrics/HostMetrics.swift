import BookstrackContract
import Observability
import SuiteMethods

/// The metrics of progress-host.
struct HostMetrics: Sendable {
    let engine: EngineMetrics
    private let jobs: JobMetrics
    private let items: ItemMetrics
    let imports: ImportMetrics
    let quality: QualityMetrics
    private let webhooks: WebhookMetrics
    private let peers: PeerMetrics

    init(_ registry: MetricRegistry) {
        jobs = JobMetrics(registry)
        items = ItemMetrics(registry)
        imports = ImportMetrics(registry)
        quality = QualityMetrics(registry)
        webhooks = WebhookMetrics(registry)
        peers = PeerMetrics(registry)
        engine = EngineMetrics(registry)
    }

    /// Counts what happened in a committed turn.
    func count(_ tally: TurnTally) {
        jobs.count(tally)
        items.count(tally)
        imports.count(tally)
        webhooks.count(tally)
        peers.count(tally)
    }

    /// Updates the gauges from the engine's counters, without scanning all open jobs.
    func show(_ engine: JobEngine) {
        jobs.show(engine)
        items.show(engine)
        imports.show(engine)
        quality.show(engine.rollups)
        webhooks.show(engine)
        peers.show(engine)
    }
}

/// The labels of open and ended jobs.
typealias JobLabels = LabelPair<Pipeline, JobStatus>

/// The labels of accepted jobs.
typealias StartLabels = LabelPair<Pipeline, JobSource>

/// The labels of items that have an outcome.
typealias ItemLabels = LabelPair<Pipeline, ItemOutcomeLabel>

extension Pipeline: MetricLabel {
    static var labelName: String { "pipeline" }
}

extension JobStatus: MetricLabel {
    static var labelName: String { "status" }
}

extension JobSource: MetricLabel {
    static var labelName: String { "source" }
}

extension ItemErrorCode: MetricLabel {
    static var labelName: String { "code" }
}

extension EventKind: MetricLabel {
    static var labelName: String { "kind" }
}

/// Metrics of workers, sockets, job events and messages.
struct PeerMetrics: Sendable {
    private let workers: Gauge
    private let sessions: Gauge
    private let events: Labeled<EventKind, Counter>
    private let deliveries: Labeled<SocketDelivery.Kind, Counter>
    private let unknownMessages = Gauge()

    init(_ registry: MetricRegistry) {
        workers = registry.gauge("bookstrack_workers_attached", help: "Attached workers.")
        sessions = registry.gauge(
            "bookstrack_sessions_open",
            help: "Open WebSockets, event streams and long polls registered with progress-host.")
        events = registry.counters(
            "bookstrack_events_total", help: "Stored job events, by kind.", by: EventKind.self)
        deliveries = registry.counters(
            "bookstrack_deliveries_total", help: "Frames sent to api-proxy, counted per socket, by kind.",
            by: SocketDelivery.Kind.self)
        registry.counter(
            "bookstrack_unknown_messages_total", help: "Client messages with an unknown type, action or `seq`."
        ) { [unknownMessages] in unknownMessages.value }
        events.showAll()
        deliveries.showAll()
    }

    func count(_ tally: TurnTally) {
        for kind in tally.events { events[kind].add() }
        for delivery in tally.deliveries { deliveries[delivery.kind].add(delivery.sockets) }
    }

    func show(_ engine: JobEngine) {
        workers.set(engine.work.workerCount)
        sessions.set(engine.streams.count)
        unknownMessages.set(engine.connections.unknownMessages)
    }
}
