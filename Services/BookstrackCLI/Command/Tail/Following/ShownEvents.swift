import Observability

/// Remembers what a service sent, so that after a lost connection nothing is missed and nothing is shown twice.
///
/// A service is asked for what ended since a time from which everything is remembered, and may repeat what was shown.
struct ShownEvents {
    /// As many as a service keeps.
    static let usualCapacity = 2_048

    private let capacity: Int
    /// Fingerprints and ends in the order of arrival; a ring when it is full.
    private var recent: [(print: Int, end: Int64)] = []
    private var oldest = 0
    /// Everything that ended at this time or later, in milliseconds since 1970, is remembered.
    private(set) var floor: Int64
    /// When the event that ended last did so.
    private(set) var newest: Int64?
    /// How many times each event of before may come again.
    private var repeats: [Int: Int] = [:]

    /// - Parameter floor: Nothing that ended before this time is wanted.
    init(floor: Int64, capacity: Int = usualCapacity) {
        self.floor = floor
        self.capacity = capacity
    }

    /// The same process is asked for everything from ``floor`` on.
    mutating func expectRepeats() {
        repeats = [:]
        for event in recent where event.end >= floor { repeats[event.print, default: 0] += 1 }
    }

    /// Another process is asked, which has none of the events.
    mutating func expectNoRepeats() { repeats = [:] }

    /// Whether the event was not shown before; it then counts as shown.
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

    /// The numbers are the service's and may be anything: a duration that is none counts as zero, and there is always a time after the end.
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
