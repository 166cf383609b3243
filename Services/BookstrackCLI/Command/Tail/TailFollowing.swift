import Observability
import SuiteMethods

/// The state of following one service: the next subscription, which events are new, and when to reconnect.
struct TailFollowing {
    private let filter: TailFilter
    /// The replay of the first subscription.
    private let replay: SubscribeToTail.Replay?
    private var shown: ShownEvents
    private var schedule = ReattachSchedule()
    /// The ID of the process that was followed last; nil if none was.
    private var pid: Int32?
    private var wasMissed = false

    /// - Parameter start: Start of the tail, in milliseconds since 1970.
    init(filter: TailFilter, replay: SubscribeToTail.Replay?, start: Int64) {
        self.filter = filter
        self.replay = replay
        shown = ShownEvents(floor: replay?.since ?? start)
    }

    /// The next subscription. After a lost or failed connection, it also requests the events that may have been missed.
    var parameters: SubscribeToTail.Parameters {
        if pid == nil, let replay { return .init(filter: filter, replay: replay) }
        guard wasMissed else { return .init(filter: filter, replay: nil) }
        return .init(filter: filter, replay: .init(since: since))
    }

    /// The start of the requested past events. With sampling, no event is requested twice, because sampling the same events again would select
    /// different ones.
    private var since: Int64 {
        guard filter.samplingRate != nil, let newest = shown.newest else { return shown.floor }
        return max(shown.floor, newest + 1)
    }

    /// Records that the service is being followed, and decides whether it may repeat events.
    mutating func attached(_ answer: SubscribeToTail.Result) -> TailUpdate {
        defer { pid = answer.pid }
        schedule.reset()
        if pid == answer.pid, filter.samplingRate == nil { shown.expectRepeats() } else { shown.expectNoRepeats() }
        return .attached(answer, before: pid)
    }

    /// Leaves out the events that were already shown.
    mutating func take(_ batch: TailEvents.Parameters) -> TailUpdate {
        .events(batch.events.filter { shown.isNew($0) }, dropped: max(0, batch.dropped))
    }

    /// Decides whether another attempt follows a lost or failed connection, and when.
    mutating func lost(_ loss: TailUpdate.Loss) -> TailUpdate {
        wasMissed = true
        if case .refused = loss { return .givenUp(loss) }
        guard let wait = schedule.next() else { return .givenUp(loss) }
        return .lost(loss, again: wait, attempt: schedule.attempts)
    }
}

/// Remembers the shown events of a service, so that missed events can be requested after a lost connection without showing any event twice.
///
/// Without sampling, the next subscription requests the events that ended at ``floor`` or later. Every shown event among them is remembered, so one
/// that the service repeats is recognized.
struct ShownEvents {
    /// The capacity of a service's ring of past events.
    static let usualCapacity = 2_048

    private let capacity: Int
    /// Fingerprints and end times in order of arrival; a ring when full.
    private var recent: [(print: Int, end: Int64)] = []
    private var oldest = 0
    /// Every shown event that ended at this time or later is remembered. Milliseconds since 1970.
    private(set) var floor: Int64
    /// The latest end time of a shown event; nil if there is none.
    private(set) var newest: Int64?
    /// How many more times each event may be repeated, by fingerprint.
    private var repeats: [Int: Int] = [:]

    /// - Parameter floor: Start of the first subscription, in milliseconds since 1970.
    init(floor: Int64, capacity: Int = usualCapacity) {
        self.floor = floor
        self.capacity = capacity
    }

    /// Call after subscribing to the same process again from ``floor`` on, before its events arrive.
    mutating func expectRepeats() {
        repeats = [:]
        for event in recent where event.end >= floor { repeats[event.print, default: 0] += 1 }
    }

    /// Call after subscribing to another process, which has none of the events shown so far, or after subscribing only to events newer than these.
    mutating func expectNoRepeats() { repeats = [:] }

    /// Whether the event is new; it then counts as shown.
    mutating func isNew(_ event: TailEvent) -> Bool {
        let print = Self.fingerprint(event)
        if let count = repeats[print] {
            repeats[print] = count > 1 ? count - 1 : nil
            return false
        }
        let end = Self.end(of: event)
        newest = max(newest ?? end, end)
        remember(print, end)
        return true
    }

    private mutating func remember(_ print: Int, _ end: Int64) {
        guard recent.count == capacity else { return recent.append((print, end)) }
        floor = max(floor, recent[oldest].end + 1)
        recent[oldest] = (print, end)
        oldest = (oldest + 1) % capacity
    }

    /// The end of an event, in milliseconds since 1970. The service's numbers may be out of range: an invalid duration counts as zero, and the end is
    /// limited so that there is always a later time.
    private static func end(of event: TailEvent) -> Int64 {
        let duration = Int64(exactly: (event.durationMs ?? 0).rounded(.towardZero)) ?? 0
        let (end, overflows) = event.eventTimestamp.addingReportingOverflow(max(0, duration))
        return overflows ? .max - 1 : min(end, .max - 1)
    }

    private static func fingerprint(_ event: TailEvent) -> Int {
        var hasher = Hasher()
        hasher.combine(event.eventTimestamp)
        hasher.combine(event.kind)
        hasher.combine(event.durationMs)
        hasher.combine(event.requestId)
        hasher.combine(event.jobId)
        hasher.combine(event.event?.rpc?.method)
        hasher.combine(event.event?.job?.step)
        hasher.combine(event.event?.job?.index)
        hasher.combine(event.logs.first?.message)
        return hasher.finalize()
    }
}

/// The delays before trying to reconnect to a service (command-line.md "tail").
struct ReattachSchedule {
    /// The delays in order; after the last one, the tail gives up on the service.
    static let waits: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16)]

    /// Number of attempts since the connection last worked.
    private(set) var attempts = 0

    /// The delay before the next attempt; nil if there is none.
    mutating func next() -> Duration? {
        guard attempts < Self.waits.count else { return nil }
        defer { attempts += 1 }
        return Self.waits[attempts]
    }

    /// Restarts the schedule, because the connection works again.
    mutating func reset() { attempts = 0 }
}
