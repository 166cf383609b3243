import Testing

@testable import Observability

/// The text that Prometheus scrapes, byte by byte (https://prometheus.io/docs/instrumenting/exposition_formats/).
@Suite("Metrics in text format")
struct ExpositionTests {
    private enum Outcome: String, MetricLabel {
        case succeeded, refused
        static let labelName = "outcome"
    }

    private enum Provider: String, MetricLabel {
        case openLibrary = "openlibrary"
        case googleBooks = "google-books"
        static let labelName = "provider"
    }

    private func text(_ registry: MetricRegistry) -> String { PrometheusText.write(registry.families()) }

    @Test("a counter and a gauge have one line each, and a labeled counter has one line per set of labels")
    func numbers() {
        let registry = MetricRegistry()
        registry.counter("a_total", help: "Things done.").add(3)
        registry.gauge("b_open", help: "Things open.").set(-2)
        let labeled = registry.counters(
            "c_total", help: "Calls.", by: LabelPair<Provider, Outcome>.self)
        labeled[LabelPair(.googleBooks, .succeeded)].add(5)
        labeled[LabelPair(.openLibrary, .refused)].add()
        #expect(
            text(registry) == """
                # HELP a_total Things done.
                # TYPE a_total counter
                a_total 3
                # HELP b_open Things open.
                # TYPE b_open gauge
                b_open -2
                # HELP c_total Calls.
                # TYPE c_total counter
                c_total{provider="openlibrary",outcome="refused"} 1
                c_total{provider="google-books",outcome="succeeded"} 5

                """)
    }

    @Test("a histogram has cumulative buckets, a sum and a count")
    func histogram() {
        let registry = MetricRegistry()
        let histogram = registry.histogram(
            "d_seconds", help: "Time.", .durations(.milliseconds(10), .seconds(1)))
        for duration in [Duration.milliseconds(10), .milliseconds(11), .seconds(1), .seconds(4)] {
            histogram.observe(duration)
        }
        #expect(
            text(registry) == """
                # HELP d_seconds Time.
                # TYPE d_seconds histogram
                d_seconds_bucket{le="0.01"} 1
                d_seconds_bucket{le="1"} 3
                d_seconds_bucket{le="+Inf"} 4
                d_seconds_sum 5.021
                d_seconds_count 4

                """)
    }

    @Test("a labeled histogram puts its own labels before the bucket's label, and need not measure time")
    func labeledHistogram() {
        let registry = MetricRegistry()
        let histograms = registry.histograms("e_items", help: "Items.", by: Outcome.self, .counts(1, 10))
        histograms[.refused].observe(count: 2)
        #expect(
            text(registry) == """
                # HELP e_items Items.
                # TYPE e_items histogram
                e_items_bucket{outcome="refused",le="1"} 0
                e_items_bucket{outcome="refused",le="10"} 1
                e_items_bucket{outcome="refused",le="+Inf"} 1
                e_items_sum{outcome="refused"} 2
                e_items_count{outcome="refused"} 1

                """)
    }

    @Test("values computed during the scrape are omitted while they are nil")
    func computed() {
        let registry = MetricRegistry()
        registry.gauge("f_bytes", help: "Bytes.") { nil }
        registry.gauge("g_bytes", help: "Bytes.") { 1.5 }
        registry.counter("h_total", help: "Lost.") { 7 }
        #expect(
            text(registry) == """
                # HELP g_bytes Bytes.
                # TYPE g_bytes gauge
                g_bytes 1.5
                # HELP h_total Lost.
                # TYPE h_total counter
                h_total 7

                """)
    }

    @Test(
        "numbers are written without loss, and whole numbers without a fraction",
        arguments: [
            (0.0, "0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (1e15, "1000000000000000"), (123_456.789, "123456.789"),
            (1e300, "1e+300"), (-0.000_001, "-1e-06"),
        ])
    func forms(number: Double, shown: String) {
        #expect(
            PrometheusText.write([MetricFamily(.gauge, "n", help: "h", value: number)])
                == "# HELP n h\n# TYPE n gauge\nn \(shown)\n")
    }

    @Test("values that are not finite numbers are omitted", arguments: [Double.nan, .infinity, -.infinity])
    func noNumbers(number: Double) {
        #expect(PrometheusText.write([MetricFamily(.gauge, "n", help: "h", value: number)]).isEmpty)
    }

    @Test(
        "a label's value may contain any characters",
        arguments: [
            ("plain", "plain"), ("a\"b", #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#), ("é戦", "é戦"), ("", ""),
        ])
    func labels(value: String, written: String) {
        let family = MetricFamily(.gauge, "n", help: "h", [(labels: [.init("l", value)], value: 1)])
        #expect(PrometheusText.write([family]).hasSuffix("n{l=\"\(written)\"} 1\n"))
    }

    @Test("services are distinguished by a label, and metrics of different types are not mixed")
    func processes() {
        var table = FamilyTable()
        let one = MetricFamily(.gauge, "n", help: "h", value: 1)
        table.add([one], labels: [.init("service", "api-proxy")])
        table.add([MetricFamily(.gauge, "n", help: "other", value: 2)], labels: [.init("service", "progress-host")])
        table.add([MetricFamily(.counter, "n", help: "h", value: 3)], labels: [.init("service", "enrichment-worker")])
        #expect(
            PrometheusText.write(table.families)
                == "# HELP n h\n# TYPE n gauge\nn{service=\"api-proxy\"} 1\nn{service=\"progress-host\"} 2\n")
    }

    @Test("response time buckets range from 50 microseconds to 10 seconds, and waiting time buckets up to an hour")
    func bounds() {
        #expect(
            HistogramBounds.answers.shown == [
                0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
                10,
            ])
        #expect(
            HistogramBounds.longDurations.shown == [
                0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600,
            ])
    }

    @Test("a negative duration counts as zero, so setting the clock back is harmless")
    func negative() {
        let histogram = Histogram(.durations(.seconds(1)))
        histogram.observe(.seconds(-5))
        histogram.observe(count: -5)
        #expect(histogram.count == 2)
        #expect(histogram.distribution.sum == 0)
    }
}
