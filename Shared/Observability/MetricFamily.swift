/// All readings with one name, as sent between processes (`service.metrics`) and written as Prometheus text.
package struct MetricFamily: Sendable, Codable, Equatable {
    /// The kind of metric.
    package enum Kind: String, Sendable, Codable {
        /// A number that only increases while the process runs.
        case counter
        /// A number that goes up and down.
        case gauge
        /// Counts of values per range.
        case histogram
    }

    package let name: String
    /// A short description.
    package let help: String
    package let kind: Kind
    /// Upper bounds of a histogram's ranges, in the unit of the name; empty for other kinds.
    package let bounds: [Double]
    package var samples: [Sample]

    package init(_ name: MetricName, help: String, kind: Kind, bounds: [Double] = [], samples: [Sample]) {
        self.name = name.text
        self.help = help
        self.kind = kind
        self.bounds = bounds
        self.samples = samples
    }
}

extension MetricFamily {
    /// Creates a family of numbers that are computed at each scrape; those that are not finite are omitted.
    package init(_ kind: Kind, _ name: MetricName, help: String, _ samples: [(labels: [Sample.Label], value: Double)]) {
        self.init(
            name, help: help, kind: kind,
            samples: samples.filter(\.value.isFinite).map { Sample(labels: $0.labels, .number($0.value)) })
    }

    /// Creates a family of one number.
    package init(_ kind: Kind, _ name: MetricName, help: String, value: Double) {
        self.init(kind, name, help: help, [(labels: [], value: value)])
    }
}

/// The name of a family: lower-case words and digits joined by underscores, with the unit, if any, at the end, followed by `_total` for counters
/// (https://prometheus.io/docs/practices/naming).
package struct MetricName: Sendable, Hashable, ExpressibleByStringLiteral {
    package let text: String

    /// Stops the process if the name is invalid. Names are literals, so tests detect invalid ones.
    package init(stringLiteral text: StaticString) {
        self.text = "\(text)"
        precondition(Self.isValid(self.text), "\(text) is not a valid metric name")
    }

    private static func isValid(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}

/// One reading of a family, and its labels.
package struct Sample: Sendable, Codable, Equatable {
    /// One label.
    package struct Label: Sendable, Codable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var labels: [Label]
    package let reading: Reading

    package init(labels: [Label] = [], _ reading: Reading) {
        self.labels = labels
        self.reading = reading
    }
}

/// The value of an instrument at one moment.
package enum Reading: Sendable, Codable, Equatable {
    /// A count, or a value in the unit of the family's name.
    case number(Double)
    /// Counts for the ranges defined by the family's bounds.
    case distribution(Distribution)
}

/// A histogram at one moment.
package struct Distribution: Sendable, Codable, Hashable {
    /// Number of values per range, not cumulative; the last range is above the highest bound.
    package let counts: [UInt64]
    /// The sum of all values, in the unit of the family's name.
    package let sum: Double

    /// The number of values.
    package var count: UInt64 { counts.reduce(0, +) }
}
