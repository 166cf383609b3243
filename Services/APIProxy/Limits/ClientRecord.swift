/// The windows of one client. 240 bytes.
struct ClientRecord: Sendable {
    private var hourly = SlidingWindow()
    private var ordinary = SlidingWindow()
    private var searches = SlidingWindow()
    private var starts = SlidingWindow()
    private var jobReads = SlidingWindow()

    /// Counts a request in the hourly window and in that of its class, when both have room. Refused ones do not count, so that a
    /// client that keeps asking gets through as soon as one that waits. Nil for a class that is not counted.
    mutating func count(_ requestClass: RequestClass, _ limits: RateLimits, at now: Int64) -> LimitVerdict? {
        guard let limit = limits[requestClass], let window = Self.window(of: requestClass) else { return nil }
        hourly.advance(to: now, limits.hourly.period)
        self[keyPath: window].advance(to: now, limit.period)
        let isAdmitted = hourly.total < limits.hourly.requests && self[keyPath: window].total < limit.requests
        if isAdmitted {
            hourly.add()
            self[keyPath: window].add()
        }
        return max(
            LimitVerdict(limits.hourly, hourly, isAdmitted: isAdmitted, at: now),
            LimitVerdict(limit, self[keyPath: window], isAdmitted: isAdmitted, at: now))
    }

    /// Whether every window is empty. The hourly one counts all requests and is the longest, so that it is the last.
    mutating func hasRefilled(at now: Int64) -> Bool {
        hourly.advance(to: now, .hour)
        return hourly.total == 0
    }

    private static func window(of requestClass: RequestClass) -> WritableKeyPath<Self, SlidingWindow>? {
        switch requestClass {
        case .exempt: nil
        case .ordinary: \.ordinary
        case .search: \.searches
        case .start: \.starts
        case .jobReading: \.jobReads
        }
    }
}
