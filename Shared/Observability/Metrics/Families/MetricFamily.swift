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
