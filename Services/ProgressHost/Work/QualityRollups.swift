import BookstrackContract
import SuiteMethods

/// Adds up measured results by day (metadata.md "Quality"). The totals of an open job are kept in memory and derived from its items. The transaction
/// that ends the job adds them to the stored totals of the day on which the job was accepted. Each item's measured result counts exactly once, even
/// if the process dies, and recording an outcome of an open job writes no additional row.
///
/// Used by one thread at a time (``EngineThread``).
final class QualityRollups {
    /// Number of days covered by ``recent``, including the current one.
    private static let recentDays: Int64 = 2

    /// Totals added by the current group.
    private(set) var added: [RollupKey: RollupSums] = [:]
    /// The stored totals for today and yesterday.
    private var stored: [RollupKey: RollupSums] = [:]
    private var today: Int64 = 0

    /// The totals over the ended jobs that were accepted today or yesterday.
    var recent: QualityCounts { stored.values.reduce(into: QualityCounts()) { $0 += $1.counts } }

    /// Reads the stored totals.
    func reload(_ turn: Turn) throws {
        today = RollupKey.day(turn.now.settled)
        stored = try turn.rollups.sums(from: today - Self.recentDays + 1)
    }

    /// Adds the results of a job that is ending.
    func note(_ sums: RollupSums, of job: JobRow) { added[RollupKey(job), default: RollupSums()] += sums }

    /// Adds a result of an ended job, replacing the item's previous result.
    func note(_ measure: ResultMeasure, insteadOf previous: ResultMeasure?, of job: JobRow) {
        added[RollupKey(job)].add(measure, insteadOf: previous)
    }

    /// Stores the group's totals.
    func store(_ turn: Turn) throws {
        today = RollupKey.day(turn.now.settled)
        for (key, sums) in added { try turn.rollups.add(sums, to: key) }
    }

    /// Ends a committed group.
    func keepTurn() {
        let first = today - Self.recentDays + 1
        for (key, sums) in added where key.day >= first { stored[key, default: RollupSums()] += sums }
        added.removeAll(keepingCapacity: true)
        if stored.keys.contains(where: { $0.day < first }) { stored = stored.filter { $0.key.day >= first } }
    }

    /// Ends a group whose transaction failed.
    func undoTurn() { added.removeAll(keepingCapacity: true) }
}

/// Identifies a row of the rollups.
struct RollupKey: Hashable {
    /// Days since 1970 in UTC.
    var day: Int64
    var pipeline: Pipeline

    init(day: Int64, pipeline: Pipeline) {
        self.day = day
        self.pipeline = pipeline
    }

    /// The row for a job, which is that of the day on which it was accepted.
    init(_ job: JobRow) { self.init(day: Self.day(job.createdAt), pipeline: job.pipeline) }

    /// The day that contains a time in milliseconds since 1970.
    static func day(_ time: Int64) -> Int64 { time / 86_400_000 }
}

/// Totals over the results that one row of the rollups covers.
struct RollupSums: Equatable {
    private(set) var counts = QualityCounts()
    private var providers = MeasuredProvider.allCases.map { _ in ProviderSums() }

    init(counts: QualityCounts = QualityCounts()) { self.counts = counts }

    /// The totals for a provider.
    subscript(provider: MeasuredProvider) -> ProviderSums {
        get { providers[provider.position] }
        set { providers[provider.position] = newValue }
    }

    mutating func add(_ measure: ResultMeasure, sign: Int = 1) {
        counts.add(measure, sign: sign)
        for provider in MeasuredProvider.allCases { providers[provider.position].add(measure[provider], sign: sign) }
    }

    static func += (sums: inout Self, others: Self) {
        sums.counts += others.counts
        for provider in MeasuredProvider.allCases { sums[provider] += others[provider] }
    }
}

extension RollupSums? {
    /// Adds a result in place of `previous`.
    mutating func add(_ measure: ResultMeasure, insteadOf previous: ResultMeasure?) {
        var sums = self ?? RollupSums()
        self = nil
        if let previous { sums.add(previous, sign: -1) }
        sums.add(measure)
        self = sums
    }
}

/// Totals over a provider's contributions to results.
struct ProviderSums: Equatable {
    var asked = 0
    var answered = 0
    /// Number of results with a field from the provider, by the field's position.
    private var used = Array(repeating: 0, count: BookField.allCases.count)

    /// Whether there is nothing to store.
    var isEmpty: Bool { self == ProviderSums() }

    subscript(field: BookField) -> Int {
        get { used[field.position] }
        set { used[field.position] = newValue }
    }

    mutating func add(_ share: ProviderShare, sign: Int) {
        if share.isAsked { asked += sign }
        if share.isAnswered { answered += sign }
        var fields = share.fields.rawValue
        while fields != 0 {
            used[fields.trailingZeroBitCount] += sign
            fields &= fields - 1
        }
    }

    static func += (sums: inout Self, others: Self) {
        sums.asked += others.asked
        sums.answered += others.answered
        for field in BookField.allCases { sums[field] += others[field] }
    }
}
