import Foundation
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

    /// Forgets entries and counts; the sequence continues.
    mutating func clear() {
        entries.removeAll()
        dropped = 0
        statistics = statistics.mapValues(\.restarted)
    }

    var summary: Statistics {
        Statistics(droppedEntries: dropped, providers: statistics)
    }
}

/// One request as it arrived, with what was decided to answer. One line of `GET /_emulator/log`:
///
/// `{"sequence":1,"monotonicMs":12.5,"wall":"2025-11-15T20:00:00.000Z","provider":"openlibrary","path":"/api/books?…",
/// "isbns":["9780441172719"],"keys":[],"status":200,"faults":["slow"],"userAgent":"…"}`
struct LogEntry: Equatable, Sendable {
    /// From 1, without gaps; the log begins later when older entries were dropped.
    let sequence: Int
    let arrival: Arrival
    let provider: Provider
    /// Path and query as received, without the provider's prefix.
    let path: String
    /// What was asked about: on the wire ISBNs stand under `isbns`, everything else under `keys`.
    let keys: [AskedKey]
    /// Absent when nothing was to be answered.
    let status: Int?
    let faults: [Fault.Kind]
    let userAgent: String?
}

extension LogEntry: Encodable {
    private enum CodingKeys: String, CodingKey {
        case sequence, monotonicMs, wall, provider, path, isbns, keys, status, faults, userAgent
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(arrival.milliseconds, forKey: .monotonicMs)
        try container.encode(
            arrival.wall.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), forKey: .wall)
        try container.encode(provider, forKey: .provider)
        try container.encode(path, forKey: .path)
        try container.encode(keys.compactMap(\.isbn), forKey: .isbns)
        try container.encode(keys.filter { $0.isbn == nil }.map(\.text), forKey: .keys)
        try container.encodeIfPresent(status, forKey: .status)
        try container.encode(faults, forKey: .faults)
        try container.encodeIfPresent(userAgent, forKey: .userAgent)
    }
}

/// When a request arrived.
struct Arrival: Equatable, Sendable {
    /// Since the emulator started; never goes backwards.
    let sinceStart: TimeAmount
    let wall: Date

    var milliseconds: Double { Double(sinceStart.nanoseconds) / 1_000_000 }

    /// The machine's clocks, counted from now.
    static func clock() -> @Sendable () -> Arrival {
        let start = NIODeadline.now()
        return { Arrival(sinceStart: NIODeadline.now() - start, wall: Date()) }
    }
}
