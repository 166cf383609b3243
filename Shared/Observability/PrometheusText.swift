/// Prometheus' text format, version 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats).
package struct PrometheusText: Sendable {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private var text = ""

    /// Writes the families that have samples, each under one HELP and one TYPE line.
    ///
    /// - Parameter families: Families with unique names, as in a ``FamilyTable``.
    package static func write(_ families: [MetricFamily]) -> String {
        var writer = PrometheusText()
        writer.text.reserveCapacity(64 << 10)
        for family in families where !family.samples.isEmpty { writer.write(family) }
        return writer.text
    }

    private mutating func write(_ family: MetricFamily) {
        text += "# HELP \(family.name) \(Self.escapedHelp(family.help))\n"
        text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
        for sample in family.samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escapedValue($0.value))\"" }.joined(separator: ",")
            switch sample.reading {
            case .number(let number): line(family.name, labels, Self.shown(number))
            case .distribution(let spread): write(spread, family, labels)
            }
        }
    }

    private mutating func write(_ spread: Distribution, _ family: MetricFamily, _ labels: String) {
        var count: UInt64 = 0
        let separator = labels.isEmpty ? "" : ","
        for (place, inRange) in spread.counts.enumerated() {
            count += inRange
            let bound = place < family.bounds.count ? Self.shown(family.bounds[place]) : "+Inf"
            line("\(family.name)_bucket", "\(labels)\(separator)le=\"\(bound)\"", String(count))
        }
        line("\(family.name)_sum", labels, Self.shown(spread.sum))
        line("\(family.name)_count", labels, String(count))
    }

    private mutating func line(_ name: String, _ labels: String, _ value: String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    /// Writes whole numbers without a fraction and others in Swift's notation, which the format allows.
    private static func shown(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }

    private static func escapedHelp(_ text: String) -> String { escaped(text, quotes: false) }

    private static func escapedValue(_ text: String) -> String { escaped(text, quotes: true) }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || $0 == 0x22 }) else { return text }
        return text.unicodeScalars.reduce(into: "") { written, scalar in
            switch scalar {
            case "\\": written += "\\\\"
            case "\n": written += "\\n"
            case "\"" where quotes: written += "\\\""
            default: written.unicodeScalars.append(scalar)
            }
        }
    }
}

/// The families of several processes, grouped by name, because the text format requires all readings of a name to be together.
package struct FamilyTable: Sendable {
    private var places: [String: Int] = [:]
    /// The families, in order of first occurrence.
    package private(set) var families: [MetricFamily] = []

    package init() {}

    /// Adds the families of a process; the labels of the process are prepended to each reading's own labels.
    ///
    /// If another process declares a name with a different kind or different bounds, as different program versions may, the first declaration is used
    /// and the other process's readings are omitted.
    package mutating func add(_ more: [MetricFamily], labels: [Sample.Label]) {
        for family in more {
            let samples = family.samples.map { Sample(labels: labels + $0.labels, $0.reading) }
            guard let place = places[family.name] else {
                places[family.name] = families.count
                families.append(family)
                families[families.count - 1].samples = samples
                continue
            }
            guard families[place].kind == family.kind, families[place].bounds == family.bounds else { continue }
            families[place].samples += samples
        }
    }
}
