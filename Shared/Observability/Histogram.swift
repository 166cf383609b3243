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

/// The upper bounds of a histogram's ranges, and the unit that its values are kept in.
package struct HistogramBounds: Sendable, Equatable {
    /// Ascending and inclusive, in kept units.
    let upper: [UInt64]
    /// Kept units in one unit of the exposition.
    private let scale: Double

    /// Durations: kept in nanoseconds, shown in seconds.
    package static func durations(_ upper: Duration...) -> HistogramBounds {
        HistogramBounds(
            upper: upper.map {
                UInt64($0.components.seconds * 1_000_000_000 + $0.components.attoseconds / 1_000_000_000)
            },
            scale: 1e9)
    }

    /// Plain numbers.
    package static func counts(_ upper: UInt64...) -> HistogramBounds { HistogramBounds(upper: upper, scale: 1) }

    private init(upper: [UInt64], scale: Double) {
        precondition(upper.count < Histogram.rangeLimit, "a histogram has at most \(Histogram.rangeLimit) ranges")
        precondition(zip(upper, upper.dropFirst()).allSatisfy(<), "bounds ascend")
        self.upper = upper
        self.scale = scale
    }

    /// The bounds in the unit of the exposition.
    package var shown: [Double] { upper.map(shown) }

    func shown(_ units: UInt64) -> Double { Double(units) / scale }

    /// The range that a value belongs to; the last one has no bound.
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
    /// Answers of this process or of its neighbours: 50 µs to 10 s.
    package static let answers = durations(
        .microseconds(50), .microseconds(100), .microseconds(250), .microseconds(500), .milliseconds(1),
        .microseconds(2_500), .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50),
        .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2_500), .seconds(5),
        .seconds(10))

    /// What waits for providers: 5 ms to an hour.
    package static let patience = durations(
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2_500), .seconds(5), .seconds(10),
        .seconds(30), .seconds(60), .seconds(300), .seconds(900), .seconds(3_600))
}
