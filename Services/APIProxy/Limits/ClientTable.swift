import ServiceKit

/// The most recently seen clients, at most `capacity`. Finding, adding and removing a client takes constant time.
///
/// Memory is bounded, even if addresses are forged: 216 bytes per client (14 MiB for 65 536 clients), under 3 MiB for the index, and `timeLimit`
/// bytes for request times. A new client replaces the least recently seen one if that client's windows are empty or the table is full; the least
/// recently seen clients are also removed while the request times exceed `timeLimit`. A client's windows are empty an hour after its last request, so
/// forged addresses first displace entries that no longer matter.
struct ClientTable: Sendable {
    private let capacity: Int
    /// Maximum number of bytes for the request times of all clients.
    private let timeLimit: Int
    private var timeBytes = 0
    private var records: LRUTable<ClientNetwork, ClientRecord>

    init(capacity: Int = 65_536, timeLimit: Int = 32 << 20) {
        self.capacity = capacity
        self.timeLimit = timeLimit
        records = LRUTable(capacity: capacity)
    }

    /// Number of remembered clients.
    var count: Int { records.count }

    /// Bytes taken by the entries, the index and the times.
    var bytes: Int { timeBytes + records.bytes }

    /// Changes a client's record, which is created if needed, and marks the client as the most recently seen.
    mutating func update<Outcome>(
        _ client: ClientNetwork, at now: Int64, _ change: (inout ClientRecord) -> Outcome
    ) -> Outcome {
        let place = records.use(client) ?? add(client, at: now)
        let outcome = modify(place, change)
        while timeBytes > timeLimit, count > 1, let oldest = records.leastRecent { forget(oldest) }
        return outcome
    }

    /// Changes a record, and corrects `timeBytes` accordingly.
    private mutating func modify<Outcome>(
        _ place: LRUTable<ClientNetwork, ClientRecord>.Place, _ change: (inout ClientRecord) -> Outcome
    ) -> Outcome {
        timeBytes -= records[place].bytes
        defer { timeBytes += records[place].bytes }
        return records.change(at: place, change)
    }

    private mutating func add(_ client: ClientNetwork, at now: Int64) -> LRUTable<ClientNetwork, ClientRecord>.Place {
        if let oldest = records.leastRecent,
            count == capacity || modify(oldest, { $0.hasRefilled(at: now) })
        {
            forget(oldest)
        }
        return records.add(ClientRecord(), for: client)
    }

    private mutating func forget(_ place: LRUTable<ClientNetwork, ClientRecord>.Place) {
        timeBytes -= records.remove(at: place).bytes
    }
}

/// The key for limits: an IPv4 address, or the /64 of an IPv6 address (http-api.md "Rate limits").
struct ClientNetwork: Hashable, Sendable {
    private let bits: UInt64
    private let isIPv6: Bool

    init(_ address: ClientAddress) {
        isIPv6 = address.bytes.count == 16
        bits = address.bytes.prefix(isIPv6 ? 8 : 4).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The windows of one client: 192 bytes, plus about 16 for each request of the last hour.
struct ClientRecord: Sendable {
    private var hourly = SlidingWindow()
    private var ordinary = SlidingWindow()
    private var searches = SlidingWindow()
    private var starts = SlidingWindow()
    private var imports = SlidingWindow()
    private var scans = SlidingWindow()
    private var reports = SlidingWindow()
    private var jobReads = SlidingWindow()

    /// Counts a request in the hourly window and in the window of its class, if both have room. Refused requests do not count, so a client that keeps
    /// retrying is admitted no later than one that waits. Returns nil for a class that is not counted.
    mutating func count(_ requestClass: RequestClass, _ limits: RateLimits, at now: Int64) -> LimitVerdict? {
        guard let limit = limits[requestClass], let window = Self.window(of: requestClass) else { return nil }
        hourly.advance(to: now, limits.hourly.period)
        self[keyPath: window].advance(to: now, limit.period)
        let isAdmitted = hourly.total < limits.hourly.requests && self[keyPath: window].total < limit.requests
        if isAdmitted {
            hourly.add(limits.hourly)
            self[keyPath: window].add(limit)
        }
        return max(
            LimitVerdict(limits.hourly, hourly, isAdmitted: isAdmitted, at: now),
            LimitVerdict(limit, self[keyPath: window], isAdmitted: isAdmitted, at: now))
    }

    /// Removes the newest request of a class from the counts.
    mutating func takeBack(_ requestClass: RequestClass) {
        guard let window = Self.window(of: requestClass) else { return }
        hourly.removeNewest()
        self[keyPath: window].removeNewest()
    }

    /// Drops the requests that have left the hourly window, and returns whether every window is empty. The hourly window counts all requests and has
    /// the longest period, so it empties last.
    mutating func hasRefilled(at now: Int64) -> Bool {
        hourly.advance(to: now, .hour)
        return hourly.total == 0
    }

    /// Bytes taken by the windows' times.
    var bytes: Int {
        hourly.bytes + ordinary.bytes + searches.bytes + starts.bytes + imports.bytes + scans.bytes + reports.bytes
            + jobReads.bytes
    }

    private static func window(of requestClass: RequestClass) -> WritableKeyPath<Self, SlidingWindow>? {
        switch requestClass {
        case .exempt: nil
        case .ordinary: \.ordinary
        case .search: \.searches
        case .start: \.starts
        case .import: \.imports
        case .scan: \.scans
        case .report: \.reports
        case .jobReading: \.jobReads
        }
    }
}
