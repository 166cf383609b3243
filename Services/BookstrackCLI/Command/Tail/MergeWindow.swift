import Observability
import SuiteMethods

/// Sorts the events of several services by time, by delaying each event for a moment. Times of arrival are uptimes of one clock.
///
/// When an event is released after its delay, all delayed events that started earlier are released before it. An event that arrives too late for this
/// is shown out of order, after events that started later.
struct MergeWindow {
    private struct Held {
        let event: ServiceEvent
        let arrival: Duration
    }

    /// The delay; zero keeps the order of arrival.
    let hold: Duration
    /// Maximum number of delayed events; beyond this number, those that arrived first are released early.
    let capacity: Int
    /// Until this time, ``release(at:)`` releases events only if the capacity is exceeded, so the past events of all services are collected first.
    /// Nil to release events from the beginning.
    let settled: Duration?
    /// The delayed events, in the order of arrival.
    private var held: [Held] = []

    init(hold: Duration, capacity: Int = 16_384, settled: Duration? = nil) {
        self.hold = hold
        self.capacity = capacity
        self.settled = settled
    }

    mutating func insert(_ event: ServiceEvent, at now: Duration) {
        held.append(Held(event: event, arrival: now))
    }

    /// When the next event is due; nil if no event is delayed.
    var due: Duration? {
        guard let first = held.first else { return nil }
        return max(first.arrival + hold, settled ?? first.arrival)
    }

    /// Removes the events that are due or exceed the capacity. They are sorted by time or, without a delay, in the order of arrival.
    mutating func release(at now: Duration) -> [ServiceEvent] {
        let excess = max(0, held.count - capacity)
        let isSettled = settled.map { $0 <= now } ?? true
        let waited = isSettled ? held.prefix { $0.arrival + hold <= now }.count : 0
        return release(first: max(excess, waited))
    }

    /// Removes all events, in the order of ``release(at:)``.
    mutating func releaseAll() -> [ServiceEvent] { release(first: held.count) }

    private mutating func release(first count: Int) -> [ServiceEvent] {
        guard let last = held.prefix(count).map(\.event.time).max() else { return [] }
        guard hold > .zero else {
            defer { held.removeFirst(count) }
            return held.prefix(count).map(\.event)
        }
        let released = held.filter { $0.event.time <= last }
        held.removeAll { $0.event.time <= last }
        // Events with equal times stay in the order of their arrival.
        return released.enumerated()
            .sorted { ($0.element.event.time, $0.offset) < ($1.element.event.time, $1.offset) }
            .map(\.element.event)
    }
}

/// An event and its service. Its JSON has the event's members and, in addition, `service`, a worker's name as `worker`, and `dropped` if events
/// were lost.
struct ServiceEvent: Encodable, Equatable {
    let service: ServiceInstance
    let event: TailEvent
    /// How many of the service's events before this one were lost because the tail was too slow.
    var dropped = 0

    /// Start time, in milliseconds since 1970.
    var time: Int64 { event.eventTimestamp }

    private enum CodingKeys: CodingKey { case service, worker, dropped }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(service.service, forKey: .service)
        try container.encodeIfPresent(service.worker?.text, forKey: .worker)
        try event.encode(to: encoder)
        if dropped > 0 { try container.encode(dropped, forKey: .dropped) }
    }
}
