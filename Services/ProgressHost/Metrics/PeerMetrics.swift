import Observability
import SuiteMethods

/// What is counted of those that the engine talks to, and of what it says to them.
struct PeerMetrics: Sendable {
    private let workers: Gauge
    private let sessions: Gauge
    private let events: Labelled<EventKind, Counter>
    private let deliveries: Labelled<SocketDelivery.Kind, Counter>
    private let unknownMessages = Gauge()

    init(_ registry: MetricRegistry) {
        workers = registry.gauge("bookstrack_workers_attached", help: "Workers that claim items.")
        sessions = registry.gauge("bookstrack_sessions_open", help: "Sockets that progress-host knows.")
        events = registry.counters(
            "bookstrack_events_total", help: "Job events that were stored, by kind.", by: EventKind.self)
        deliveries = registry.counters(
            "bookstrack_deliveries_total", help: "Frames handed to api-proxy, one for each socket, by kind.",
            by: SocketDelivery.Kind.self)
        registry.counter(
            "bookstrack_unknown_messages_total", help: "Messages of clients that nobody understands."
        ) { [unknownMessages] in unknownMessages.value }
        events.showAll()
        deliveries.showAll()
    }

    func count(_ tally: TurnTally) {
        for kind in tally.events { events[kind].add() }
        for delivery in tally.deliveries { deliveries[delivery.kind].add(delivery.sockets) }
    }

    func show(_ engine: JobEngine) {
        workers.set(engine.workers.count)
        sessions.set(engine.sessions.count)
        unknownMessages.set(engine.unknownMessages)
    }
}
