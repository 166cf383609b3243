import Foundation

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
