import Foundation
import NIOCore

/// The latest requests to the providers, and counts of all requests.
struct RequestLog: Sendable {
    /// The response to `GET /_emulator/stats`.
    struct Statistics: Encodable, Sendable {
        /// Number of entries dropped because the log was full.
        let droppedEntries: Int
        let providers: [Provider: ProviderStatistics]
    }

    private let limit: Int
    private var sequence = 0
    private var dropped = 0
    private var statistics: [Provider: ProviderStatistics]
    private(set) var entries: CircularBuffer<LogEntry> = []

    /// - Parameter limit: Maximum number of entries; the oldest are dropped first.
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

    /// Number of requests that are being answered.
    func inFlight(_ provider: Provider) -> Int { statistics[provider]?.inFlight ?? 0 }

    /// Records that a response has been sent, or that its client has disconnected.
    mutating func finish(_ provider: Provider) {
        statistics[provider]?.finish()
    }

    /// Clears entries and counts; the sequence numbers continue.
    mutating func clear() {
        entries.removeAll()
        dropped = 0
        statistics = statistics.mapValues(\.restarted)
    }

    var summary: Statistics {
        Statistics(droppedEntries: dropped, providers: statistics)
    }
}

/// A received request and its outcome. One line of `GET /_emulator/log`:
///
/// `{"sequence":1,"monotonicMs":12.5,"wall":"2025-11-15T20:00:00.000Z","provider":"openlibrary","path":"/api/books?…",
/// "isbns":["9780441172719"],"keys":[],"status":200,"faults":["slow"],"userAgent":"…"}`
struct LogEntry: Equatable, Sendable {
    /// Counts from 1 without gaps; the first entry has a higher number if older entries were dropped or cleared.
    let sequence: Int
    let arrival: Arrival
    let provider: Provider
    /// Path and query as received, without the provider's prefix.
    let path: String
    /// The requested keys. In JSON, ISBNs are in `isbns` and all others in `keys`.
    let keys: [AskedKey]
    /// HTTP status; nil if there was no response.
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

/// The time at which a request arrived.
struct Arrival: Equatable, Sendable {
    /// Time since the emulator started; never goes backwards.
    let sinceStart: TimeAmount
    let wall: Date

    var milliseconds: Double { Double(sinceStart.nanoseconds) / 1_000_000 }
}
