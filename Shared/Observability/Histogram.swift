import Synchronization

/// Counts values in fixed ranges and keeps their exact sum. Each value costs two atomic additions and a search among at most 23 bounds.
///
/// The count is the sum over the ranges, so a reading is always consistent: in the text format, `_count` equals the `+Inf` bucket.
package final class Histogram: Instrument {
    /// Maximum number of ranges, including the one above the highest bound.
    package static let rangeLimit = 24

    package let bounds: HistogramBounds
    private let ranges = InlineArray<24, Atomic<UInt64>> { _ in Atomic(0) }
    /// The sum, in the unit of `bounds`.
    private let sum = Atomic<UInt64>(0)

    package init(_ bounds: HistogramBounds) { self.bounds = bounds }

    /// Records a duration.
    package func observe(_ duration: Duration) {
        observe(units: UInt64(max(0, duration.nanoseconds)))
    }

    /// Records a plain number.
    package func observe(count: Int) { observe(units: UInt64(max(0, count))) }

    private func observe(units: UInt64) {
        ranges[bounds.range(of: units)].wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(units, ordering: .relaxed)
    }

    package var reading: Reading { .distribution(distribution) }

    /// The current values.
    package var distribution: Distribution {
        let counts = (0...bounds.upper.count).map { ranges[$0].load(ordering: .relaxed) }
        return Distribution(counts: counts, sum: bounds.shown(sum.load(ordering: .relaxed)))
    }

    /// The number of recorded values.
    package var count: UInt64 { (0...bounds.upper.count).reduce(0) { $0 + ranges[$1].load(ordering: .relaxed) } }
}

/// The upper bounds of a histogram's ranges, and the unit of its stored values.
package struct HistogramBounds: Sendable, Equatable {
    /// The upper bounds, ascending and inclusive, in stored units.
    let upper: [UInt64]
    /// Stored units per unit of the exposition.
    private let scale: Double

    /// Bounds for durations, which are stored in nanoseconds and exposed in seconds.
    package static func durations(_ upper: Duration...) -> HistogramBounds {
        HistogramBounds(
            upper: upper.map { UInt64($0.nanoseconds) }, scale: 1e9)
    }

    /// Bounds for plain numbers.
    package static func counts(_ upper: UInt64...) -> HistogramBounds { HistogramBounds(upper: upper, scale: 1) }

    private init(upper: [UInt64], scale: Double) {
        precondition(upper.count < Histogram.rangeLimit, "a histogram has at most \(Histogram.rangeLimit) ranges")
        precondition(zip(upper, upper.dropFirst()).allSatisfy(<), "bounds must ascend")
        self.upper = upper
        self.scale = scale
    }

    /// The bounds in the unit of the exposition.
    package var shown: [Double] { upper.map(shown) }

    func shown(_ units: UInt64) -> Double { Double(units) / scale }

    /// The index of a value's range; the last range has no upper bound.
    func range(of units: UInt64) -> Int {
        var (low, high) = (0, upper.count)
        while low < high {
            let middle = (low + high) / 2
            if units <= upper[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension HistogramBounds {
    /// For response times and database transactions: 50 µs to 10 s.
    package static let answers = durations(
        .microseconds(50), .microseconds(100), .microseconds(250), .microseconds(500), .milliseconds(1),
        .microseconds(2_500), .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50),
        .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2_500), .seconds(5),
        .seconds(10))

    /// For durations that include waiting for providers: 5 ms to an hour.
    package static let longDurations = durations(
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2_500), .seconds(5), .seconds(10),
        .seconds(30), .seconds(60), .seconds(300), .seconds(900), .seconds(3_600))
}
