import Observability

/// A histogram of durations, merged from several series.
struct DurationCounts: Sendable, Equatable {
    /// Upper bounds of the ranges, in seconds.
    private(set) var bounds: [Double] = []
    /// Number of durations in each range. There is one more range than there are `bounds`, because the last one has no upper bound.
    private(set) var counts: [Double] = []

    /// Adds a series. A series with different bounds, which comes from a process of another version, is ignored.
    mutating func add(_ distribution: Distribution, bounds: [Double]) {
        if counts.isEmpty { (self.bounds, counts) = (bounds, Array(repeating: 0, count: bounds.count + 1)) }
        guard self.bounds == bounds, distribution.counts.count == counts.count else { return }
        for (place, count) in distribution.counts.enumerated() { counts[place] += Double(count) }
    }

    mutating func add(_ other: DurationCounts) {
        guard !counts.isEmpty else {
            self = other
            return
        }
        guard bounds == other.bounds else { return }
        for (place, count) in other.counts.enumerated() { counts[place] += count }
    }

    /// The durations that were added since an earlier reading; all of them if there is none to compare with, or if the process has restarted since.
    func since(_ old: DurationCounts?) -> DurationCounts {
        guard let old, old.bounds == bounds, zip(counts, old.counts).allSatisfy(>=) else { return self }
        var difference = self
        for place in counts.indices { difference.counts[place] -= old.counts[place] }
        return difference
    }

    /// The quantile in milliseconds, interpolated within its range and at most the highest bound. Nil if there are no durations.
    func quantile(_ share: Double) -> Double? {
        let total = counts.reduce(0, +)
        guard total > 0 else { return nil }
        var below = 0.0
        for (place, count) in counts.enumerated() where count > 0 {
            guard below + count >= share * total else {
                below += count
                continue
            }
            guard place < bounds.count else { break }
            let low = place == 0 ? 0 : bounds[place - 1]
            return 1_000 * (low + (bounds[place] - low) * (share * total - below) / count)
        }
        return bounds.last.map { 1_000 * $0 }
    }
}

/// Calls to one provider.
struct ProviderCalls: Sendable, Equatable {
    /// Outcomes that do not count as failures, named as in the metrics.
    private static let fine: Set<String> = ["ok", "cancelled"]
    /// Outcomes of calls that show the provider's latency. Many calls with other outcomes end without a request, for example because a budget is
    /// used up or the provider asked for a pause, or fail at once, for example because the connection is refused.
    static let timed: Set<String> = ["ok", "timeout"]

    var outcomes: [String: Double] = [:]
    /// The durations of the calls with an outcome in ``timed``.
    var durations = DurationCounts()

    var total: Double { outcomes.values.reduce(0, +) }
    var failed: Double { outcomes.filter { !Self.fine.contains($0.key) }.values.reduce(0, +) }
    /// The most frequent outcome among failed calls; nil if no call failed.
    var failure: String? {
        outcomes.filter { !Self.fine.contains($0.key) && $0.value > 0 }.max { $0.value < $1.value }?.key
    }

    func since(_ old: ProviderCalls?) -> ProviderCalls {
        guard let old else { return self }
        var difference = self
        for (outcome, count) in outcomes {
            difference.outcomes[outcome] = Increase.of(count, since: old.outcomes[outcome] ?? 0)
        }
        difference.durations = durations.since(old.durations)
        return difference
    }

    mutating func add(_ other: ProviderCalls) {
        outcomes.merge(other.outcomes, uniquingKeysWith: +)
        durations.add(other.durations)
    }
}

/// The calls to one provider in the last hour, recorded for each point of the history.
struct ProviderHistory: Sendable {
    private var points: [(at: Int64, counts: ProviderCalls)] = []
    private var lastFailure: ProviderHour.Failure?

    mutating func add(_ counts: ProviderCalls, at: Int64, limit: Int) {
        points.append((at, counts))
        points.removeFirst(max(0, points.count - limit))
        if let outcome = counts.failure { lastFailure = .init(outcome: outcome, at: at) }
    }

    func hour(of name: String) -> ProviderHour {
        var sum = ProviderCalls()
        for point in points { sum.add(point.counts) }
        return ProviderHour(
            name: name, calls: Int(sum.total), failed: Int(sum.failed),
            outcomes: sum.outcomes.mapValues { Int($0) }.filter { $0.value > 0 }, p50: sum.durations.quantile(0.5),
            p95: sum.durations.quantile(0.95), lastFailure: lastFailure)
    }
}

/// The activity of one provider in the last hour or, if api-proxy started less than an hour ago, since then.
struct ProviderHour: Codable, Sendable, Equatable {
    struct Failure: Codable, Sendable, Equatable {
        /// The outcome, named as in the metrics.
        var outcome: String
        /// When the outcome was last counted, in milliseconds since 1970.
        var at: Int64
    }

    var name: String
    var calls: Int
    var failed: Int
    /// Number of calls by outcome.
    var outcomes: [String: Int]
    /// Median and 95th percentile of the durations of calls that succeeded or timed out, in milliseconds; nil if there were none.
    var p50: Double?
    var p95: Double?
    /// The newest failure since api-proxy started, which may be older than an hour; nil if there was none.
    var lastFailure: Failure?
}
