import Histogram

/// A measured value and its target.
struct Figure {
    enum Direction { case atMost, atLeast }

    var name: String
    var value: Double
    var unit: String
    var target: Double?
    var direction: Direction = .atMost
    /// Constants for comparison, from an earlier run in which BooksTrack was measured as well, on two x86-64 cores over loopback: the limit of
    /// that machine, and the figures of other programs.
    var comparison: String?

    /// Prints the value and whether it meets the target, and the comparison on a second line.
    func report() {
        var line = "\(name.padded(to: 56)) \(Self.format(value)) \(unit)"
        if let target {
            let holds = direction == .atMost ? value <= target : value >= target
            line +=
                "   (target \(direction == .atMost ? "<=" : ">=") \(Self.format(target)) \(unit): \(holds ? "yes" : "NO"))"
        }
        print(line)
        if let comparison { print("    " + comparison) }
    }

    static func format(_ value: Double) -> String {
        value >= 1_000 ? String(Int(value.rounded())) : String((value * 100).rounded() / 100)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }
}

/// Latencies in nanoseconds.
struct Latencies {
    private var histogram = Histogram<UInt64>(
        highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)

    mutating func record(_ duration: Duration) {
        let nanoseconds = duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
        histogram.record(UInt64(max(0, nanoseconds)))
    }

    var count: UInt64 { histogram.totalCount }

    /// The percentile in microseconds.
    func microseconds(_ percentile: Double) -> Double { Double(histogram.valueAtPercentile(percentile)) / 1_000 }

    /// Prints the median and the 99th percentile.
    func report(_ name: String, p50: Double? = nil, p99: Double? = nil, comparison: String? = nil) {
        Figure(name: name + ", p50", value: microseconds(50), unit: "us", target: p50).report()
        Figure(name: name + ", p99", value: microseconds(99), unit: "us", target: p99, comparison: comparison).report()
    }
}
