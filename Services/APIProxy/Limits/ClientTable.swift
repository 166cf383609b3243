/// The most recently seen clients, at most `capacity`; finding, adding and removing one takes constant time.
///
/// Memory is bounded, even for forged addresses: 144 bytes per client, 9 MiB for 65 536, under 3 MiB for the index, and `timeLimit`
/// for the times of requests. A new client takes the place of the one that was not seen for longest, as soon as that one's windows are
/// empty, and at a bound in any case. A client with empty windows was not seen for an hour, so this is also the order in which windows empty:
/// forged addresses first displace entries that do not matter.
struct ClientTable: Sendable {
    private struct Entry {
        var client: ClientNetwork
        var record = ClientRecord()
        /// Places of the neighbours in the order of last use; -1 at the ends.
        var newer: Int32 = -1
        var older: Int32 = -1
    }

    private let capacity: Int
    /// Bytes that the times of all clients' requests may take.
    private let timeLimit: Int
    private var timeBytes = 0
    /// Places that are not used.
    private var free: [Int32] = []
    private var entries: [Entry] = []
    private var places: [ClientNetwork: Int32] = [:]
    private var newest: Int32 = -1
    private var oldest: Int32 = -1

    init(capacity: Int = 65_536, timeLimit: Int = 32 << 20) {
        self.capacity = capacity
        self.timeLimit = timeLimit
    }

    /// Clients that are remembered.
    var count: Int { places.count }

    /// Bytes of the entries, of the index and of the times.
    var bytes: Int {
        timeBytes + entries.capacity * MemoryLayout<Entry>.stride
            + places.capacity * (MemoryLayout<ClientNetwork>.stride + MemoryLayout<Int32>.stride)
    }

    /// Hands out the record of a client, an empty one for a new client, and makes it the one that was seen last.
    mutating func update<Outcome>(
        _ client: ClientNetwork, at now: Int64, _ change: (inout ClientRecord) -> Outcome
    ) -> Outcome {
        let place: Int32
        if let known = places[client] {
            place = known
            unlink(place)
        } else {
            place = makeRoom(for: client, at: now)
            places[client] = place
        }
        linkAsNewest(place)
        timeBytes -= entries[Int(place)].record.bytes
        let outcome = change(&entries[Int(place)].record)
        timeBytes += entries[Int(place)].record.bytes
        while timeBytes > timeLimit, oldest != newest { free.append(forgetOldest()) }
        return outcome
    }

    private mutating func makeRoom(for client: ClientNetwork, at now: Int64) -> Int32 {
        if oldest >= 0, places.count == capacity || entries[Int(oldest)].record.hasRefilled(at: now) {
            free.append(forgetOldest())
        }
        if let place = free.popLast() {
            entries[Int(place)] = Entry(client: client)
            return place
        }
        if entries.count == entries.capacity { entries.reserveCapacity(min(max(64, entries.count * 2), capacity)) }
        entries.append(Entry(client: client))
        return Int32(entries.count - 1)
    }

    /// Returns the place that is free now.
    private mutating func forgetOldest() -> Int32 {
        let place = oldest
        unlink(place)
        places[entries[Int(place)].client] = nil
        timeBytes -= entries[Int(place)].record.bytes
        entries[Int(place)].record = ClientRecord()
        return place
    }

    private mutating func unlink(_ place: Int32) {
        let (newer, older) = (entries[Int(place)].newer, entries[Int(place)].older)
        if newer >= 0 { entries[Int(newer)].older = older } else { newest = older }
        if older >= 0 { entries[Int(older)].newer = newer } else { oldest = newer }
    }

    private mutating func linkAsNewest(_ place: Int32) {
        entries[Int(place)].newer = -1
        entries[Int(place)].older = newest
        if newest >= 0 { entries[Int(newest)].newer = place } else { oldest = place }
        newest = place
    }
}

/// What limits count under: an IPv4 address, or the /64 of an IPv6 address (http-api.md "Rate limits").
struct ClientNetwork: Hashable, Sendable {
    private let bits: UInt64
    private let isIPv6: Bool

    init(_ address: ClientAddress) {
        isIPv6 = address.bytes.count == 16
        bits = address.bytes.prefix(isIPv6 ? 8 : 4).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The windows of one client. 144 bytes, and 16 for each request of the last hour.
struct ClientRecord: Sendable {
    private var hourly = SlidingWindow()
    private var ordinary = SlidingWindow()
    private var searches = SlidingWindow()
    private var starts = SlidingWindow()
    private var imports = SlidingWindow()
    private var jobReads = SlidingWindow()

    /// Counts a request in the hourly window and in that of its class, when both have room. Refused ones do not count, so that a
    /// client that keeps asking gets through as soon as one that waits. Nil for a class that is not counted.
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

    /// Uncounts the newest request of a class.
    mutating func takeBack(_ requestClass: RequestClass) {
        guard let window = Self.window(of: requestClass) else { return }
        hourly.removeNewest()
        self[keyPath: window].removeNewest()
    }

    /// Whether every window is empty. The hourly one counts all requests and is the longest, so that it is the last.
    mutating func hasRefilled(at now: Int64) -> Bool {
        hourly.advance(to: now, .hour)
        return hourly.total == 0
    }

    /// Bytes of the windows' times.
    var bytes: Int {
        hourly.bytes + ordinary.bytes + searches.bytes + starts.bytes + imports.bytes + jobReads.bytes
    }

    private static func window(of requestClass: RequestClass) -> WritableKeyPath<Self, SlidingWindow>? {
        switch requestClass {
        case .exempt: nil
        case .ordinary: \.ordinary
        case .search: \.searches
        case .start: \.starts
        case .import: \.imports
        case .jobReading: \.jobReads
        }
    }
}
