import Testing

@testable import Observability

@Suite("Text for Prometheus")
struct PrometheusTextTests {
    @Test("a counter, a gauge and a histogram are written in the documented format")
    func shape() {
        let registry = MetricRegistry()
        registry.counter("books_total", help: "Books.").add(3)
        registry.gauge("books_open", help: "Open books.") { 1.5 }
        let spread = registry.histogram("book_pages", help: "Pages.", .counts(10, 100))
        for pages in [5, 50, 500] { spread.observe(count: pages) }
        #expect(
            PrometheusText.write(registry.families()) == """
                # HELP books_total Books.
                # TYPE books_total counter
                books_total 3
                # HELP books_open Open books.
                # TYPE books_open gauge
                books_open 1.5
                # HELP book_pages Pages.
                # TYPE book_pages histogram
                book_pages_bucket{le="10"} 1
                book_pages_bucket{le="100"} 2
                book_pages_bucket{le="+Inf"} 3
                book_pages_sum 555
                book_pages_count 3

                """)
    }

    @Test("help and label values are escaped")
    func escapes() {
        let family = MetricFamily(
            .gauge, "odd", help: "one \\ two\nthree \"four\"",
            [(labels: [Sample.Label("text", "a\"b\\c\nd")], value: 1)])
        #expect(
            PrometheusText.write([family])
                == "# HELP odd one \\\\ two\\nthree \"four\"\n# TYPE odd gauge\nodd{text=\"a\\\"b\\\\c\\nd\"} 1\n")
    }

    @Test("metric families of several processes share a heading and are distinguished by the service label")
    func merged() {
        var table = FamilyTable()
        for service in ["api-proxy", "progress-host"] {
            table.add([MetricFamily(.gauge, "up", help: "Up.", value: 1)], labels: [.init("service", service)])
            table.add([MetricFamily(.gauge, "other", help: "Other.", value: 2)], labels: [.init("service", service)])
        }
        #expect(
            PrometheusText.write(table.families) == """
                # HELP up Up.
                # TYPE up gauge
                up{service="api-proxy"} 1
                up{service="progress-host"} 1
                # HELP other Other.
                # TYPE other gauge
                other{service="api-proxy"} 2
                other{service="progress-host"} 2

                """)
    }

    @Test("a metric family that another version declares differently is omitted, not mixed in")
    func differentVersions() {
        var table = FamilyTable()
        table.add([MetricFamily(.gauge, "x", help: "X.", value: 1)], labels: [.init("service", "new")])
        table.add([MetricFamily(.counter, "x", help: "X.", value: 2)], labels: [.init("service", "old")])
        #expect(table.families.map(\.samples.count) == [1])
    }

    @Test("a metric family without a finite number is omitted")
    func nothing() {
        let family = MetricFamily(.gauge, "x", help: "X.", value: .infinity)
        #expect(PrometheusText.write([family]) == "")
    }
}
