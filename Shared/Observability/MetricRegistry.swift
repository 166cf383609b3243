import NIOConcurrencyHelpers

/// The metrics of one process, which are declared at startup and read at every scrape.
///
/// ```swift
/// let registry = MetricRegistry()
/// let opened = registry.counter("bookstrack_sockets_opened_total", help: "Sockets that were opened.")
/// registry.gauge("bookstrack_mailbox_commands", help: "Commands waiting for the engine.") { Double(mailbox.count) }
/// opened.add()
/// ```
///
/// Each name is declared once; declaring it twice is a programming error and stops the process.
package final class MetricRegistry: Sendable {
    private struct State {
        var names: Set<String> = []
        /// The metrics, in declaration order.
        var sources: [@Sendable () -> [MetricFamily]] = []
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// Reads all metrics.
    package func families() -> [MetricFamily] {
        let sources = state.withLockedValue { $0.sources }
        return sources.flatMap { $0() }
    }

    private func declare(_ names: [MetricName], _ source: @escaping @Sendable () -> [MetricFamily]) {
        state.withLockedValue { state in
            for name in names {
                precondition(state.names.insert(name.text).inserted, "\(name.text) is declared twice")
            }
            state.sources.append(source)
        }
    }
}

// MARK: Instruments

extension MetricRegistry {
    package func counter(_ name: MetricName, help: String) -> Counter {
        let counter = Counter()
        declare([name]) { [MetricFamily(name, help: help, kind: .counter, samples: [Sample(counter.reading)])] }
        return counter
    }

    package func gauge(_ name: MetricName, help: String) -> Gauge {
        let gauge = Gauge()
        declare([name]) { [MetricFamily(name, help: help, kind: .gauge, samples: [Sample(gauge.reading)])] }
        return gauge
    }

    package func histogram(_ name: MetricName, help: String, _ bounds: HistogramBounds) -> Histogram {
        let histogram = Histogram(bounds)
        declare([name]) {
            [
                MetricFamily(
                    name, help: help, kind: .histogram, bounds: bounds.shown, samples: [Sample(histogram.reading)])
            ]
        }
        return histogram
    }

    package func counters<Labels: MetricLabels>(
        _ name: MetricName, help: String, by labels: Labels.Type
    ) -> Labeled<Labels, Counter> {
        let counters = Labeled(labels) { Counter() }
        declare([name]) { [MetricFamily(name, help: help, kind: .counter, samples: counters.samples)] }
        return counters
    }

    package func gauges<Labels: MetricLabels>(
        _ name: MetricName, help: String, by labels: Labels.Type
    ) -> Labeled<Labels, Gauge> {
        let gauges = Labeled(labels) { Gauge() }
        declare([name]) { [MetricFamily(name, help: help, kind: .gauge, samples: gauges.samples)] }
        return gauges
    }

    package func histograms<Labels: MetricLabels>(
        _ name: MetricName, help: String, by labels: Labels.Type, _ bounds: HistogramBounds
    ) -> Labeled<Labels, Histogram> {
        let histograms = Labeled(labels) { Histogram(bounds) }
        declare([name]) {
            [MetricFamily(name, help: help, kind: .histogram, bounds: bounds.shown, samples: histograms.samples)]
        }
        return histograms
    }
}

// MARK: Values computed at each scrape

extension MetricRegistry {
    /// Declares a gauge that is computed at each scrape; `read` returns nil if there is no value.
    package func gauge(_ name: MetricName, help: String, _ read: @escaping @Sendable () -> Double?) {
        declare([name]) { read().map { [MetricFamily(.gauge, name, help: help, value: $0)] } ?? [] }
    }

    /// Declares a counter that is computed at each scrape.
    package func counter(_ name: MetricName, help: String, _ read: @escaping @Sendable () -> Int) {
        declare([name]) { [MetricFamily(.counter, name, help: help, value: Double(read()))] }
    }

    /// Declares families that are computed together at each scrape.
    package func families(_ names: MetricName..., read: @escaping @Sendable () -> [MetricFamily]) {
        declare(names, read)
    }
}
