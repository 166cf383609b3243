import Observability
import SuiteMethods

/// Puts the events of several services in the order of their times, by keeping each back for a moment.
///
/// An event that has waited for the whole moment takes along what began before it. Nothing waits longer, so an event that comes later
/// than that is shown after others that began after it.
struct MergeWindow {
    private struct Held {
        let event: ServiceEvent
        let arrival: ContinuousClock.Instant
    }

    /// How long an event waits for others; zero keeps the order of arrival.
    let hold: Duration
    /// Beyond so many, the first ones wait no longer.
    let capacity: Int
    /// Before this time only the capacity makes an event leave: the past of all services comes together first.
    let settled: ContinuousClock.Instant?
    /// In the order of arrival.
    private var held: [Held] = []

    init(hold: Duration, capacity: Int = 16_384, settled: ContinuousClock.Instant? = nil) {
        self.hold = hold
        self.capacity = capacity
        self.settled = settled
    }

    mutating func insert(_ event: ServiceEvent, at now: ContinuousClock.Instant) {
        held.append(Held(event: event, arrival: now))
    }

    /// When there is something to release; nil when nothing waits.
    var due: ContinuousClock.Instant? {
        guard let first = held.first else { return nil }
        return max(first.arrival.advanced(by: hold), settled ?? first.arrival)
    }

    /// Takes out what need not wait any longer, in its order.
    mutating func release(at now: ContinuousClock.Instant) -> [ServiceEvent] {
        let excess = max(0, held.count - capacity)
        let isSettled = settled.map { $0 <= now } ?? true
        let waited = isSettled ? held.prefix { $0.arrival.advanced(by: hold) <= now }.count : 0
        return release(first: max(excess, waited))
    }

    /// Takes out everything, in its order.
    mutating func releaseAll() -> [ServiceEvent] { release(first: held.count) }

    private mutating func release(first count: Int) -> [ServiceEvent] {
        guard let last = held.prefix(count).map(\.event.time).max() else { return [] }
        guard hold > .zero else {
            defer { held.removeFirst(count) }
            return held.prefix(count).map(\.event)
        }
        let released = held.filter { $0.event.time <= last }
        held.removeAll { $0.event.time <= last }
        // Swift's sort is stable in practice but not by promise; the place of arrival decides between equal times.
        return released.enumerated()
            .sorted { ($0.element.event.time, $0.offset) < ($1.element.event.time, $1.offset) }
            .map(\.element.event)
    }
}

/// An event and whose it is. As JSON it has the event's members, `service`, `worker` and `dropped`.
struct ServiceEvent: Encodable, Equatable {
    let service: ServiceInstance
    let event: TailEvent
    /// How many of the service's events just before this one were lost because the tail was too slow.
    var dropped = 0

    /// When it began, in milliseconds since 1970.
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
