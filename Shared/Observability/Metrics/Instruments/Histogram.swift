import Synchronization

/// How values spread over fixed ranges, and their exact sum. A value costs two atomic additions and a search among at most 23 bounds.
///
/// The count is the sum of the ranges, so that a reading never contradicts itself (the text format wants `_count` to equal the
/// `+Inf` bucket).
package final class Histogram: Instrument {
    /// Ranges of one histogram, the one above the highest bound included.
    package static let rangeLimit = 24

    package let bounds: HistogramBounds
    private let ranges = InlineArray<24, Atomic<UInt64>> { _ in Atomic(0) }
    /// In the unit of `bounds`.
    private let sum = Atomic<UInt64>(0)

    package init(_ bounds: HistogramBounds) { self.bounds = bounds }

    /// Notes how long something took.
    package func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(units: UInt64(max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)))
    }

    /// Notes how many of something there were.
    package func observe(count: Int) { observe(units: UInt64(max(0, count))) }

    private func observe(units: UInt64) {
        ranges[bounds.range(of: units)].wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(units, ordering: .relaxed)
    }

    package var reading: Reading { .distribution(distribution) }

    /// What it shows now.
    package var distribution: Distribution {
        let counts = (0...bounds.upper.count).map { ranges[$0].load(ordering: .relaxed) }
        return Distribution(counts: counts, sum: bounds.shown(sum.load(ordering: .relaxed)))
    }

    /// How many values were noted.
    package var count: UInt64 { (0...bounds.upper.count).reduce(0) { $0 + ranges[$1].load(ordering: .relaxed) } }
}
