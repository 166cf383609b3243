import NIOCore

/// The last requests to the providers, and counts of all of them.
struct RequestLog: Sendable {
    /// What `GET /_emulator/stats` answers.
    struct Statistics: Encodable, Sendable {
        /// Entries that no longer fit into the log.
        let droppedEntries: Int
        let providers: [Provider: ProviderStatistics]
    }

    private let limit: Int
    private var sequence = 0
    private var dropped = 0
    private var statistics: [Provider: ProviderStatistics]
    private(set) var entries: CircularBuffer<LogEntry> = []

    /// - Parameter limit: How many entries are kept; the oldest go first.
    init(limit: Int) {
        self.limit = limit
        statistics = Dictionary(uniqueKeysWithValues: Provider.allCases.map { ($0, ProviderStatistics()) })
    }

    mutating func add(
        _ arrival: Arrival, provider: Provider, path: String, keys: [AskedKey], status: Int?, faults: [Fault.Kind],
        userAgent: String?
    ) {
        sequence += 1
        if entries.count == limit, entries.popFirst() != nil { dropped += 1 }
        entries.append(
            LogEntry(
                sequence: sequence, arrival: arrival, provider: provider, path: path, keys: keys, status: status,
                faults: faults, userAgent: userAgent))
        statistics[provider, default: ProviderStatistics()]
            .add(arrival, keys: keys, status: status, faults: faults)
    }

    /// Requests that are being answered.
    func inFlight(_ provider: Provider) -> Int { statistics[provider]?.inFlight ?? 0 }

    /// An answer has been sent, or its client has gone.
    mutating func finish(_ provider: Provider) {
        statistics[provider]?.finish()
    }

    /// Forgets entries and counts; the sequence goes on.
    mutating func clear() {
        entries.removeAll()
        dropped = 0
        statistics = statistics.mapValues(\.restarted)
    }

    var summary: Statistics {
        Statistics(droppedEntries: dropped, providers: statistics)
    }
}
