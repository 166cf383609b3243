import NIOCore

/// Counts of one provider's requests since the start or the last `DELETE /_emulator/log`.
struct ProviderStatistics: Encodable, Sendable {
    private(set) var requests = 0
    /// Number of requested ISBNs, including repetitions.
    private(set) var isbns = 0
    /// Number of requested names, items, covers and models, including repetitions.
    private(set) var keys = 0
    /// Number of requests by status, or by fault if there was no response.
    private(set) var outcomes: [String: Int] = [:]
    /// Number of requests by fault.
    private(set) var faults: [String: Int] = [:]
    private(set) var maximumInFlight = 0
    /// Milliseconds from the emulator's start to the first and to the last request.
    private(set) var firstMs: Double?
    private(set) var lastMs: Double?
    private var window = PeakRate()
    private(set) var inFlight = 0

    mutating func add(_ arrival: Arrival, keys asked: [AskedKey], status: Int?, faults kinds: [Fault.Kind]) {
        requests += 1
        let numbers = asked.count { $0.isbn != nil }
        isbns += numbers
        keys += asked.count - numbers
        outcomes[status.map(String.init) ?? kinds.last?.rawValue ?? "none", default: 0] += 1
        for kind in kinds { faults[kind.rawValue, default: 0] += 1 }
        firstMs = firstMs ?? arrival.milliseconds
        lastMs = arrival.milliseconds
        window.add(arrival.sinceStart)
        inFlight += 1
        maximumInFlight = max(maximumInFlight, inFlight)
    }

    mutating func finish() {
        inFlight -= 1
    }

    /// New statistics in which only the requests that are still in flight are counted, as `inFlight` and `maximumInFlight`.
    var restarted: ProviderStatistics {
        var fresh = ProviderStatistics()
        (fresh.inFlight, fresh.maximumInFlight) = (inFlight, inFlight)
        return fresh
    }

    private enum CodingKeys: String, CodingKey {
        case requests, isbns, keys, outcomes, faults, maximumPerSecond, inFlight, maximumInFlight, firstMs, lastMs
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(requests, forKey: .requests)
        try container.encode(isbns, forKey: .isbns)
        try container.encode(keys, forKey: .keys)
        try container.encode(outcomes, forKey: .outcomes)
        try container.encode(faults, forKey: .faults)
        try container.encode(window.maximum, forKey: .maximumPerSecond)
        try container.encode(inFlight, forKey: .inFlight)
        try container.encode(maximumInFlight, forKey: .maximumInFlight)
        try container.encodeIfPresent(firstMs, forKey: .firstMs)
        try container.encodeIfPresent(lastMs, forKey: .lastMs)
    }
}

/// The maximum number of requests that arrived within one second.
struct PeakRate: Sendable {
    private(set) var maximum = 0
    private var arrivals: CircularBuffer<TimeAmount> = []

    mutating func add(_ arrival: TimeAmount) {
        while let oldest = arrivals.first, arrival - oldest >= .seconds(1) { arrivals.removeFirst() }
        arrivals.append(arrival)
        maximum = max(maximum, arrivals.count)
    }
}
