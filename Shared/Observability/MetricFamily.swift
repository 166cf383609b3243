/// All readings of one name, as they pass between processes (`service.metrics`) and become Prometheus text.
package struct MetricFamily: Sendable, Codable, Equatable {
    /// What the readings are.
    package enum Kind: String, Sendable, Codable {
        /// Only grows while the process lives.
        case counter
        /// Goes up and down.
        case gauge
        /// Counts values in ranges.
        case histogram
    }

    package let name: String
    /// What is measured, in one sentence.
    package let help: String
    package let kind: Kind
    /// Upper bounds of a histogram's ranges, in the unit that the name says; empty for other kinds.
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
    /// A family of numbers that are known only when they are asked for.
    package init(_ kind: Kind, _ name: MetricName, help: String, _ samples: [(labels: [Sample.Label], value: Double)]) {
        self.init(
            name, help: help, kind: kind,
            samples: samples.filter(\.value.isFinite).map { Sample(labels: $0.labels, .number($0.value)) })
    }

    /// A family of one number.
    package init(_ kind: Kind, _ name: MetricName, help: String, value: Double) {
        self.init(kind, name, help: help, [(labels: [], value: value)])
    }
}

/// The name of a family: lower-case words and digits joined by underscores, the unit last, `_total` after it for counters
/// (https://prometheus.io/docs/practices/naming).
package struct MetricName: Sendable, Hashable, ExpressibleByStringLiteral {
    package let text: String

    /// Written down in the source and therefore valid.
    package init(stringLiteral text: StaticString) {
        self.text = "\(text)"
        precondition(Self.isValid(self.text), "\(text) is no name of a metric")
    }

    private static func isValid(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}

/// One reading of a family, and the labels that tell it from the others.
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

/// What an instrument shows at one moment.
package enum Reading: Sendable, Codable, Equatable {
    /// A count, or a value in the unit that the family's name says.
    case number(Double)
    /// A spread over the ranges of the family's bounds.
    case distribution(Distribution)
}

/// A histogram at one moment.
package struct Distribution: Sendable, Codable, Hashable {
    /// Values in each range, not cumulative; the last range is the one above the highest bound.
    package let counts: [UInt64]
    /// The sum of all values, in the unit that the family's name says.
    package let sum: Double

    /// How many values there are.
    package var count: UInt64 { counts.reduce(0, +) }
}
